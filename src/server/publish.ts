/** Schemas as they are published: the JSON Schema, and the codec that agrees with it. */
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { isRecord, type JsonRecord } from "../model/json.ts";
import { toJsonSchema } from "./json_schema.ts";

/** A schema as it is published, and as it decodes: some schemas need their canonical JSON codec for it. */
export interface Published {
  readonly json: JsonRecord;
  readonly schema: Schema.Top;
}

/** Publishes `schema`. Throws where it has no JSON form, naming the field. */
export const publish = (schema: Schema.Top): Published => {
  const plain = Result.try(() => toJsonSchema(schema));
  if (Result.isSuccess(plain)) return { json: plain.success, schema };
  // Dates, bigints and the like have a JSON form by Effect's canonical codec.
  const canonical = Result.try(() => {
    const codec = Schema.toCodecJson(schema);
    return { json: toJsonSchema(codec), schema: codec };
  });
  if (Result.isSuccess(canonical)) return canonical.success;
  throw plain.failure;
};

/** References that are followed to find out whether a schema is one of objects. */
const maxReferences = 100;

/** Whether an object can be valid by the schema `json` inside of `root`. */
const takesObjects = (json: unknown, root: JsonRecord, depth = 0): boolean => {
  if (!isRecord(json) || depth > maxReferences) return json === true;
  const { $ref: reference } = json;
  if (typeof reference === "string") {
    const definitions = root["$defs"];
    const name = reference.slice("#/$defs/".length);
    return isRecord(definitions) && takesObjects(definitions[name], root, depth + 1);
  }
  const types = json["type"];
  if (types !== undefined) return types === "object" || (Array.isArray(types) && types.includes("object"));
  if ("enum" in json || "const" in json) return false;
  const members = json["anyOf"] ?? json["oneOf"];
  return !Array.isArray(members) || members.some((member) => takesObjects(member, root, depth + 1));
};

/** `json` with `type: "object"` at its root, as the inputs of tools have to have it; undefined if no object is valid. */
export const rooted = (json: JsonRecord): JsonRecord | undefined => {
  if (!takesObjects(json, json)) return undefined;
  const { $defs: definitions, $ref: reference, type: _, ...rest } = json;
  const name = typeof reference === "string" ? reference.slice("#/$defs/".length) : undefined;
  const body = name !== undefined && isRecord(definitions) ? definitions[name] : undefined;
  const { type: __, ...inlined } = isRecord(body) ? body : {};
  return { type: "object", ...inlined, ...rest, ...(definitions === undefined ? {} : { $defs: definitions }) };
};
