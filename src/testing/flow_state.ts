/** What one call knows of itself in a test: the journal of a flow, in memory. */
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import type * as Effect from "effect/Effect";
import type { Capability } from "../model/capability.ts";
import type { Unanswerable } from "../need/errors.ts";
import type { Answer } from "./answer.ts";

/** An answer that a key got in this call. */
export interface Answered {
  readonly identity: string;
  readonly pass: number;
  readonly raw: Answer;
}

/** What one call knows of itself. */
export class FlowState {
  readonly id: string;
  readonly answers: Map<string, Answered> = new Map();
  // deno-lint-ignore no-explicit-any -- each step has its own types; `once` gives them back by name
  readonly steps: Map<string, Deferred.Deferred<any, any>> = new Map();
  /** Encoded, as at the start of the pass. */
  readonly cells: Map<string, unknown> = new Map();
  readonly commits: Array<Effect.Effect<void>> = [];
  pass = 1;
  /** Done when the pass ends with `again`; undefined where nobody would start the next. */
  again: Deferred.Deferred<undefined> | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Begins a pass: what the last one registered is dropped, what it wrote stays. */
  begin(): Deferred.Deferred<undefined> {
    this.commits.length = 0;
    return this.again = Deferred.makeUnsafe<undefined>();
  }
}

/** The call that a fiber belongs to; undefined outside of `run`. */
export const Current: Context.Reference<FlowState | undefined> = Context.Reference<FlowState | undefined>(
  "needful/testing/Current",
  { defaultValue: () => undefined },
);

/** The `once` step that a fiber is in. */
export const Step: Context.Reference<string | undefined> = Context.Reference<string | undefined>(
  "needful/testing/Step",
  { defaultValue: () => undefined },
);

/** What the client can be asked for. */
export const Supported: Context.Reference<(capability: Capability) => boolean> = Context.Reference<
  (capability: Capability) => boolean
>("needful/testing/Supported", { defaultValue: () => () => true });

/** Where `attempt` hears that a need cannot be asked. */
export const Boundary: Context.Reference<Deferred.Deferred<never, Unanswerable> | undefined> = Context.Reference<
  Deferred.Deferred<never, Unanswerable> | undefined
>("needful/testing/Boundary", { defaultValue: () => undefined });
