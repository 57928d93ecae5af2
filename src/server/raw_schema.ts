/** JSON Schemas written by hand: what they may be, so that nothing about them is found out only when a call comes in. */
import * as Result from "effect/Result";
import type * as Types from "effect/Types";
import { isRecord, type JsonRecord } from "../model/json.ts";
import { inPlace, type Part, parts } from "./json_schema_parts.ts";

/** A JSON Schema 2020-12 by which values of the type `A` are valid; the type is the author's word. */
export interface JsonSchema<out A> {
  readonly "~needful/server/JsonSchema": Types.Covariant<A>;
  readonly schema: JsonRecord;
}

/** Whether `value` is a schema written by hand. */
export const isJsonSchema = (value: unknown): value is JsonSchema<unknown> =>
  isRecord(value) && Object.hasOwn(value, "~needful/server/JsonSchema");

const maxDepth = 64;
const maxSize = 10_000;

const dialects: ReadonlyArray<unknown> = [
  "https://json-schema.org/draft/2020-12/schema",
  "https://json-schema.org/draft/2020-12/schema#",
];

const types: ReadonlyArray<unknown> = ["array", "boolean", "integer", "null", "number", "object", "string"];

const isStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((element) => typeof element === "string");

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

const isSchema = (value: unknown): boolean => typeof value === "boolean" || isRecord(value);

const isPattern = (value: unknown): boolean =>
  typeof value === "string" && Result.isSuccess(Result.try(() => new RegExp(value, "u")));

/** What the values of keywords must look like for the validator to make sense of them. */
const shapes: { readonly [keyword: string]: (value: unknown) => boolean } = {
  type: (value) => types.includes(value) || (Array.isArray(value) && value.every((type) => types.includes(type))),
  enum: Array.isArray,
  required: isStrings,
  pattern: isPattern,
  format: (value) => typeof value === "string",
  multipleOf: (value) => Number.isFinite(value) && (value as number) > 0,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  exclusiveMinimum: Number.isFinite,
  exclusiveMaximum: Number.isFinite,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minContains: isCount,
  maxContains: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  uniqueItems: (value) => typeof value === "boolean",
  dependentRequired: (value) => isRecord(value) && Object.values(value).every(isStrings),
  patternProperties: (value) => isRecord(value) && Object.keys(value).every(isPattern),
  properties: isRecord,
  dependentSchemas: isRecord,
  $defs: isRecord,
  definitions: isRecord,
  allOf: Array.isArray,
  anyOf: Array.isArray,
  oneOf: Array.isArray,
  prefixItems: Array.isArray,
  items: isSchema,
  $anchor: (value) => typeof value === "string",
};

/** Keywords that point somewhere by rules that the validator does not follow. */
const unsupported = ["$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "dependencies"];

const escape = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

const place = (at: string, part: Part): string =>
  part.name === undefined ? `${at}/${part.keyword}` : `${at}/${part.keyword}/${escape(part.name)}`;

/** All schemas in `root` by their places. */
const collect = (root: JsonRecord): ReadonlyMap<string, unknown> => {
  const found = new Map<string, unknown>();
  const visit = (schema: unknown, at: string, depth: number): void => {
    if (!isSchema(schema)) throw new TypeError(`what stands at "${at}" is no schema`);
    if (depth > maxDepth) throw new TypeError(`it is nested over ${maxDepth} levels`);
    found.set(at, schema);
    if (found.size > maxSize) throw new TypeError(`it has over ${maxSize} subschemas`);
    if (!isRecord(schema)) return;
    if (at !== "#" && ("$id" in schema || "$schema" in schema)) {
      throw new TypeError(`"${at}" is a schema document of its own, by "$id" or "$schema"`);
    }
    for (const [keyword, value] of Object.entries(schema)) {
      if (unsupported.includes(keyword)) throw new TypeError(`"${keyword}" at "${at}" is not supported`);
      const shape = Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined;
      if (shape !== undefined && !shape(value)) throw new TypeError(`"${keyword}" at "${at}" is malformed`);
    }
    for (const part of parts(schema)) visit(part.schema, place(at, part), depth + 1);
  };
  visit(root, "#", 0);
  return found;
};

const decode = (reference: string): string =>
  Result.getOrElse(Result.try(() => decodeURIComponent(reference)), () => reference);

/** Gives the schema that a reference leads to, if there is one. */
const targets = (found: ReadonlyMap<string, unknown>): Sound["target"] => {
  const anchored = [...found.values()].filter(isRecord).filter((schema) => "$anchor" in schema);
  const anchors = new Map(anchored.map((schema) => [`#${schema["$anchor"]}`, schema]));
  return (reference) => found.get(decode(reference)) ?? anchors.get(decode(reference));
};

/** Checks that every reference leads somewhere, and that none leads back to itself without going into the value. */
const resolve = (found: ReadonlyMap<string, unknown>, target: Sound["target"]): void => {
  const follow = (reference: unknown, at: string): unknown => {
    if (typeof reference !== "string" || !reference.startsWith("#")) {
      throw new TypeError(`the reference ${JSON.stringify(reference)} at "${at}" leads out of the schema`);
    }
    const schema = target(reference);
    if (schema === undefined) throw new TypeError(`the reference "${reference}" at "${at}" leads nowhere`);
    return schema;
  };
  const weights = new Map<unknown, number>();
  const weigh = (schema: unknown, at: string): number => {
    if (!isRecord(schema)) return 1;
    const known = weights.get(schema);
    if (known === 0) throw new TypeError(`the reference at "${at}" leads back to itself`);
    if (known !== undefined) return known;
    weights.set(schema, 0);
    let weight = 1;
    if ("$ref" in schema) weight += weigh(follow(schema["$ref"], at), at);
    for (const part of parts(schema)) {
      if (inPlace.includes(part.keyword)) weight += weigh(part.schema, place(at, part));
    }
    if (weight > maxSize) throw new TypeError(`it applies over ${maxSize} subschemas to one value`);
    weights.set(schema, weight);
    return weight;
  };
  for (const [at, schema] of found) weigh(schema, at);
};

/** A schema that is sound. */
export interface Sound {
  readonly schema: JsonRecord;
  /** Gives the schema in it that a reference leads to. */
  readonly target: (reference: string) => unknown;
}

/** A copy of `schema` with the same text, checked. Throws where it is not sound, or not what is supported. */
export const sound = (schema: JsonRecord): Sound => {
  const text = Result.try(() => JSON.stringify(schema));
  if (!isRecord(schema) || Result.isFailure(text)) throw new TypeError("it is no JSON object");
  const copy = JSON.parse(text.success) as JsonRecord;
  if ("$schema" in copy && !dialects.includes(copy["$schema"])) {
    throw new TypeError(`the dialect ${JSON.stringify(copy["$schema"])} is not supported, only JSON Schema 2020-12 is`);
  }
  const found = collect(copy);
  const target = targets(found);
  resolve(found, target);
  return { schema: copy, target };
};
