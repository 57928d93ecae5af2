/** Tools. */
import type * as Effect from "effect/Effect";
import type { Errors } from "./failure.ts";
import type { ToolFeature } from "./feature.ts";

/** A tool; `R` is what its handler needs, the client included. */
export interface Tool<out R = never> extends ToolFeature {
  readonly handle: (input: unknown) => Effect.Effect<unknown, Errors, R>;
}

/** Any tool. */
// deno-lint-ignore no-explicit-any -- the only argument that every tool is assignable to
export type Any = Tool<any>;

/** What a tool needs. */
export type Services<T> = T extends Tool<infer R> ? R : never;
