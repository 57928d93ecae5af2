/**
 * Prompts: messages that a user picks by name and fills in with arguments.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect";
 * import * as Schema from "effect/Schema";
 * import { Prompt } from "@needful/mcp";
 *
 * const review = Prompt.make("review", {
 *   description: "Reviews code",
 *   args: Schema.Struct({ code: Schema.String, language: Schema.optionalKey(Schema.String) }),
 *   complete: { language: ["python", "typescript"] },
 *   handler: ({ code, language = "some language" }) => Effect.succeed(`Review this ${language}:\n\n${code}`),
 * });
 * ```
 *
 * @module
 */
import type * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import type * as Schema from "effect/Schema";
import type { InputRequired } from "../manual/input_required.ts";
import type { ContentBlock, PromptMessage } from "../model/content.ts";
import { block } from "./blocks.ts";
import { compile } from "./codec.ts";
import { type Completers, type CompleterServices, completion } from "./completion.ts";
import type { Errors } from "./failure.ts";
import type { Complete, Feature, PromptFeature } from "./feature.ts";
import { check, handlerFault, nameFault } from "./names.ts";
import { cannot, type CommonOptions, defined } from "./options.ts";
import { argumentsOf, decode, finish, type Messages } from "./prompt_reply.ts";

export type { InputRequired } from "../manual/input_required.ts";
export type { PromptMessage } from "../model/content.ts";
export type { Completer, Completers, CompleterServices, Context, Values } from "./completion.ts";
export { type Errors, Failure } from "./failure.ts";
export type { CommonOptions } from "./options.ts";
export type { Messages } from "./prompt_reply.ts";

/** A prompt; `R` is what its handler and its completions need, the client included. */
export interface Prompt<out R = never> extends PromptFeature {
  /** Runs the handler on arguments that `decode` read. */
  readonly handle: (input: unknown) => Effect.Effect<unknown, Errors, R>;
  /** Values for an argument; undefined where it completes none. */
  readonly complete: Complete<R> | undefined;
}

/** Any prompt. */
// deno-lint-ignore no-explicit-any -- the only argument that every prompt is assignable to
export type Any = Prompt<any>;

/** What a prompt needs. */
export type Services<T> = T extends Prompt<infer R> ? R : never;

/** What a prompt is made of. */
export interface Options<I, R, C> extends CommonOptions {
  /** The arguments: a struct whose fields are encoded as strings. Optional keys, titles and descriptions are listed. */
  readonly args?: Schema.Codec<I, { readonly [name: string]: string | undefined }>;
  /** Values for arguments while the user types. */
  readonly complete?: C & Completers<keyof I & string>;
  /**
   * Makes the messages; or returns `Manual.inputRequired`, and runs again when the client comes back. A `Failure` is
   * -32603 with its text.
   */
  readonly handler: (args: NoInfer<I>) => Effect.Effect<Messages | InputRequired, Errors, R>;
}

/** A message of the user. */
export const user = (content: string | ContentBlock): PromptMessage => ({
  role: "user",
  content: block(content) as ContentBlock,
});

/** A message of the assistant. */
export const assistant = (content: string | ContentBlock): PromptMessage => ({
  role: "assistant",
  content: block(content) as ContentBlock,
});

/**
 * Makes a prompt.
 *
 * Throws, naming the prompt, where its name is none or an argument is not encoded as a string.
 */
export const make = <R, I = Record<never, never>, const C extends Completers<keyof I & string> = Record<never, never>>(
  name: string,
  options: Options<I, R, C>,
): Prompt<R | CompleterServices<C>> => {
  check("prompt", name, nameFault(name) ?? handlerFault(options.handler));
  return Result.getOrThrowWith(
    Result.try((): Prompt<R | CompleterServices<C>> => {
      const codec = options.args === undefined ? undefined : compile(options.args);
      const known = codec === undefined ? [] : argumentsOf(codec.json);
      const complete: Feature["complete"] = completion(known.map((argument) => argument.name), options.complete);
      return {
        _tag: "Prompt",
        name,
        descriptor: defined({
          name,
          title: options.title,
          description: options.description,
          arguments: known.length === 0 ? undefined : known.map((argument) => argument.descriptor),
          icons: options.icons,
          _meta: options._meta,
        }),
        requires: options.requires ?? [],
        visible: options.visible,
        decode: (args) => decode(name, known, codec, args),
        handle: options.handler as Prompt<R>["handle"],
        finish: (exit) => finish(name, options.description, exit),
        complete,
      };
    }),
    (error) => cannot("prompt", name, error),
  );
};
