/** A running server as a function from `Request` to `Response`. */
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import { code, type Fault, internal, isFault, make as makeFault } from "../model/fault.ts";
import { anonymous, type Principal } from "../model/principal.ts";
import type { Unauthorized } from "../server/auth.ts";
import type { Instance } from "../server/instance.ts";
import * as Accept from "./accept.ts";
import * as Body from "./body.ts";
import { Exchange, faultResponse } from "./exchange.ts";
import * as Front from "./front.ts";
import type { Settings } from "./options.ts";
import type { Guard } from "./origin.ts";
import * as Serve from "./serve.ts";

/** A server that answers requests. */
export interface WebServer {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends subscriptions, waits for calls in flight as long as the settings say, then interrupts them. */
  readonly stop: Effect.Effect<void>;
}

const stopped: Fault = makeFault(code.internal, "The server is stopping", 503);

const unauthorized = (exchange: Exchange, error: Unauthorized): void =>
  exchange.respond(
    faultResponse(
      exchange.headers,
      makeFault(code.invalidRequest, error.message, error.status ?? 401),
      undefined,
      error.challenge === undefined ? {} : { "www-authenticate": error.challenge },
    ),
  );

/** What was not foreseen is for the log; the client learns that it happened. */
const failed = (exchange: Exchange, cause: Cause.Cause<never>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.failCause(cause)
    : Effect.andThen(Effect.logError("A request failed", cause), Effect.sync(() => exchange.fault(internal())));

/** Makes the function for one endpoint. */
export const make = (instance: Instance, settings: Settings, guard: Guard): WebServer => {
  const { authenticate, fallback, keepAlive, maxBody, path, stopWithin } = settings;
  const front = Front.make(settings, guard);
  const server = Serve.make(instance, settings);
  const run = Effect.runForkWith(instance.context);
  const running = new Set<Fiber.Fiber<void>>();
  let stopping = false;

  const principalOf = ({ headers, method, url }: Request): Effect.Effect<Principal, Unauthorized> =>
    authenticate === undefined
      ? Effect.succeed(anonymous)
      : authenticate({ method, url, header: (name) => headers.get(name) ?? undefined });

  /** `read` is called when the body has been read, and what could be done at once with it has been done. */
  const handle = Effect.fnUntraced(function* (request: Request, exchange: Exchange, read: () => void) {
    const principal = yield* principalOf(request);
    const refused = Front.checkContent(request.headers, exchange.accepts, exchange.headers, maxBody);
    if (refused !== undefined) return exchange.respond(refused);
    const body = yield* Effect.callback<string | Fault>((resume) => {
      const cancel = Body.read(request, maxBody, (result) => {
        resume(Effect.succeed(result));
        read();
      });
      return Effect.sync(cancel);
    });
    if (isFault(body)) return exchange.fault(body);
    yield* server.serve(body, request.headers, principal, exchange);
  }, (handled, _request, exchange) =>
    handled.pipe(
      Effect.catchTag("Unauthorized", (error) => Effect.sync(() => unauthorized(exchange, error))),
      Effect.catchCause((cause) => failed(exchange, cause)),
    ));

  const ticking = (exchange: Exchange): Effect.Effect<never> =>
    Effect.forever(Effect.andThen(Effect.sleep(keepAlive), Effect.sync(() => exchange.keepAlive())));

  const post = (request: Request, headers: Exchange["headers"]): Promise<Response> =>
    new Promise((resolve) => {
      const leave = (): void => fiber.interruptUnsafe();
      const exchange = new Exchange(headers, Accept.read(request.headers.get("accept")), resolve, leave);
      let watching = false;
      let ticker: Fiber.Fiber<never> | undefined;
      const watch = (): void => {
        if (watching || exchange.over) return;
        watching = true;
        if (request.signal.aborted) leave();
        else request.signal.addEventListener("abort", leave);
      };
      // Most requests are done as soon as their body is read: only for others there is something to watch
      const fiber: Fiber.Fiber<void> = run(handle(request, exchange, () => {
        watch();
        if (!exchange.over) ticker = run(ticking(exchange));
      }));
      running.add(fiber);
      if (authenticate !== undefined) watch();
      fiber.addObserver(() => {
        running.delete(fiber);
        exchange.drop();
        if (watching) request.signal.removeEventListener("abort", leave);
        ticker?.interruptUnsafe();
      });
    });

  const elsewhere = (request: Request): Promise<Response> =>
    fallback === undefined
      ? Promise.resolve(new Response("Not found", { status: 404 }))
      : new Promise((resolve) =>
        run(fallback(request)).addObserver((exit) =>
          resolve(Exit.isSuccess(exit) ? exit.value : new Response("Internal error", { status: 500 }))
        )
      );

  return {
    fetch: (request) => {
      if (Front.pathOf(request.url) !== path) return elsewhere(request);
      const headers = front.headers(request);
      const response = front.enter(request, headers) ??
        (stopping ? faultResponse(headers, stopped, undefined, { "retry-after": "1" }) : undefined);
      return response === undefined ? post(request, headers) : Promise.resolve(response);
    },
    stop: Effect.provideContext(
      Effect.gen(function* () {
        stopping = true;
        yield* instance.catalog.shutdown;
        yield* Effect.timeoutOption(Fiber.awaitAll(running), stopWithin);
        yield* Fiber.interruptAll(running);
      }),
      instance.context,
    ),
  };
};
