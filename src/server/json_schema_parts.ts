/** The parts of a JSON Schema: which of its members are schemas themselves, and which are data. */
import { isRecord, type JsonRecord } from "../model/json.ts";

/** A subschema, by the keyword that it stands under. */
export interface Part {
  readonly keyword: string;
  /** Name of the property, definition or pattern, or index in the list. */
  readonly name: string | undefined;
  readonly schema: unknown;
}

const single = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];

const lists = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];

const maps = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

/** The keywords whose schemas apply to the same value as the schema that they stand in. */
export const inPlace: ReadonlyArray<string> = [
  "allOf",
  "anyOf",
  "dependentSchemas",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
];

/** The subschemas of `schema`, one level down. */
export const parts = (schema: JsonRecord): ReadonlyArray<Part> =>
  Object.entries(schema).flatMap(([keyword, value]): ReadonlyArray<Part> => {
    if (Array.isArray(value)) {
      return lists.includes(keyword)
        ? value.map((schema: unknown, index) => ({ keyword, name: String(index), schema }))
        : [];
    }
    if (maps.includes(keyword)) {
      return isRecord(value) ? Object.entries(value).map(([name, schema]) => ({ keyword, name, schema })) : [];
    }
    return single.includes(keyword) ? [{ keyword, name: undefined, schema: value }] : [];
  });
