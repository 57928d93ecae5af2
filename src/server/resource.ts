/** Resources and resource templates. */
import type * as Effect from "effect/Effect";
import type { Fault } from "../model/fault.ts";
import type { CompletionReply } from "../model/reply.ts";
import type { Errors, NotFound } from "./failure.ts";
import type { ResourceFeature, TemplateFeature } from "./feature.ts";

/** A resource with a fixed URI; `R` is what its handler needs, the client included. */
export interface Resource<out R = never> extends ResourceFeature {
  readonly handle: (input: unknown) => Effect.Effect<unknown, Errors | NotFound, R>;
}

/** Resources by a URI template; `R` is what its handler and its completions need, the client included. */
export interface Template<out R = never> extends TemplateFeature {
  readonly handle: (input: unknown) => Effect.Effect<unknown, Errors | NotFound, R>;
  readonly complete:
    | ((
      argument: string,
      value: string,
      context: { readonly [argument: string]: string },
    ) => Effect.Effect<CompletionReply | Fault, never, R>)
    | undefined;
}

/** Any resource or template. */
// deno-lint-ignore no-explicit-any -- the only argument that every resource is assignable to
export type Any = Resource<any> | Template<any>;

/** What a resource or a template needs. */
export type Services<T> = T extends Resource<infer R> ? R : T extends Template<infer R> ? R : never;
