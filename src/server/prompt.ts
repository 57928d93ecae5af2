/** Prompts. */
import type * as Effect from "effect/Effect";
import type { Fault } from "../model/fault.ts";
import type { CompletionReply } from "../model/reply.ts";
import type { Errors } from "./failure.ts";
import type { PromptFeature } from "./feature.ts";

/** A prompt; `R` is what its handler and its completions need, the client included. */
export interface Prompt<out R = never> extends PromptFeature {
  readonly handle: (input: unknown) => Effect.Effect<unknown, Errors, R>;
  readonly complete:
    | ((
      argument: string,
      value: string,
      context: { readonly [argument: string]: string },
    ) => Effect.Effect<CompletionReply | Fault, never, R>)
    | undefined;
}

/** Any prompt. */
// deno-lint-ignore no-explicit-any -- the only argument that every prompt is assignable to
export type Any = Prompt<any>;

/** What a prompt needs. */
export type Services<T> = T extends Prompt<infer R> ? R : never;
