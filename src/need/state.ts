/** `Need.state`: a value that outlives the rounds of a flow. */
import * as Effect from "effect/Effect";
import type * as Schema from "effect/Schema";
import { named } from "./build.ts";
import { type CellSpec, Flow } from "./flow.ts";

/** A named value of the flow. Writes of a round that suspends do not count: `again` commits them. */
export interface Cell<A> {
  /** The value as it stands in this pass; in an effect of `onCommit`, as the last pass left it. */
  readonly get: Effect.Effect<A, never, Flow>;
  /** Writes the value. */
  readonly set: (value: A) => Effect.Effect<void, never, Flow>;
  /** Atomic, unlike a `get` followed by a `set`. */
  readonly update: (change: (value: A) => A) => Effect.Effect<void, never, Flow>;
}

/**
 * A cell that keeps a value from pass to pass. A pass is the handler's run from its start to `again` or the end, over
 * any number of rounds; every round of a pass begins with the values that the pass began with, and `again` commits them.
 * `schema` writes and reads the value as JSON; the name is unique in the flow.
 */
export const state = <A>(
  name: string,
  options: { readonly schema: Schema.Codec<A, unknown>; readonly initial: NoInfer<A> },
): Cell<A> => {
  named("state", name);
  const cell: CellSpec<A> = { name, schema: options.schema, initial: options.initial };
  return {
    get: Effect.flatMap(Flow, (flow) => flow.get(cell)),
    set: (value) => Effect.flatMap(Flow, (flow) => flow.update(cell, () => value)),
    update: (change) => Effect.flatMap(Flow, (flow) => flow.update(cell, change)),
  };
};
