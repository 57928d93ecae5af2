/** Live runs of generated programs, with clients that answer in one order or another. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { prepare } from "../../../src/run/context.ts";
import { live } from "../../../src/run/live.ts";
import { defaultLiveLimits } from "../../../src/run/live_limits.ts";
import { callInfo, roundOf, toldOutcome } from "../kit.ts";
import { peerOf, type Replies } from "../live_kit.ts";
import { makeFastClock } from "./clock.ts";
import { compile, type Trace } from "./compile.ts";
import { answerOf, type Random, type Run } from "./flow.ts";
import type { Program } from "./program.ts";

/** Which of so many open questions is answered next. */
export type Order = (open: number) => number;

/** The oldest first. */
export const inOrder: Order = () => 0;

/** Any. */
export const inAnyOrder = (next: Random): Order => (open) => Math.floor(next() * open);

/** Answers one question in each turn of the host. */
const client = (seed: number, order: Order): Replies => {
  const open: Array<() => void> = [];
  const turn = (): void => {
    open.splice(order(open.length), 1)[0]?.();
    if (open.length > 0) setImmediate(turn);
  };
  return (key) =>
    Effect.callback<unknown>((resume) => {
      const answer = (): void => resume(Effect.succeed(answerOf(seed, key)));
      if (open.push(answer) === 1) setImmediate(turn);
      return Effect.sync(() => {
        const at = open.indexOf(answer);
        if (at >= 0) open.splice(at, 1);
      });
    });
};

/** Runs a program to its end while the client is asked. */
export const talk = async (
  program: Program,
  seed: number,
  order: Order,
  gather: Duration.Duration,
): Promise<Run> => {
  const trace: Trace = { steps: [], commits: [], registered: [] };
  const peer = peerOf(client(seed, order), { capabilities: { elicitation: {} } });
  const limits = { maxRounds: 10_000, maxPasses: 10_000, gather };
  const { journal, notify, ...round } = roundOf({ limits });
  const outcome = await Effect.runPromise(live(
    Effect.suspend(() => {
      trace.registered = [];
      return compile(program, trace);
    }),
    prepare(Context.make(Clock.Clock, makeFastClock())),
    { info: callInfo({ elicitation: {} }), journal, notify, limits: round.limits, peer: peer.peer },
    { ...defaultLiveLimits, maxRounds: 10_000, pacing: Duration.zero },
  ));
  if (outcome._tag === "Complete" && Exit.isSuccess(outcome.exit)) {
    for (const commit of outcome.commits) await Effect.runPromise(commit);
  }
  return { result: toldOutcome(outcome), asks: [peer.asked.toSorted()], trace };
};
