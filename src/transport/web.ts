/** A running server as a function from `Request` to `Response`. */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { Instance } from "../server/instance.ts";
import * as Endpoint from "./endpoint.ts";
import type { Settings } from "./options.ts";
import type { Guard } from "./origin.ts";
import { pathOf, WebVisit } from "./web_visit.ts";

/** A server that answers requests. */
export interface WebServer extends Endpoint.Endpoint {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Answers what is not for the endpoint. Never rejects. */
  readonly elsewhere: (request: Request) => Promise<Response>;
}

const makeElsewhere = (instance: Instance, { fallback }: Settings): (request: Request) => Promise<Response> => {
  if (fallback === undefined) return () => Promise.resolve(new Response("Not found", { status: 404 }));
  const run = Effect.runForkWith(instance.context);
  return (request) =>
    new Promise((resolve) => {
      const page = Effect.suspend(() => fallback(request));
      const logged = Effect.tapCause(page, (cause) => Effect.logError("The fallback failed", cause));
      run(logged).addObserver((exit) =>
        resolve(Exit.isSuccess(exit) ? exit.value : new Response("Internal error", { status: 500 }))
      );
    });
};

/** Makes the function for one endpoint. */
export const make = (instance: Instance, settings: Settings, guard: Guard): WebServer => {
  const { path } = settings;
  const endpoint = Endpoint.make(instance, settings, guard);
  const elsewhere = makeElsewhere(instance, settings);
  return {
    ...endpoint,
    elsewhere,
    fetch: (request) =>
      pathOf(request.url) === path
        ? new Promise((resolve) => endpoint.enter(new WebVisit(request, resolve)))
        : elsewhere(request),
  };
};
