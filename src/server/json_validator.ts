/** Validation by JSON Schemas, which interprets them: nothing is compiled to code, so it also runs where that is forbidden. */
import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { isRecord } from "../model/json.ts";
import { small } from "./lines.ts";

/** What is wrong with a value, a line each; empty if it is valid. */
export type Validate = (value: unknown) => ReadonlyArray<string>;

/** Lists with more elements are not compared for doubles, which takes time by the square of their number. */
const maxUnique = 2_000;

/** Keywords that only say that something inside is wrong. */
const outer = new Set(["$ref", "allOf", "items", "patternProperties", "prefixItems", "properties", "propertyNames"]);

const line = (unit: OutputUnit): string => {
  const path = unit.instanceLocation.split("/").slice(1)
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
  const what = unit.keyword === "false" ? "is not allowed" : unit.error.replace(/\.$/, "");
  return path === "" ? what : `${path}: ${what}`;
};

const lines = (units: ReadonlyArray<OutputUnit>): ReadonlyArray<string> => {
  const inner = units.filter((unit) => !outer.has(unit.keyword) && !unit.keyword.endsWith("Properties"));
  return [...new Set((inner.length > 0 ? inner : units).map(line))];
};

const longest = (value: unknown): number =>
  Array.isArray(value)
    ? value.reduce<number>((most, element) => Math.max(most, longest(element)), value.length)
    : isRecord(value)
    ? Object.values(value).reduce<number>((most, member) => Math.max(most, longest(member)), 0)
    : 0;

/** A validator by `schema`, JSON Schema 2020-12, which has to be sound. */
export const validator = (schema: object): Validate => {
  // The library writes its notes onto the schema that it is given.
  const text = JSON.stringify(schema);
  const first = new Validator(JSON.parse(text) as Schema, "2020-12", true);
  const all = new Validator(JSON.parse(text) as Schema, "2020-12", false);
  const unique = text.includes('"uniqueItems"');
  return (value) => {
    if (unique && longest(value) > maxUnique) return [`a list has more than ${maxUnique} elements`];
    const result = first.validate(value);
    if (result.valid) return [];
    return lines(small(value) ? all.validate(value).errors : result.errors);
  };
};
