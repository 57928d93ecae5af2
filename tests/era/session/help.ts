/** Connections that write down what they are told, and conversations to hold over them. */
import * as Effect from "effect/Effect";
import type * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { assert } from "@std/assert";
import * as Legacy from "../../../src/era/legacy.ts";
import type * as Session from "../../../src/era/session.ts";
import { isFault } from "../../../src/model/fault.ts";
import { anonymous, type Principal } from "../../../src/model/principal.ts";
import type { PeerFailure } from "../../../src/model/peer.ts";
import type { Question } from "../../../src/model/question.ts";

/** A connection that writes down what it is told. */
export interface Recorder extends Session.Sink {
  /** Messages, with `-` for one without an id; `prime`, `retry <ms>`, `alive` and `close` for the rest. */
  readonly log: Array<string>;
  /** Ids of events, in order. */
  readonly ids: Array<string>;
  /** Whether messages that may be dropped are. */
  behind: boolean;
}

/** A connection. */
export const recorder = (): Recorder => {
  const log: Array<string> = [];
  const ids: Array<string> = [];
  const sink: Recorder = {
    log,
    ids,
    behind: false,
    send: (message, id, must) => {
      if (sink.behind && !must) return false;
      log.push(id === undefined ? `- ${message}` : message);
      if (id !== undefined) ids.push(id);
      return true;
    },
    prime: (id) => {
      log.push("prime");
      ids.push(id);
    },
    retry: (millis) => void log.push(`retry ${millis}`),
    keepAlive: () => void log.push("alive"),
    close: () => void log.push("close"),
  };
  return sink;
};

/** A conversation with a client that can be asked for everything. */
export const conversation = (revision = "2025-11-25"): Legacy.Conversation => ({
  revision: Legacy.findRevision(revision)!,
  client: { name: "c", version: "1" },
  capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
  level: undefined,
});

/** Opens a session whose client is ready. */
export const ready = (
  sessions: Session.Sessions,
  { principal = anonymous, revision }: { readonly principal?: Principal; readonly revision?: string } = {},
): Effect.Effect<Session.Session> =>
  Effect.map(sessions.open(conversation(revision), principal), (session) => {
    assert(!isFault(session));
    session.initialized();
    return session;
  });

/** Runs a test on a clock of its own. */
export const run = <A>(effect: Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, TestClock.layer()));

/** What becomes of a question: the result, or why there is none. */
export type Answer = { readonly result: unknown } | PeerFailure;

/** Puts a question. */
export const ask = (
  session: Session.Session,
  stream: Session.Stream,
  question: Question = { method: "roots/list" },
): Effect.Effect<Answer> =>
  Effect.match(session.ask(stream, question), { onFailure: (failure) => failure, onSuccess: (result) => ({ result }) });

/** Puts a question in the background, and lets it go out. */
export const asking = (
  session: Session.Session,
  stream: Session.Stream,
  question: Question = { method: "roots/list" },
): Effect.Effect<Fiber.Fiber<Answer>> =>
  Effect.tap(Effect.forkChild(ask(session, stream, question)), () => Effect.yieldNow);
