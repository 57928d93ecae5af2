/** The live interpreter: a handler whose needs are unmet waits, while the client is asked over its open connection. */
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { CallInfo } from "../model/call.ts";
import type { JsonRecord } from "../model/json.ts";
import type { Notice } from "../model/notice.ts";
import type { Peer } from "../model/peer.ts";
import type { Journal } from "./journal.ts";
import type { Limits } from "./limits.ts";
import { bridge } from "./live_bridge.ts";
import { Conversation } from "./live_conversation.ts";
import { LiveGate } from "./live_gate.ts";
import type { LiveLimits } from "./live_limits.ts";
import type { InputRequired, Outcome } from "./outcome.ts";

/** One call: everything that its outcome depends on, besides the handler and its services. */
export interface LiveCall {
  readonly info: CallInfo;
  /** The journal of a flow that has not begun. */
  readonly journal: Journal;
  /** Passes a message of the handler on; not called any more once the call is decided. */
  readonly notify: (notice: Notice) => void;
  readonly limits: Limits;
  /** The client of the connection that the call came over. */
  readonly peer: Peer;
}

/** What a call ends in. */
export type LiveOutcome<A, E> = Exclude<Outcome<A, E>, InputRequired>;

/**
 * Runs a handler to its end, with services that `prepare` made. Never fails. Interrupting it withdraws the questions
 * that are open and interrupts the handler, whose finalizers run before the interruption is complete, for at most
 * `unwind`, and `steps` more while a `once` step is running.
 */
export const live = <A, E, R>(
  handler: Effect.Effect<A, E, R>,
  context: Context.Context<R>,
  call: LiveCall,
  limits: LiveLimits,
): Effect.Effect<LiveOutcome<A, E>> =>
  Effect.suspend(() => {
    const conversation = new Conversation(call.peer, limits);
    const pass = (journal: Journal, responses: JsonRecord | undefined): Effect.Effect<Outcome<A, E>> =>
      Effect.callback((resume) => {
        const round = { ...call, journal, responses, retried: journal.manual !== undefined };
        const gate = new LiveGate<A, E>(round, context as Context.Context<never>, conversation, resume);
        gate.start(handler as Effect.Effect<A, E>);
        return gate.done ? undefined : gate.abandon();
      });
    const from = (
      journal: Journal,
      responses: JsonRecord | undefined,
      returned: number,
    ): Effect.Effect<LiveOutcome<A, E>> =>
      Effect.flatMap(pass(journal, responses), (outcome): Effect.Effect<LiveOutcome<A, E>> => {
        if (outcome._tag !== "InputRequired") return Effect.succeed(outcome);
        const { journal } = outcome;
        if (journal.manual === undefined) {
          return Effect.andThen(Effect.sleep(limits.pacing), from(journal, undefined, returned));
        }
        return Effect.flatMap(
          bridge(call.peer, limits, outcome, returned + 1),
          (end) => end._tag === "Answered" ? from(journal, end.responses, returned + 1) : Effect.succeed(end),
        );
      });
    return Effect.ensuring(
      from(call.journal, undefined, 0),
      Effect.sync(() => conversation.end()),
    );
  });
