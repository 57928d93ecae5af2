/** What is wrong with a value, in lines for the client: bounded, and without the value itself. */
import * as SchemaAST from "effect/SchemaAST";
import * as SchemaIssue from "effect/SchemaIssue";
import { isRecord } from "../model/json.ts";

const maxLines = 10;

/** What is longer is cut. */
export const maxLine = 200;

/** Values with more parts than this are looked into up to the first fault only, so that no reply outgrows its request. */
const maxParts = 1_000;

/** Whether `value` has so few parts that all of its faults may be collected. */
export const small = (value: unknown): boolean => {
  let left = maxParts;
  const visit = (value: unknown): boolean => {
    if (--left < 0) return false;
    if (Array.isArray(value)) return value.length <= left && value.every(visit);
    return !isRecord(value) || Object.values(value).every(visit);
  };
  return visit(value);
};

const cut = (line: string): string => line.length > maxLine ? `${line.slice(0, maxLine - 1)}…` : line;

/** A heading and what is under it, as one text. */
export const listed = (heading: string, lines: ReadonlyArray<string>): string => {
  const shown = lines.slice(0, maxLines).map((line) => `- ${cut(line)}`);
  const more = lines.length - shown.length;
  return [`${heading}:`, ...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n");
};

const at = (path: ReadonlyArray<PropertyKey>, what: string): string =>
  path.length === 0 ? what : `${path.map(String).join(".")}: ${what}`;

const kinds: { readonly [tag: string]: string } = {
  Arrays: "a list",
  Boolean: "a boolean",
  Null: "null",
  Number: "a number",
  Objects: "an object",
  String: "a string",
};

/** The encoded side of a type, which is what comes in. */
const wire = (ast: SchemaAST.AST): SchemaAST.AST => ast.encoding === undefined ? ast : SchemaAST.toEncoded(ast);

/** What a type is called to somebody who sees JSON: never by the author's identifiers. */
const kind = (ast: SchemaAST.AST): string | undefined => {
  if (ast._tag === "Suspend") return kind(ast.thunk());
  if (ast._tag === "Literal") {
    return JSON.stringify(typeof ast.literal === "bigint" ? String(ast.literal) : ast.literal);
  }
  if (ast._tag === "Enum") return ast.enums.map(([, value]) => JSON.stringify(value)).join(" or ");
  if (ast._tag !== "Union") return kinds[ast._tag];
  const members = ast.types.filter(({ _tag }) => _tag !== "Undefined").map(kind);
  return members.some((member) => member === undefined) ? undefined : [...new Set(members)].join(" or ");
};

const expected = (ast: SchemaAST.AST): string => {
  const name = kind(ast);
  return name === undefined ? "is of the wrong type" : `expected ${name}`;
};

/** The literals that `ast` allows for the property `name`; undefined if it is not one of literals. */
const literals = (ast: SchemaAST.AST, name: PropertyKey): string | undefined => {
  if (ast._tag !== "Objects") return undefined;
  const type = ast.propertySignatures.find((property) => property.name === name)?.type;
  return type?._tag === "Literal" ? kind(type) : undefined;
};

/** What is wrong with a value that is none of the alternatives: of tagged ones, the tag. */
const unmatched = (ast: SchemaAST.Union, path: ReadonlyArray<PropertyKey>): ReadonlyArray<string> => {
  const members = ast.types.map(wire);
  const [first] = members;
  const tag = first?._tag === "Objects"
    ? first.propertySignatures.find(({ name }) => members.every((member) => literals(member, name) !== undefined))
    : undefined;
  if (tag === undefined) return [at(path, expected(ast))];
  return [at([...path, tag.name], `expected ${members.map((member) => literals(member, tag.name)).join(" or ")}`)];
};

/** A message of the library as the rest of a line; an author's own stays as it is. */
const lower = (text: string): string => text.startsWith("Expected ") ? `e${text.slice(1)}` : text;

const format = SchemaIssue.makeFormatterStandardSchemaV1();

/** The faults that `issue` stands for, a line each. */
export const issueLines = (issue: SchemaIssue.Issue): ReadonlyArray<string> => {
  const lines: Array<string> = [];
  const visit = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): void => {
    switch (issue._tag) {
      case "Pointer":
        return visit(issue.issue, [...path, ...issue.path]);
      case "Encoding":
        return visit(issue.issue, path);
      case "Composite":
        return issue.issues.forEach((inner) => visit(inner, path));
      case "AnyOf":
        if (issue.issues.length === 0) lines.push(...unmatched(issue.ast, path));
        return issue.issues.forEach((inner) => visit(inner, path));
      case "InvalidType":
        return void lines.push(at(path, expected(issue.ast)));
      case "MissingKey":
        return void lines.push(at(path, "is missing"));
      case "UnexpectedKey":
        return void lines.push(at(path, "is not allowed"));
      case "Filter":
      case "InvalidValue":
      case "Forbidden":
      case "OneOf": {
        for (const { message, path: inner } of format(issue).issues) {
          const where = [...path, ...(inner ?? []).map((part) => typeof part === "object" ? part.key : part)];
          lines.push(at(where, message.includes("<filter>") ? "is not valid" : lower(message)));
        }
      }
    }
  };
  visit(issue, []);
  return [...new Set(lines)];
};
