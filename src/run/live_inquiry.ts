/** A question on its way to the client and back, for all who wait for its answer. */
import * as Cause from "effect/Cause";
import type * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Fiber from "effect/Fiber";
import * as Option from "effect/Option";
import type { Peer, PeerFailure } from "../model/peer.ts";
import { type Question, withReason } from "../model/question.ts";
import type { LiveLimits } from "./live_limits.ts";
import { unanswerable } from "./obstacle.ts";
import type { Obstacle, Reached, Room, Waiter } from "./parts.ts";

/** What became of a question. */
export type Reply =
  | { readonly _tag: "Answer"; readonly raw: unknown }
  | Obstacle
  /** Answers came, none of them valid, as often as that may be. */
  | { readonly _tag: "Exhausted" };

/** What a question is put through. */
export interface Line {
  readonly peer: Peer;
  readonly limits: LiveLimits;
  /** Invalid answers so far, by key. */
  readonly invalid: Map<string, number>;
}

/** JSON-RPC: the client does not know the method, so that it could not refuse. */
const methodNotFound = -32601;

/** Characters of a client's error message that are passed on. */
const longest = 500;

/** Why there is no answer, as a sentence. */
export const reasonOf = (failure: PeerFailure): string =>
  failure._tag === "Unreachable"
    ? failure.reason
    : `The client answered with error ${failure.code}: ${failure.message.slice(0, longest)}`;

const failed = (reached: Reached, failure: PeerFailure): Obstacle => {
  const reason = reasonOf(failure);
  const refused = failure._tag === "ClientError" && reached.spec.kind === "sampling" && failure.code !== methodNotFound;
  return refused ? { _tag: "Refused", reason } : unanswerable(reason);
};

/** Puts the question until the answer is valid, each time with what was wrong with the one before. */
const inquire = (line: Line, reached: Reached, question: Question): Effect.Effect<Reply> =>
  Effect.suspend(() => {
    const { invalid, limits, peer } = line;
    const { reason, spec } = reached;
    const asked = reason === undefined ? question : withReason(question, reason);
    return Effect.matchEffect(Effect.timeoutOption(peer.ask(asked, spec.key), limits.roundTimeout), {
      onFailure: (failure) => Effect.succeed<Reply>(failed(reached, failure)),
      onSuccess: (raw): Effect.Effect<Reply> => {
        if (Option.isNone(raw)) {
          const limit = Duration.format(limits.roundTimeout);
          return Effect.succeed(unanswerable(`The question timed out: no answer came within ${limit}`));
        }
        const reading = spec.read(raw.value);
        if (reading._tag !== "Invalid") return Effect.succeed({ _tag: "Answer", raw: raw.value });
        reached.reason = reading.reason;
        const times = (invalid.get(spec.key) ?? 0) + 1;
        invalid.set(spec.key, times);
        return times < limits.maxRounds ? inquire(line, reached, question) : Effect.succeed({ _tag: "Exhausted" });
      },
    });
  });

const lost = unanswerable("The question could not be put");

/** A question that is open. It is withdrawn when the last of those who wait for it leaves. */
export class Inquiry implements Room {
  readonly reached: Reached;
  readonly #question: Question;
  readonly #withdrawn: () => void;
  readonly #waiters = new Set<Waiter>();
  #over = false;
  #fiber: Fiber.Fiber<Reply> | undefined;

  constructor(reached: Reached, question: Question, withdrawn: () => void) {
    this.reached = reached;
    this.#question = question;
    this.#withdrawn = withdrawn;
  }

  add(waiter: Waiter): void {
    this.#waiters.add(waiter);
  }

  delete(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) this.withdraw();
  }

  /** Puts the question, if it is still open. Never called from inside of a fiber of the run. */
  send(context: Context.Context<never>, line: Line, done: (reply: Reply) => void): void {
    if (this.#over) return;
    const { key } = this.reached.spec;
    const fiber = Effect.runForkWith(context)(Effect.catchCause(
      inquire(line, this.reached, this.#question),
      (cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.succeed(lost)
          : Effect.as(Effect.logError(`The question "${key}" could not be put`, cause), lost),
    ));
    this.#fiber = fiber;
    fiber.addObserver((exit) => {
      if (this.#over) return;
      this.#over = true;
      done(Exit.isSuccess(exit) ? exit.value : lost);
    });
  }

  /** Nobody waits any more. */
  withdraw(): void {
    if (this.#over) return;
    this.#over = true;
    this.#fiber?.interruptUnsafe();
    this.#withdrawn();
  }

  /** Lets all go on who wait. First all of them leave, since what one of them does next may concern the others. */
  wake(): void {
    const waiters = [...this.#waiters];
    for (const waiter of waiters) waiter.leave();
    for (const waiter of waiters) waiter.resume();
  }
}
