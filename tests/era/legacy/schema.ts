/**
 * The official schemas of the older revisions. They lie beside the clone; where they do not, those of the official package
 * stand in, which hold for all revisions at once.
 */
import { existsSync, readFileSync } from "node:fs";
import { type Schema, Validator } from "@cfworker/json-schema";
import * as Core from "@modelcontextprotocol/core";

interface Definition {
  readonly properties?: { readonly [name: string]: unknown };
}

interface Document {
  readonly $schema: string;
  readonly definitions?: { readonly [name: string]: Definition };
  readonly $defs?: { readonly [name: string]: Definition };
}

const fileOf = (revision: string): URL => new URL(`../../../../shared/spec/${revision}/schema.json`, import.meta.url);

const documents = new Map<string, Document>();

/** The schema of a revision; undefined where it does not lie beside the clone. */
const documentOf = (revision: string): Document | undefined => {
  const known = documents.get(revision);
  if (known !== undefined || !existsSync(fileOf(revision))) return known;
  const document = JSON.parse(readFileSync(fileOf(revision), "utf8")) as Document;
  documents.set(revision, document);
  return document;
};

/** The members that a definition lists; undefined where the schema is not there, or has no such definition. */
export const members = (revision: string, definition: string): ReadonlyArray<string> | undefined => {
  const document = documentOf(revision);
  const found = (document?.definitions ?? document?.$defs)?.[definition];
  return found?.properties === undefined ? undefined : Object.keys(found.properties).sort();
};

/** Names that changed from one revision to the next. */
const names: ReadonlyArray<readonly [older: string, newer: string]> = [
  ["JSONRPCError", "JSONRPCErrorResponse"],
  ["JSONRPCResponse", "JSONRPCResultResponse"],
];

const nameIn = (definitions: object, name: string): string => {
  const other = names.find((pair) => pair.includes(name))?.find((one) => Object.hasOwn(definitions, one));
  return Object.hasOwn(definitions, name) ? name : other ?? name;
};

const byDocument = (document: Document, name: string, value: unknown): ReadonlyArray<string> => {
  const [keyword, draft] = document.definitions === undefined
    ? ["$defs", "2020-12"] as const
    : ["definitions", "7"] as const;
  const definitions = document[keyword] ?? {};
  const known = nameIn(definitions, name);
  if (!Object.hasOwn(definitions, known)) return [`The schema has no definition ${name}`];
  const schema = { [keyword]: definitions, $ref: `#/${keyword}/${known}` } as Schema;
  return new Validator(structuredClone(schema), draft, false).validate(value).errors
    .map(({ error, instanceLocation }) => `${name} ${instanceLocation}: ${error}`);
};

interface Parser {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly error?: { readonly message: string } };
}

const byPackage = (name: string, value: unknown): ReadonlyArray<string> => {
  const parsers = Core as unknown as { readonly [name: string]: Parser };
  const parser = parsers[`${name}Schema`] ?? parsers[`${names.find((pair) => pair.includes(name))?.[1]}Schema`];
  if (parser === undefined) return [`The package has no schema ${name}`];
  const parsed = parser.safeParse(value);
  return parsed.success ? [] : [`${name}: ${parsed.error?.message}`];
};

/** What is wrong with `value` by the definition `name`; empty if it is valid. */
export const faults = (revision: string, name: string, value: unknown): ReadonlyArray<string> => {
  const document = documentOf(revision);
  return document === undefined ? byPackage(name, value) : byDocument(document, name, value);
};
