/** Helpers of the tests of the live interpreter: a client at the other end of a line, and calls that ask it. */
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Fiber from "effect/Fiber";
import * as References from "effect/References";
import { supports } from "../../src/model/capability.ts";
import type { JsonRecord } from "../../src/model/json.ts";
import type { Peer, PeerFailure } from "../../src/model/peer.ts";
import type { Question } from "../../src/model/question.ts";
import { prepare } from "../../src/run/context.ts";
import { live, type LiveOutcome } from "../../src/run/live.ts";
import { defaultLiveLimits, type LiveLimits } from "../../src/run/live_limits.ts";
import { accept, callInfo, everything, type Handler, roundOf, type Script, type Setting, toldOutcome } from "./kit.ts";
import { hostTurns } from "./time.ts";

/** A client, and what it saw. */
export interface TestPeer {
  readonly peer: Peer;
  /** Keys of the questions that came, in order. */
  readonly asked: Array<string>;
  readonly questions: Array<Question>;
  /** Keys of the questions that were withdrawn. */
  readonly withdrawn: Array<string>;
  readonly completed: Array<string>;
  /** Signs of life, and streams that were closed. */
  readonly signs: { alive: number; disconnected: number };
}

/** What a client replies: at once, later, with an error, never. */
export type Replies = (key: string, times: number) => Effect.Effect<unknown, PeerFailure>;

/** Replies as a script says, after so many turns of the host. */
export const after = (turns: number, script: Script = accept): Replies => (key, times) =>
  Effect.andThen(hostTurns(turns), Effect.sync(() => script(key, times)));

/** A client that replies. */
export const peerOf = (
  replies: Replies = after(1),
  options: {
    readonly capabilities?: JsonRecord;
    readonly cannotSay?: (question: Question) => string | undefined;
  } = {},
): TestPeer => {
  const asked: Array<string> = [];
  const questions: Array<Question> = [];
  const withdrawn: Array<string> = [];
  const completed: Array<string> = [];
  const signs = { alive: 0, disconnected: 0 };
  const { cannotSay = () => undefined, capabilities = everything } = options;
  const peer: Peer = {
    supports: (capability) => supports(capabilities, capability),
    cannotSay,
    ask: (question, key) =>
      Effect.suspend(() => {
        asked.push(key);
        questions.push(question);
        const times = asked.filter((other) => other === key).length;
        return Effect.onInterrupt(replies(key, times), () => Effect.sync(() => void withdrawn.push(key)));
      }),
    complete: (interaction) => void completed.push(interaction),
    alive: () => void signs.alive++,
    disconnect: Effect.sync(() => void signs.disconnected++),
  };
  return { peer, asked, questions, withdrawn, completed, signs };
};

/** How a call of a test differs from one with a client that can be asked for everything. */
export interface LiveSetting extends Omit<Setting, "responses" | "retried"> {
  readonly live?: Partial<LiveLimits>;
}

/** A call, on an instance of its own. */
export const talk = <A, E>(
  handler: Handler<A, E>,
  { peer }: TestPeer,
  setting: LiveSetting = {},
): Effect.Effect<LiveOutcome<A, E>> => {
  const { journal, limits, notify } = roundOf(setting);
  const info = { ...callInfo(setting.capabilities), era: "legacy", revision: "2025-11-25" } as const;
  return live(
    handler,
    prepare(setting.services ?? Context.empty()),
    { info, journal, limits, notify, peer },
    { ...defaultLiveLimits, pacing: Duration.zero, ...setting.live },
  );
};

/** A call from its request to its end, with its commits. */
export const call = async (handler: Handler, peer: TestPeer, setting: LiveSetting = {}): Promise<string> => {
  const outcome = await Effect.runPromise(talk(handler, peer, setting));
  if (outcome._tag === "Complete" && Exit.isSuccess(outcome.exit)) {
    for (const commit of outcome.commits) {
      await Effect.runPromise(Effect.provideService(commit, References.MinimumLogLevel, "None"));
    }
  }
  return toldOutcome(outcome);
};

/** A client whose answers come when the test gives them. */
export interface Patient extends TestPeer {
  readonly answer: (key: string, raw?: unknown) => void;
}

/** A client that waits for the test. */
export const patient = (): Patient => {
  const open = new Map<string, Deferred.Deferred<unknown>>();
  const peer = peerOf((key) => {
    const answer = Deferred.makeUnsafe<unknown>();
    open.set(key, answer);
    return Deferred.await(answer);
  });
  const answer = (key: string, raw: unknown = accept(key, 1)): void => {
    const asked = open.get(key);
    if (asked !== undefined) Deferred.doneUnsafe(asked, Effect.succeed(raw));
  };
  return { ...peer, answer };
};

/** Starts a call and lets it get as far as it can. */
export const begin = <A, E>(
  handler: Handler<A, E>,
  peer: TestPeer,
  setting: LiveSetting = {},
): Effect.Effect<Fiber.Fiber<LiveOutcome<A, E>>> =>
  Effect.tap(Effect.forkChild(talk(handler, peer, setting), { startImmediately: true }), () => hostTurns(5));

/** The same, on the clock of the test. */
export const beginTimed = <A, E>(
  handler: Handler<A, E>,
  peer: TestPeer,
  setting: LiveSetting = {},
): Effect.Effect<Fiber.Fiber<LiveOutcome<A, E>>> =>
  Effect.flatMap(Effect.context<never>(), (services) => begin(handler, peer, { ...setting, services }));
