/**
 * What the returning style stands on: the value that a handler returns instead of a result, and what an interpreter does
 * for those who read answers by hand.
 */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type { CallInfo } from "../model/call.ts";
import type { JsonRecord } from "../model/json.ts";
import type { Reading, Spec } from "./need.ts";

/** The spec of a question whose answer is data, refusals included. */
export type ManualSpec<A = unknown> = Spec<A, never, never>;

/** What a handler returned instead of a result. Any interpreter knows it by its class, whatever it is wrapped in. */
export class Returned {
  /** By key, in the author's order. */
  readonly questions: ReadonlyArray<ManualSpec>;
  /** The author's own state for the next round. */
  readonly state: string | undefined;
  /** Why this cannot be put to any client. */
  readonly problem: string | undefined;

  constructor(questions: ReadonlyArray<ManualSpec>, state: string | undefined, problem: string | undefined) {
    this.questions = questions;
    this.state = state;
    this.problem = problem;
  }
}

/** What an interpreter does for handlers that return their questions. */
export interface ManualPort {
  /** What is known of the answer to a question: put by this flow, or come unasked where that may be used. */
  readonly read: <A>(question: ManualSpec<A>) => Effect.Effect<Reading<A, never> | undefined>;
  /** Whether a question could be put now, if the handler returned it. */
  readonly canAsk: (question: ManualSpec) => Effect.Effect<boolean>;
  /** `Manual.rawResponses`; undefined where the request has none. */
  readonly responses: Effect.Effect<JsonRecord | undefined>;
  /** The answer under a key, whatever it answers: of this request, or kept from an earlier one. */
  readonly raw: (key: string) => Effect.Effect<unknown>;
  /** The author's state that came with this request. */
  readonly state: Effect.Effect<string | undefined>;
  /** What a state of this call can be bound to. */
  readonly call: Effect.Effect<Pick<CallInfo, "method" | "target" | "arguments" | "principal">>;
  /** Ends the call with "Invalid request state". The reason is for the log. */
  readonly refuse: (reason: string) => Effect.Effect<never>;
  /** Ends the call with an error that tells the author what is wrong. */
  readonly misuse: (message: string) => Effect.Effect<never>;
}

/** The port in use; undefined outside of a call. */
export const ManualPort: Context.Reference<ManualPort | undefined> = Context.Reference<ManualPort | undefined>(
  "needful/need/ManualPort",
  { defaultValue: () => undefined },
);
