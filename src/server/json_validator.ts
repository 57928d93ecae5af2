/** Validation by JSON Schemas, which interprets them: nothing is compiled to code, so it also runs where that is forbidden. */
import * as Result from "effect/Result";
import { compile } from "./json_schema_keywords.ts";
import { exhausted, Run } from "./json_schema_run.ts";
import { small } from "./lines.ts";
import type { Sound } from "./raw_schema.ts";

/** What is wrong with a value, a line each; empty if it is valid. */
export type Validate = (value: unknown) => ReadonlyArray<string>;

/** A validator by a schema, kept from taking too much of time or stack. */
export const validator = (sound: Sound): Validate => {
  const { node, schemas } = compile(sound.schema, sound.target);
  /** Undefined where it takes too much. */
  const faults = (value: unknown, first: boolean): ReadonlyArray<string> | undefined => {
    const run = new Run(value, schemas, first);
    const result = Result.try(() => run.apply(node, value, undefined));
    if (Result.isSuccess(result)) return result.success ? [] : run.faults;
    if (result.failure === exhausted || result.failure instanceof RangeError) return undefined;
    throw result.failure;
  };
  return (value) => {
    const found = faults(value, true);
    if (found === undefined) return ["the value is nested too deeply, or takes too long to check"];
    if (found.length === 0) return [];
    return [...new Set((small(value) ? faults(value, false) : undefined) ?? found)];
  };
};
