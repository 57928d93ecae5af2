/**
 * Tools: what a model may call.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect";
 * import * as Schema from "effect/Schema";
 * import { Tool } from "@needful/mcp";
 *
 * const divide = Tool.make("divide", {
 *   description: "Divides one number by another",
 *   input: Schema.Struct({ dividend: Schema.Finite, divisor: Schema.Finite }),
 *   output: Schema.Struct({ quotient: Schema.Finite }),
 *   handler: Effect.fn(function* ({ dividend, divisor }) {
 *     if (divisor === 0) return yield* Tool.fail("The divisor must not be zero");
 *     return { quotient: dividend / divisor };
 *   }),
 * });
 * ```
 *
 * @module
 */
import type * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type * as Schema from "effect/Schema";
import type { InputRequired } from "../manual/input_required.ts";
import type { JsonRecord } from "../model/json.ts";
import { type Codec, compile, type Source } from "./codec.ts";
import type { Content } from "./content.ts";
import { type Errors, Failure } from "./failure.ts";
import type { ToolFeature } from "./feature.ts";
import { headerKeyword, headerParameters } from "./header_params.ts";
import { rooted } from "./publish.ts";
import { check, handlerFault, toolNameFault } from "./names.ts";
import { cannot, type CommonOptions, defined } from "./options.ts";
import { isJsonSchema, type JsonSchema } from "./raw_schema.ts";
import { decodeArguments, finish, type ToolResult } from "./tool_reply.ts";

export type { InputRequired } from "../manual/input_required.ts";
export type { Content } from "./content.ts";
export { type Errors, Failure } from "./failure.ts";
export type { CommonOptions } from "./options.ts";
export type { JsonSchema } from "./raw_schema.ts";
export type { Source } from "./codec.ts";
export { result, type ResultOptions, type ToolResult } from "./tool_reply.ts";

/** A tool; `R` is what its handler needs, the client included. */
export interface Tool<out R = never> extends ToolFeature {
  /** Runs the handler on arguments that `decode` read. */
  readonly handle: (input: unknown) => Effect.Effect<unknown, Errors, R>;
}

/** Any tool. */
// deno-lint-ignore no-explicit-any -- the only argument that every tool is assignable to
export type Any = Tool<any>;

/** What a tool needs. */
export type Services<T> = T extends Tool<infer R> ? R : never;

/** Hints about what a tool does; clients must not trust them. */
export interface Annotations {
  /** For people; the tool's own `title` goes first. */
  readonly title?: string;
  /** It changes nothing. */
  readonly readOnlyHint?: boolean;
  /** It may destroy something, not only add to it. */
  readonly destructiveHint?: boolean;
  /** Calling it again with the same arguments does nothing more. */
  readonly idempotentHint?: boolean;
  /** It reaches out of a closed world, like a search of the web does. */
  readonly openWorldHint?: boolean;
}

/** What a tool is made of. */
export interface Options<I, A, R> extends CommonOptions {
  /**
   * The arguments: an Effect Schema of an object, or a JSON Schema by `jsonSchema`. Absent: none are read. The
   * alternatives of a recursive union need a tag, a literal of the same name in each: without one, each is tried at every
   * level, and a deep value takes very long.
   */
  readonly input?: Source<I>;
  /** Of the structured result. With it every success must have one that is valid. */
  readonly output?: Source<A>;
  /** Hints for clients. */
  readonly annotations?: Annotations;
  /**
   * Does the work. Text and content are for the model; with `output`, a value of its type is the structured result and
   * its JSON the text. A `Failure` is an error result with its text; an unanswered question one that says so. Or it
   * returns `Manual.inputRequired`, and runs again when the client comes back.
   */
  readonly handler: (
    input: NoInfer<I>,
  ) => Effect.Effect<NoInfer<A> | Content | ToolResult<NoInfer<A>> | InputRequired, Errors, R>;
}

const noInput: Codec = {
  json: { type: "object", properties: {} },
  read: () => ({ _tag: "Value", value: {} }),
  write: () => ({ _tag: "Value", value: {} }),
};

const inputOf = (source: Source<unknown> | undefined): Codec => {
  if (source === undefined) return noInput;
  const codec = compile(source);
  const json = isJsonSchema(source) ? codec.json["type"] === "object" ? codec.json : undefined : rooted(codec.json);
  if (json === undefined) throw new TypeError("the schema is not one of objects");
  return { ...codec, json };
};

const attempt = <A>(name: string, what: string, run: () => A): A =>
  Result.getOrThrowWith(
    Result.try(run),
    (error) => cannot("tool", name, `${what}: ${error instanceof Error ? error.message : error}`),
  );

/**
 * Makes a tool.
 *
 * Throws, naming the tool, where its name, a schema or a header parameter is not one that clients can use
 * (2026-07-28, server/tools).
 */
export const make = <R, I = Record<never, never>, A = never>(name: string, options: Options<I, A, R>): Tool<R> => {
  check("tool", name, toolNameFault(name) ?? handlerFault(options.handler));
  const input = attempt(name, "its input cannot be published", () => inputOf(options.input));
  const headers = attempt(name, "its input cannot be published", () => headerParameters(input.json));
  const output = attempt(
    name,
    "its output cannot be published",
    () => options.output === undefined ? undefined : compile(options.output),
  );
  return {
    _tag: "Tool",
    name,
    descriptor: defined({
      name,
      title: options.title,
      description: options.description,
      inputSchema: input.json,
      outputSchema: output?.json,
      annotations: options.annotations,
      icons: options.icons,
      _meta: options._meta,
    }),
    requires: options.requires ?? [],
    visible: options.visible,
    headers,
    decode: (args) => decodeArguments(name, input, args),
    handle: options.handler as Tool<R>["handle"],
    finish: (exit) => finish(name, output, exit),
    complete: undefined,
  };
};

/** A failure of a tool, a prompt or a resource, with the text that the client sees. It can be yielded. */
export const fail = (text: string): Failure => new Failure({ text });

/** For `Effect.mapError`: makes a failure of an error of the author's own. */
export const failWith = <E>(text: (error: E) => string): (error: E) => Failure => (error) => fail(text(error));

/**
 * A JSON Schema 2020-12 as an input or an output: listed word for word, and checked on every value.
 *
 * `A` is the author's word for what is valid by it. Making a tool with it throws where the schema is of another
 * dialect, has a reference that leads out of it or nowhere, or is too deep or too large.
 *
 * Formats of 2020-12 are asserted, except `regex` and those of international names (`idn-…`, `iri…`), which are notes. A
 * value that is nested too deeply for the stack, or takes too long, is refused like one that is not valid: alternatives
 * that refer back to themselves are tried again for each other at every level. How long a `pattern` takes is not bounded.
 */
export const jsonSchema = <A = JsonRecord>(schema: JsonRecord): JsonSchema<A> => ({
  "~needful/server/JsonSchema": (_: never): A => _,
  schema,
});

/**
 * Marks a field of an input, a string, an integer or a boolean: clients mirror it into the header `Mcp-Param-<name>`,
 * where proxies can see it. Not for secrets.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema";
 * import { Tool } from "@needful/mcp";
 *
 * const input = Schema.Struct({ region: Schema.String.pipe(Tool.header("Region")), query: Schema.String });
 * ```
 */
export const header = (name: string): <S extends Schema.Top>(schema: S) => S["Rebuild"] => (schema) =>
  schema.annotate({ [headerKeyword]: name });
