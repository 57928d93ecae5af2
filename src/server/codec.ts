/** Schemas of tools as they are used: published once, compiled once, run per call. */
import type * as Cause from "effect/Cause";
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import type * as SchemaIssue from "effect/SchemaIssue";
import * as SchemaParser from "effect/SchemaParser";
import { jsonFault, type JsonRecord } from "../model/json.ts";
import { publish } from "./publish.ts";
import { validator } from "./json_validator.ts";
import { issueLines, small } from "./lines.ts";
import { isJsonSchema, type JsonSchema, sound } from "./raw_schema.ts";

/** A schema as authors give it: of Effect, or a JSON Schema by `Tool.jsonSchema`. */
// deno-lint-ignore no-explicit-any -- the encoded side may be anything that turns out to be JSON
export type Source<A> = Schema.Codec<A, any> | JsonSchema<A>;

/** What became of a value. */
export type Outcome =
  | { readonly _tag: "Value"; readonly value: unknown }
  /** A line for each fault. */
  | { readonly _tag: "Invalid"; readonly lines: ReadonlyArray<string> }
  /** The schema itself failed. */
  | { readonly _tag: "Broken"; readonly cause: Cause.Cause<unknown> };

/** A compiled schema. */
export interface Codec {
  /** As it is published. */
  readonly json: JsonRecord;
  /** Reads JSON. */
  readonly read: (value: unknown) => Outcome;
  /** Writes JSON. */
  readonly write: (value: unknown) => Outcome;
}

const outcome = (exit: Exit.Exit<unknown, SchemaIssue.Issue>): Outcome => {
  if (Exit.isSuccess(exit)) return { _tag: "Value", value: exit.value };
  const [reason] = exit.cause.reasons;
  return reason?._tag === "Fail" && exit.cause.reasons.length === 1
    ? { _tag: "Invalid", lines: issueLines(reason.error) }
    : { _tag: "Broken", cause: exit.cause };
};

const written = (result: Outcome): Outcome => {
  if (result._tag !== "Value") return result;
  const fault = jsonFault(result.value);
  return fault === undefined ? result : { _tag: "Invalid", lines: [fault] };
};

const fromEffect = (source: Schema.Codec<unknown>): Codec => {
  const { json, schema } = publish(source);
  const codec = schema as Schema.Codec<unknown>;
  const decode = SchemaParser.decodeUnknownExit(codec);
  const encode = SchemaParser.encodeUnknownExit(codec);
  return {
    json,
    read: (value) => {
      const exit = decode(value);
      return outcome(Exit.isSuccess(exit) || !small(value) ? exit : decode(value, { errors: "all" }));
    },
    write: (value) => written(outcome(encode(value))),
  };
};

const fromJson = (source: JsonSchema<unknown>): Codec => {
  const schema = sound(source.schema);
  const validate = validator(schema);
  const read = (value: unknown): Outcome => {
    const lines = validate(value);
    return lines.length === 0 ? { _tag: "Value", value } : { _tag: "Invalid", lines };
  };
  return {
    json: schema.schema,
    read,
    write: (value) => {
      const result = written({ _tag: "Value", value });
      // What does not travel, members that are undefined, is not there for the schema either.
      return result._tag === "Value" ? read(JSON.parse(JSON.stringify(value))) : result;
    },
  };
};

/** Compiles a schema. Throws where it cannot be published. */
export const compile = (source: Source<unknown>): Codec => {
  if (isJsonSchema(source)) return fromJson(source);
  if (Schema.isSchema(source)) return fromEffect(source);
  throw new TypeError("it is neither an Effect Schema nor a JSON Schema by Tool.jsonSchema");
};
