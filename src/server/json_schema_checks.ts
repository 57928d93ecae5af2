/** What the checks and annotations of an Effect Schema mean in JSON Schema. */
import * as Result from "effect/Result";
import type * as SchemaAST from "effect/SchemaAST";
import { isRecord, type JsonRecord } from "../model/json.ts";

/** A JSON Schema in the making. */
export type Draft = Record<string, unknown>;

/** Any check of a schema. */
export type AnyCheck = SchemaAST.Check<unknown>;

/** What a check says, and whether that is all that it says. */
interface Fragment {
  readonly json: JsonRecord;
  readonly exact: boolean;
}

type Export = (input: { readonly type: unknown; readonly schemas: ReadonlyArray<JsonRecord> }) => unknown;

const loose: Fragment = { json: {}, exact: false };

const number = (payload: JsonRecord, name: string): number | undefined => {
  const value = payload[name];
  return typeof value === "number" ? value : undefined;
};

const range = (min: string, max: string, low: number | undefined, high: number | undefined): Fragment => ({
  json: { ...(low === undefined ? {} : { [min]: low }), ...(high === undefined ? {} : { [max]: high }) },
  exact: true,
});

/** Whether a pattern means the same to a validator, which compiles it with the flag `u`. */
const portable = (source: string, flags: string): boolean =>
  (flags === "" || flags === "u") && Result.isSuccess(Result.try(() => new RegExp(source, "u")));

/**
 * The fragment of one check. Lengths of strings are published as the author wrote them, although JSON Schema counts code
 * points and Effect counts UTF-16 units; integers without the bounds of JavaScript's safe ones.
 */
const fragment = (
  check: AnyCheck,
  type: unknown,
  nested: (ast: SchemaAST.AST) => JsonRecord,
): ReadonlyArray<Fragment> => {
  const annotations = check.annotations;
  const representation = annotations?.["representation"];
  const { id, payload, schemas } = isRecord(representation) ? representation : {};
  const data = isRecord(payload) ? payload : {};
  if (type === "string") {
    switch (id) {
      case "effect/schema/isMinLength":
        return [range("minLength", "maxLength", number(data, "minLength"), undefined)];
      case "effect/schema/isMaxLength":
        return [range("minLength", "maxLength", undefined, number(data, "maxLength"))];
      case "effect/schema/isBetweenLength":
      case "effect/schema/isBetweenCodePoints":
        return [range("minLength", "maxLength", number(data, "minimum"), number(data, "maximum"))];
      case "effect/schema/isPattern": {
        const { flags, source } = data;
        if (typeof source !== "string" || typeof flags !== "string" || !portable(source, flags)) return [loose];
        return [{ json: { pattern: source }, exact: true }];
      }
    }
  }
  if (id === "effect/schema/isInt") return [{ json: { type: "integer" }, exact: true }];
  if (id === "effect/schema/isFinite") return [];
  const write = annotations?.["toJsonSchema"];
  if (typeof write === "function") {
    const result = (write as Export)({
      type,
      schemas: Array.isArray(schemas) ? schemas.map((ast: SchemaAST.AST) => nested(ast)) : [],
    });
    const json = Array.isArray(result) ? result[0] : result;
    if (!isRecord(json)) return [loose];
    const pattern = json["pattern"];
    if (typeof pattern === "string" && !portable(pattern, "")) return [loose];
    return [{ json, exact: !Array.isArray(result) }];
  }
  return check._tag === "FilterGroup" ? check.checks.flatMap((part) => fragment(part, type, nested)) : [loose];
};

const lower = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upper = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/** Adds the keywords of `json` to `draft`, so that both hold. */
const add = (draft: Draft, json: JsonRecord): void => {
  for (const [keyword, value] of Object.entries(json)) {
    const there = draft[keyword];
    if (there === undefined) draft[keyword] = value;
    else if (keyword === "type") draft[keyword] = value === "integer" ? value : there;
    else if (keyword === "allOf" && Array.isArray(there) && Array.isArray(value)) draft[keyword] = [...there, ...value];
    else if (typeof there === "number" && typeof value === "number" && lower.includes(keyword)) {
      draft[keyword] = Math.max(there, value);
    } else if (typeof there === "number" && typeof value === "number" && upper.includes(keyword)) {
      draft[keyword] = Math.min(there, value);
    } else if (there !== value) {
      const all = draft["allOf"];
      draft["allOf"] = [...(Array.isArray(all) ? all : []), { [keyword]: value }];
    }
  }
};

/** Adds what `checks` say. False if they say more than JSON Schema can. */
export const addChecks = (
  draft: Draft,
  checks: ReadonlyArray<AnyCheck>,
  nested: (ast: SchemaAST.AST) => JsonRecord,
): boolean => {
  let exact = true;
  for (const check of checks) {
    for (const part of fragment(check, draft["type"] === "integer" ? "number" : draft["type"], nested)) {
      add(draft, part.json);
      exact &&= part.exact;
    }
  }
  return exact;
};

const texts = ["title", "description", "format", "contentEncoding", "contentMediaType"];
const flags = ["readOnly", "writeOnly", "deprecated"];

const isJson = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isJson);
  if (isRecord(value)) return Object.values(value).every(isJson);
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
};

/** The annotations that JSON Schema has words for, and those that begin with `x-`. */
const keywords = (annotations: JsonRecord | undefined): JsonRecord =>
  Object.fromEntries(
    Object.entries(annotations ?? {}).filter(([keyword, value]) =>
      texts.includes(keyword)
        ? typeof value === "string"
        : flags.includes(keyword)
        ? typeof value === "boolean"
        : (keyword === "default" || keyword === "examples" || keyword.startsWith("x-")) && isJson(value)
    ),
  );

/** All that the author wrote on `ast` itself, with or without checks in between. */
export const notes = (ast: SchemaAST.AST): JsonRecord => {
  const written = (check: AnyCheck): ReadonlyArray<JsonRecord> => [
    ...(check._tag === "FilterGroup" ? check.checks.flatMap(written) : []),
    keywords(check.annotations),
  ];
  return Object.assign({}, keywords(ast.annotations), ...(ast.checks ?? []).flatMap(written));
};

/** What the author wrote on the key, not on its value. */
export const keyNotes = (ast: SchemaAST.AST): JsonRecord => keywords(ast.context?.annotations);
