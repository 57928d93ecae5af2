/** A running server over HTTP, whatever carries the requests to it. */
import * as Effect from "effect/Effect";
import type { Instance } from "../server/instance.ts";
import { faultReply } from "./exchange.ts";
import * as Front from "./front.ts";
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
  /** Ends subscriptions, waits for calls in flight as long as the settings say, then interrupts them. */
  readonly stop: Effect.Effect<void>;
}

/** Makes the endpoint of an instance. */
export const make = (instance: Instance, settings: Settings, guard: Guard): Endpoint => {
  const { stopWithin } = settings;
  const front = Front.make(settings, guard);
  const running = new Running();
  const run = Effect.runForkWith(instance.context);
  const shared: Shared = { settings, server: Serve.make(instance, settings), running, run };
  let stopping = false;

  return {
    enter: (visit) => {
      const headers = front.headers(visit);
      const reply = front.enter(visit, headers) ??
        (stopping ? faultReply(headers, stopped, undefined, { "retry-after": "1" }) : undefined);
      if (reply === undefined) new Post(shared, visit, headers).start();
      else visit.reply(reply);
    },
    stop: Effect.provideContext(
      Effect.gen(function* () {
        stopping = true;
        yield* instance.catalog.shutdown;
        yield* Effect.timeoutOption(running.none, stopWithin);
        running.stop();
        // Once more as long for finalizers; what does not end then is left behind
        yield* Effect.timeoutOption(running.none, stopWithin);
      }),
      instance.context,
    ),
  };
};
