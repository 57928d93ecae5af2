/** Effect schemas as forms: a walk over the encoded side of the schema and its checks. */
import type * as Schema from "effect/Schema";
import * as AST from "effect/SchemaAST";
import type { FormField, FormSchema } from "../../model/question.ts";
import { cannotBuild } from "../build.ts";
import { boundsOf } from "./bounds.ts";
import { docsOf } from "./docs.ts";
import { fieldProblem } from "./literal.ts";
import { choiceOf, type Option, without } from "./options.ts";

/** Sets an own member, whatever its name is. */
const put = (record: object, name: string, value: unknown): void => {
  Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true });
};

const unsupported = (ast: AST.AST): string => {
  switch (ast._tag) {
    case "Objects":
      return ast.indexSignatures.length > 0 ? "is a record" : "is an object";
    case "Suspend":
      return "is recursive";
    case "Literal":
      return `is the literal ${String(ast.literal)}, which is no text`;
    case "Enum":
      return "is an enum whose values are not texts";
    case "Null":
      return "is null";
    case "Declaration":
      return "is not JSON on its encoded side";
    case "Union":
      return ast.types.some((member) => member._tag === "Null") ? "may be null" : "is a union";
  }
  return `is ${ast._tag.toLowerCase()}, which forms do not have`;
};

const single = (options: ReadonlyArray<Option>): FormField =>
  options.some((option) => option.title !== undefined)
    ? { type: "string", oneOf: options.map(({ title, value }) => ({ const: value, title: title ?? value })) }
    : { type: "string", enum: options.map(({ value }) => value) };

const multiple = (options: ReadonlyArray<Option>): FormField =>
  options.some((option) => option.title !== undefined)
    ? { type: "array", items: { anyOf: options.map(({ title, value }) => ({ const: value, title: title ?? value })) } }
    : { type: "array", items: { type: "string", enum: options.map(({ value }) => value) } };

/** The field without its bounds and texts; or why there is none. */
const bare = (ast: AST.AST, wire: AST.AST): FormField | string => {
  const options = choiceOf(ast) ?? choiceOf(wire);
  if (options !== undefined) return single(options);
  switch (wire._tag) {
    case "String":
    case "TemplateLiteral":
      return { type: "string" };
    case "Number":
      return { type: "number" };
    case "Boolean":
      return { type: "boolean" };
    case "Arrays": {
      const list = ast._tag === "Arrays" && ast.encoding === undefined ? ast : wire;
      const [first, ...others] = list.elements;
      // A list that is not empty has its first item twice: as the one that must be there, and as any other.
      const uniform = others.length === 0 && (first === undefined || first === list.rest[0]);
      if (!uniform || list.rest.length !== 1) return "is a tuple";
      const each = choiceOf(list.rest[0]!);
      return each === undefined ? "is a list without fixed options" : multiple(each);
    }
  }
  return unsupported(wire);
};

/** The field of a property, whose decoded side is `ast`; or why there is none. */
const fieldOf = (ast: AST.AST): FormField | string => {
  const optional = AST.isOptional(AST.toEncoded(ast));
  const inner = without(ast, optional);
  const wire = without(AST.toEncoded(ast), optional);
  const field = bare(inner, wire);
  if (typeof field === "string") return field;
  const docs = docsOf(ast, inner);
  if (typeof docs === "string") return docs;
  const { format, ...rest } = docs;
  const bounds = field["enum"] === undefined && field["oneOf"] === undefined ? boundsOf(wire) : {};
  const formatted = format !== undefined && field.type === "string" && field["enum"] === undefined &&
    field["oneOf"] === undefined;
  return { ...field, ...bounds, ...(formatted ? { format } : {}), ...rest };
};

/** The end of a schema's encodings: its properties have the names that the wire has. */
const wireEnd = (ast: AST.AST): AST.AST => ast.encoding === undefined ? ast : wireEnd(ast.encoding.at(-1)!.to);

/** The form of an Effect schema. Throws what `cannotBuild` gives, with the field's name, if the protocol has no such form. */
export const fromSchema = (schema: Schema.Constraint, what: string): FormSchema => {
  const end = wireEnd(schema.ast);
  if (end._tag !== "Objects") throw cannotBuild(what, `its schema ${unsupported(end)}, not a struct`);
  if (end.indexSignatures.length > 0) throw cannotBuild(what, "its schema is a record, not a struct");
  const properties: { [name: string]: FormField } = {};
  const required: Array<string> = [];
  for (const { name, type } of end.propertySignatures) {
    if (typeof name === "symbol") throw cannotBuild(what, `field ${String(name)} has no name on the wire`);
    const field = fieldOf(type);
    const problem = typeof field === "string" ? field : fieldProblem(field);
    if (problem !== undefined) throw cannotBuild(what, `field "${String(name)}" ${problem}`);
    put(properties, String(name), field);
    if (!AST.isOptional(AST.toEncoded(type))) required.push(String(name));
  }
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
};
