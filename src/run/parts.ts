/** Parts of a gate: what it keeps of the verbs that a handler called. */
import type * as Deferred from "effect/Deferred";
import type * as Fiber from "effect/Fiber";
import type { Capability } from "../model/capability.ts";
import type { Question } from "../model/question.ts";
import type { Unanswerable } from "../need/errors.ts";
import type { CellSpec } from "../need/flow.ts";
import type { Spec } from "../need/need.ts";

/** Any fiber. */
export type AnyFiber = Fiber.Fiber<unknown, unknown>;

/** The spec of any need. */
export type AnySpec = Spec<unknown, unknown, unknown>;

/** A branch of `all`. It holds the round open as long as nothing in it waits for the client. */
export interface Branch {
  readonly outer: Branch | undefined;
  /** Fibers in it that wait for the client. */
  asking: number;
  ended: boolean;
}

/** An `attempt`: ends what it wraps at the first need in it that cannot be asked. */
export interface Boundary {
  readonly outer: Boundary | undefined;
  /** What it wraps came to its end. */
  ended: boolean;
  /** Set by the need that could not be asked. */
  failure: Unanswerable | undefined;
  /** What runs in it was interrupted because of the failure. */
  interrupted: boolean;
  /** Verbs called in it since then. */
  late: number;
  readonly interrupt: () => void;
}

/** A `once` step that runs. */
export interface Step {
  readonly name: string;
  readonly outer: Step | undefined;
}

/** A step in flight. */
export interface Running {
  /** Its end, for all who wait for it. */
  readonly end: Deferred.Deferred<unknown, unknown>;
  /** When it began, by the server's own clock. */
  readonly since: number;
}

/** Somebody inside of `step` waits for the end of the step `name`. */
export interface Join {
  readonly step: Step;
  readonly name: string;
}

/** A question that the handler reached in this run. */
export interface Reached {
  readonly spec: AnySpec;
  digest: string | undefined;
  /** Why the answer that came was of no use. */
  reason: string | undefined;
}

/** The question has to be put. */
export interface Put {
  readonly _tag: "Question";
  readonly key: string;
  readonly question: Question;
}

/** The question cannot be put, or got no answer. */
export interface Missing {
  readonly _tag: "Missing";
  readonly key: string;
  /** Empty where something else than capabilities is in the way. */
  readonly missing: ReadonlyArray<Capability>;
  readonly reason: string;
}

/** What keeps the handler from going on. */
export type Reason =
  | Put
  | Missing
  /** The out-of-band part of the URL need `key` is not finished. */
  | { readonly _tag: "Unfinished"; readonly key: string }
  | { readonly _tag: "Again" };

/** Why a question has no answer. */
export type Obstacle =
  | { readonly _tag: "Unanswerable"; readonly missing: ReadonlyArray<Capability>; readonly reason: string }
  /** The client does not let its model answer, which is an answer. */
  | { readonly _tag: "Refused"; readonly reason: string };

/** A parked fiber that somebody can wake. */
export interface Waiter {
  /** It waits no longer. To be called before it goes on; more than once does no harm. */
  readonly leave: () => void;
  /** Lets it go on. */
  readonly resume: () => void;
}

/** Where fibers wait for the same thing. */
export interface Room {
  readonly add: (waiter: Waiter) => void;
  readonly delete: (waiter: Waiter) => void;
}

/** A reason, and how many fibers wait because of it. It goes when the last of them leaves (G10). */
export interface Unmet {
  readonly reason: Reason;
  waiting: number;
}

/** A cell that was read or written. */
export interface Cell {
  readonly spec: CellSpec<unknown>;
  value: unknown;
}

/** A sleep of the handler. */
export interface Sleeper {
  /** Pauses or goes on, as the gate stands. */
  readonly update: () => void;
}
