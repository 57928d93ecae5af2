/** A running server over HTTP, whatever carries the requests to it. */
import * as Effect from "effect/Effect";
import type { Instance } from "../server/instance.ts";
import type { ReplyHeaders } from "./cors.ts";
import { faultReply } from "./exchange.ts";
import * as Front from "./front.ts";
import * as Actor from "./legacy.ts";
import { inSessions } from "./legacy_conversations.ts";
import { end } from "./legacy_delete.ts";
import { Listen } from "./legacy_listen.ts";
import { type Messages, off, stateless } from "./legacy_messages.ts";
import * as Sessions from "./legacy_sessions.ts";
import type { Settings } from "./options.ts";
import type { Guard } from "./origin.ts";
import { stopped } from "./outlet.ts";
import { type Endpoint as Shared, Post } from "./post.ts";
import { Running } from "./running.ts";
import * as Serve from "./serve.ts";
import type { Visit } from "./visit.ts";

/** A server that replies to the requests for its path. */
export interface Endpoint {
  readonly enter: (visit: Visit) => void;
  /** Ends subscriptions, waits for calls in flight as long as the settings say, then interrupts them and ends sessions. */
  readonly stop: Effect.Effect<void>;
}

/** What is done with messages of older revisions, and the sessions that they belong to, if they do to any. */
interface Legacy {
  readonly messages: Messages;
  readonly sessions: Sessions.HttpSessions | undefined;
}

const legacyOf = (instance: Instance, { legacy: { mode, sessions: settings } }: Settings): Legacy => {
  if (mode === "off") return { messages: off, sessions: undefined };
  const actor = Actor.make(instance);
  if (mode === "stateless") return { messages: stateless(actor), sessions: undefined };
  const sessions = Sessions.make(instance, actor, settings);
  return { messages: inSessions(actor, sessions), sessions };
};

/** Makes the endpoint of an instance. */
export const make = (instance: Instance, settings: Settings, guard: Guard): Endpoint => {
  const { stopWithin } = settings;
  const front = Front.make(settings, guard);
  const { messages, sessions } = legacyOf(instance, settings);
  const running = new Running();
  const listening = new Running();
  const run = Effect.runForkWith(instance.context);
  const shared: Shared = { settings, server: Serve.make(instance, settings, messages), running, run };
  let stopping = false;

  const begin = (visit: Visit, headers: ReplyHeaders): void => {
    if (sessions === undefined || visit.method === "POST") new Post(shared, visit, headers).start();
    else if (visit.method === "GET") new Listen(shared, listening, sessions, visit, headers).start();
    else end(shared, sessions, visit, headers);
  };

  return {
    enter: (visit) => {
      const origin = visit.header("origin");
      const headers = front.headers(origin);
      const reply = front.enter(visit, origin, headers) ??
        (stopping ? faultReply(headers, stopped, undefined, { "retry-after": "1" }) : undefined);
      if (reply === undefined) begin(visit, headers);
      else visit.reply(reply);
    },
    stop: Effect.provideContext(
      Effect.gen(function* () {
        stopping = true;
        yield* instance.catalog.shutdown;
        listening.stop();
        yield* Effect.timeoutOption(running.none, stopWithin);
        running.stop();
        // Once more as long for finalizers; what does not end then is left behind
        yield* Effect.timeoutOption(running.none, stopWithin);
        if (sessions !== undefined) yield* sessions.shutdown;
      }),
      instance.context,
    ),
  };
};
