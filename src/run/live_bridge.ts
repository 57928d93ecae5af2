/** The bridge: questions that a handler returned, put to a client that does not come back by itself. */
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import type { JsonRecord } from "../model/json.ts";
import type { Peer } from "../model/peer.ts";
import { reasonOf } from "./live_inquiry.ts";
import type { LiveLimits } from "./live_limits.ts";
import type { Broken, InputRequired, Unaskable } from "./outcome.ts";
import { exhausted } from "./verdict.ts";

/** What the next round of the handler begins with. */
export interface Answered {
  readonly _tag: "Answered";
  readonly responses: JsonRecord | undefined;
}

type Asked = InputRequired["questions"][number];

/** The answer as it came: it is read by the handler, which may return the question again. */
const ask = (peer: Peer, { roundTimeout }: LiveLimits, { key, question }: Asked): Effect.Effect<unknown, Unaskable> => {
  const failed = (reason: string): Effect.Effect<never, Unaskable> =>
    Effect.fail({ _tag: "Unaskable", missing: [], key, reason });
  return peer.ask(question, key).pipe(
    Effect.catch((failure) => failed(reasonOf(failure))),
    Effect.timeoutOrElse({
      duration: roundTimeout,
      orElse: () => failed(`The question timed out: no answer came within ${Duration.format(roundTimeout)}`),
    }),
  );
};

/** Tells the caller again and again that its call is alive. */
const signs = (peer: Peer, { alive }: LiveLimits): Effect.Effect<never> =>
  Effect.forever(Effect.andThen(Effect.sleep(alive), Effect.sync(() => peer.alive())));

/**
 * Puts the questions all at once, the first failure withdraws the others; without any, rests. `reentry` is how often the
 * handler has returned questions in this call.
 */
export const bridge = (
  peer: Peer,
  limits: LiveLimits,
  { questions }: InputRequired,
  reentry: number,
): Effect.Effect<Answered | Unaskable | Broken> => {
  if (reentry > limits.maxRounds) {
    const keys = questions.length > 0 ? questions.map(({ key }) => key) : ["requestState"];
    return Effect.succeed(exhausted(limits.maxRounds, [["still returned", keys]]));
  }
  if (questions.length === 0) {
    return Effect.as(Effect.sleep(limits.pacing), { _tag: "Answered", responses: undefined });
  }
  const answers = Effect.forEach(questions, (one) => ask(peer, limits, one), { concurrency: "unbounded" });
  return Effect.raceFirst(answers, signs(peer, limits)).pipe(
    Effect.map((raw): Answered => ({
      _tag: "Answered",
      responses: Object.fromEntries(questions.map(({ key }, i) => [key, raw[i]])),
    })),
    Effect.catch((unaskable) => Effect.succeed(unaskable)),
  );
};
