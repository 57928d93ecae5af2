/** Validation by JSON Schemas, which interprets them: nothing is compiled to code, so it also runs where that is forbidden. */
import { type OutputUnit, type Schema, type ValidationResult, Validator } from "@cfworker/json-schema";
import * as Result from "effect/Result";
import { isRecord, type JsonRecord } from "../model/json.ts";
import { parts } from "./json_schema_parts.ts";
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

/** The value and all that is in it. */
const size = (value: unknown): number =>
  Array.isArray(value)
    ? value.reduce<number>((sum, element) => sum + size(element), 1)
    : isRecord(value)
    ? Object.values(value).reduce<number>((sum, member) => sum + size(member), 1)
    : 1;

/** How often parts of a schema may be applied for nothing: a tenth of a second, about. */
const spare = 100_000;

/** Thrown through the library by a meter that has run out. */
const exhausted = Symbol("exhausted");

/**
 * Counts how often a part of a schema is applied. Alternatives that share a part, and refer back to themselves below it,
 * are tried again for each other at every level: the time doubles with each, unless somebody counts.
 */
class Meter {
  #schemas = 0;
  #left = 0;

  /** Counts the applications of `schema` and of all that is in it, which the library begins by reading its keywords. */
  attach(schema: unknown): void {
    if (!isRecord(schema)) return;
    this.#schemas++;
    Object.defineProperty(schema, "$recursiveAnchor", {
      get: () => {
        if (--this.#left < 0) throw exhausted;
        return undefined;
      },
    });
    for (const part of parts(schema)) this.attach(part.schema);
  }

  /** Allows as much as applying every part of the schema to every part of `value`, and some more. */
  fill(value: unknown): void {
    this.#left = spare + this.#schemas * size(value);
  }
}

/** A validator of the library's, kept from taking too much of time or stack: then it gives undefined. */
const bounded = (text: string, shortCircuit: boolean): (value: unknown) => ValidationResult | undefined => {
  // The library writes its notes onto the schema that it is given.
  const schema = JSON.parse(text) as JsonRecord;
  const meter = new Meter();
  // Without references each part is applied to a part of the value once.
  if (text.includes('"$ref"')) meter.attach(schema);
  const validator = new Validator(schema as Schema, "2020-12", shortCircuit);
  return (value) => {
    meter.fill(value);
    const result = Result.try(() => validator.validate(value));
    if (Result.isSuccess(result)) return result.success;
    if (result.failure === exhausted || result.failure instanceof RangeError) return undefined;
    throw result.failure;
  };
};

/** A validator by `schema`, JSON Schema 2020-12, which has to be sound. */
export const validator = (schema: object): Validate => {
  const text = JSON.stringify(schema);
  const first = bounded(text, true);
  const all = bounded(text, false);
  const unique = text.includes('"uniqueItems"');
  return (value) => {
    if (unique && longest(value) > maxUnique) return [`a list has more than ${maxUnique} elements`];
    const result = first(value);
    if (result === undefined) return ["the value is nested too deeply, or takes too long to check"];
    if (result.valid) return [];
    return lines((small(value) ? all(value) : undefined)?.errors ?? result.errors);
  };
};
