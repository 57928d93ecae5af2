/** A running server as a function from `Request` to `Response`. */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { Instance } from "../server/instance.ts";
import * as Endpoint from "./endpoint.ts";
import type { Settings } from "./options.ts";
import type { Guard } from "./origin.ts";
import { FramedVisit, pathOf, WebVisit } from "./web_visit.ts";

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

/** Makes the functions for one endpoint. `framed`: `fetch` is called by a host that holds bodies to their stated length. */
export const make = (instance: Instance, settings: Settings, guard: Guard, framed = false): WebServer => {
  const { path } = settings;
  const Visit = framed ? FramedVisit : WebVisit;
  const endpoint = Endpoint.make(instance, settings, guard);
  const elsewhere = makeElsewhere(instance, settings);
  return {
    ...endpoint,
    elsewhere,
    fetch: (request) =>
      pathOf(request.url) === path
        ? new Promise((resolve) => endpoint.enter(new Visit(request, resolve)))
        : elsewhere(request),
  };
};
