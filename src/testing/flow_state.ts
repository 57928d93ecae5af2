/** What one call knows of itself in a test: the journal of a flow, in memory. */
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Semaphore from "effect/Semaphore";
import type { Capability } from "../model/capability.ts";
import type { Unanswerable } from "../need/errors.ts";
import type { Answer } from "./answer.ts";

/** A question that was reached under a key. */
export interface Reached {
  readonly identity: string;
  /** The last pass that reached it. */
  pass: number;
  /** Undefined until it is answered. */
  raw: Answer | undefined;
  /** Lets one fiber ask at a time. */
  readonly lock: Semaphore.Semaphore;
}

/** What one call knows of itself. */
export class FlowState {
  readonly id: string;
  readonly reached: Map<string, Reached> = new Map();
  // deno-lint-ignore no-explicit-any -- each step has its own types; `once` gives them back by name
  readonly steps: Map<string, Deferred.Deferred<any, any>> = new Map();
  /** Encoded, as at the start of the pass. */
  readonly cells: Map<string, unknown> = new Map();
  readonly commits: Array<Effect.Effect<void>> = [];
  pass = 1;
  /** Done when the pass ends with `again`; undefined where nobody would start the next. */
  again: Deferred.Deferred<undefined> | undefined;
  /** The rule of needs that the handler broke: the call ends with it, whatever else happens. */
  fault: string | undefined;
  /** Done when there is a fault. */
  readonly broken: Deferred.Deferred<never> = Deferred.makeUnsafe<never>();

  constructor(id: string) {
    this.id = id;
  }

  /** Begins a pass: what the last one registered is dropped, what it wrote stays. */
  begin(): Deferred.Deferred<undefined> {
    this.commits.length = 0;
    return this.again = Deferred.makeUnsafe<undefined>();
  }

  /** The question under a key in this pass; undefined where the key stands for another one. */
  reach(key: string, identity: string): Reached | undefined {
    const known = this.reached.get(key);
    if (known?.identity === identity) {
      known.pass = this.pass;
      return known;
    }
    if (known?.pass === this.pass) return undefined;
    const reached: Reached = { identity, pass: this.pass, raw: undefined, lock: Semaphore.makeUnsafe(1) };
    this.reached.set(key, reached);
    return reached;
  }
}

/** The call that a fiber belongs to; undefined outside of `run`. */
export const Current: Context.Reference<FlowState | undefined> = Context.Reference<FlowState | undefined>(
  "needful/testing/Current",
  { defaultValue: () => undefined },
);

/** A `once` step that runs. */
export interface RunningStep {
  readonly name: string;
  readonly outer: RunningStep | undefined;
}

/** The `once` step that a fiber is in. */
export const Step: Context.Reference<RunningStep | undefined> = Context.Reference<RunningStep | undefined>(
  "needful/testing/Step",
  { defaultValue: () => undefined },
);

/** Whether a fiber runs an effect of `onCommit`. */
export const Committing: Context.Reference<boolean> = Context.Reference<boolean>("needful/testing/Committing", {
  defaultValue: () => false,
});

/** What the client can be asked for. */
export const Supported: Context.Reference<(capability: Capability) => boolean> = Context.Reference<
  (capability: Capability) => boolean
>("needful/testing/Supported", { defaultValue: () => () => true });

/** Where `attempt` hears that a need cannot be asked. */
export const Boundary: Context.Reference<Deferred.Deferred<never, Unanswerable> | undefined> = Context.Reference<
  Deferred.Deferred<never, Unanswerable> | undefined
>("needful/testing/Boundary", { defaultValue: () => undefined });

/** Waits for an end that `end` brings about, after the stack that called this: what it interrupts is at rest then. */
export const ending = (end: () => void): Effect.Effect<never> =>
  Effect.interruptible(Effect.callback(() => queueMicrotask(end)));

/** Ends the call with a defect that no handler catches. Where there is no call, it is a defect like others. */
export const refused = (message: string): Effect.Effect<never> =>
  Effect.flatMap(Current, (flow) => {
    const defect = Effect.die(new Error(message));
    if (flow === undefined) return defect;
    flow.fault ??= message;
    return ending(() => Deferred.doneUnsafe(flow.broken, defect));
  });

/** Refuses a verb inside of steps, and in commits unless it only reads. */
export const checkPlace = (verb: string, reads = false): Effect.Effect<void> =>
  Effect.gen(function* () {
    const step = yield* Step;
    if (step !== undefined) return yield* refused(`Cannot ${verb} inside of the step "${step.name}"`);
    if (!reads && (yield* Committing)) return yield* refused(`Cannot ${verb} while committing`);
  });
