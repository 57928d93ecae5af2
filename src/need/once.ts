/** `Need.once`: a step that runs once in a flow. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { named } from "./build.ts";
import { Flow, type StepSchema } from "./flow.ts";

/** How both ends of a step that may fail are written and read. */
export interface OnceSchema<A, E> {
  /** For what the step gives. */
  readonly success: Schema.Codec<A, unknown>;
  /** For what it fails with. */
  readonly failure: Schema.Codec<E, unknown>;
}

/**
 * Runs `effect` once in the flow, as far as the client echoes the journal, and gives what its record says: in the first
 * round too, so that all rounds see the same.
 *
 * It runs uninterruptibly. Success, typed failure and defect (as text) are all remembered, so retries and time limits
 * belong inside. A step that may fail needs `{ success, failure }`. It cannot ask, use cells, register commits or go
 * again. `name` is unique in the flow; the effect finds it, with the flow's id, in `Need.flow`, so that a service can
 * dedupe what a crash inside of the round repeats.
 */
export function once<A, R>(
  name: string,
  effect: Effect.Effect<NoInfer<A>, never, R>,
  success: Schema.Codec<A, unknown>,
): Effect.Effect<A, never, R | Flow>;
/** As above, for a step that may fail. */
export function once<A, E, R>(
  name: string,
  effect: Effect.Effect<NoInfer<A>, NoInfer<E>, R>,
  schema: OnceSchema<A, E>,
): Effect.Effect<A, E, R | Flow>;
export function once<A, E, R>(
  name: string,
  effect: Effect.Effect<A, E, R>,
  schema: Schema.Codec<A, unknown> | OnceSchema<A, E>,
): Effect.Effect<A, E, R | Flow> {
  named("step", name);
  // Not by its members: the schema of a Result has `success` and `failure` too.
  const step = (Schema.isSchema(schema) ? { success: schema, failure: undefined } : schema) as StepSchema<A, E>;
  return Effect.flatMap(Flow, (flow) => flow.once(name, effect, step));
}
