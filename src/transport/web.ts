/** A running server as a function from `Request` to `Response`. */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { Instance } from "../server/instance.ts";
import { faultResponse } from "./exchange.ts";
import * as Front from "./front.ts";
import type { Settings } from "./options.ts";
import type { Guard } from "./origin.ts";
import { stopped } from "./outlet.ts";
import { type Endpoint, Post } from "./post.ts";
import { Running } from "./running.ts";
import * as Serve from "./serve.ts";

/** A server that answers requests. */
export interface WebServer {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends subscriptions, waits for calls in flight as long as the settings say, then interrupts them. */
  readonly stop: Effect.Effect<void>;
}

/** Makes the function for one endpoint. */
export const make = (instance: Instance, settings: Settings, guard: Guard): WebServer => {
  const { fallback, path, stopWithin } = settings;
  const front = Front.make(settings, guard);
  const run = Effect.runForkWith(instance.context);
  const running = new Running();
  const endpoint: Endpoint = { settings, server: Serve.make(instance, settings), running, run };
  let stopping = false;

  const elsewhere = (request: Request): Promise<Response> =>
    fallback === undefined ? Promise.resolve(new Response("Not found", { status: 404 })) : new Promise((resolve) => {
      const logged = Effect.tapCause(fallback(request), (cause) => Effect.logError("The fallback failed", cause));
      run(logged).addObserver((exit) =>
        resolve(Exit.isSuccess(exit) ? exit.value : new Response("Internal error", { status: 500 }))
      );
    });

  return {
    fetch: (request) => {
      if (Front.pathOf(request.url) !== path) return elsewhere(request);
      const headers = front.headers(request);
      const response = front.enter(request, headers) ??
        (stopping ? faultResponse(headers, stopped, undefined, { "retry-after": "1" }) : undefined);
      return response === undefined
        ? new Promise((resolve) => new Post(endpoint, request, headers, resolve).start())
        : Promise.resolve(response);
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
