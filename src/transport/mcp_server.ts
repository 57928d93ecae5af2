/**
 * Servers: what they are made of, and how any host of Web-standard requests serves one.
 *
 * ```ts
 * import * as Context from "effect/Context";
 * import * as Effect from "effect/Effect";
 * import * as Layer from "effect/Layer";
 * import { McpServer, Tool } from "@needful/mcp";
 *
 * interface Sundial {
 *   readonly now: Effect.Effect<string>;
 * }
 * const Sundial: Context.Service<Sundial, Sundial> = Context.Service<Sundial>("example/Sundial");
 *
 * const time = Tool.make("time", {
 *   description: "Says what time it is",
 *   handler: () => Effect.flatMap(Sundial, ({ now }) => now),
 * });
 *
 * const server = McpServer.make({ name: "clock", version: "1.0.0", tools: [time] });
 * const sundial = Layer.succeed(Sundial, { now: Effect.succeed("noon") });
 *
 * const { fetch, dispose } = McpServer.toWebHandler(server, sundial, { path: "/mcp" });
 * const response = await fetch(new Request("http://localhost/mcp"));
 * console.log(response.status); // 406: a GET opens a stream, if it takes one
 * await dispose();
 * ```
 *
 * @module
 */
import type * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { code, make as makeFault } from "../model/fault.ts";
import { make as makeCatalog } from "../server/catalog.ts";
import { Catalog } from "../server/catalog_service.ts";
import * as Instance from "../server/instance.ts";
import type { McpServer } from "../server/mcp_server.ts";
import * as Cors from "./cors.ts";
import { faultReply } from "./exchange.ts";
import * as Guard from "./origin.ts";
import { type HttpOptions, settings } from "./options.ts";
import * as Web from "./web.ts";
import { response } from "./web_visit.ts";

export { make } from "../server/mcp_server.ts";
export type { CacheOptions, McpServer, Options, Services } from "../server/mcp_server.ts";
export type {
  Authenticate,
  AuthRequest,
  HeaderReader,
  HttpOptions,
  LegacyOptions,
  Limits,
  Principal,
  Unauthorized,
  UnauthorizedOptions,
} from "./options.ts";

/** How a server is served by a host of Web-standard requests; `R` is what its hooks need. */
export interface WebOptions<R = never> extends HttpOptions<R> {
  /**
   * Whether the host holds the body of a request to the length that its `Content-Length` states, as servers of HTTP do.
   * Such a body is read at once, for half the cost of a whole call on some hosts. Default false: bodies are read piece by
   * piece, so that nobody can pass a longer one than `maxBody` by stating another length.
   */
  readonly framed?: boolean;
}

/** A server for hosts that speak `Request` and `Response`. */
export interface WebHandler {
  /** Answers a request. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Ends subscriptions and sessions, lets calls in flight finish, and releases what the layer holds. Until then a session
   * that is idle, like an open stream, has a timer, which keeps some hosts from ending.
   */
  readonly dispose: () => Promise<void>;
}

interface Started {
  readonly web: Web.WebServer;
  readonly scope: Scope.Closeable;
}

const unavailable = (status: 500 | 503, message: string): Response =>
  response(faultReply(Cors.make([]).headers(undefined), makeFault(code.internal, message, status)));

const start = <R, RA, E>(
  server: McpServer<R>,
  layer: Layer.Layer<R | RA, E, Catalog>,
  options: WebOptions<RA>,
): Effect.Effect<Started, E | Instance.InstanceError> => {
  const read = settings(options);
  const guard = Guard.make({
    allowedHosts: options.allowedHosts,
    allowedOrigins: options.allowedOrigins,
    loopback: options.allowedHosts === undefined,
    port: undefined,
  });
  return Effect.gen(function* () {
    const scope = yield* Scope.make();
    const max = options.subscriptions?.max;
    const { live } = read;
    const limits = options.limits === undefined ? { live } : { live, limits: options.limits };
    const catalog = yield* makeCatalog(server, max === undefined ? {} : { maxSubscriptions: max });
    const provided = Layer.provide(layer, Layer.succeed(Catalog, catalog));
    const built = Effect.flatMap(
      Layer.buildWithScope(provided, scope),
      (context) => Effect.provideContext(Instance.make(server, catalog, limits), context),
    );
    const instance = yield* Effect.onExit(
      Scope.provide(built, scope),
      (exit) => Exit.isFailure(exit) ? Scope.close(scope, exit) : Effect.void,
    );
    return { web: Web.make(instance, read, guard, options.framed), scope };
  });
};

/**
 * A server as a function from `Request` to `Response`, for any Web-standard host.
 *
 * `layer` provides what the handlers and the hooks need, and may provide a `Sealer` or crypto services as well; it is
 * built at the first request. Without `allowedHosts` only loopback names are served. Throws where an option is not valid.
 */
export function toWebHandler(server: McpServer<never>, options?: WebOptions): WebHandler;
/** As above, with the services that the server needs. */
export function toWebHandler<R, RA = never, E = never>(
  server: McpServer<R>,
  layer: Layer.Layer<R | RA, E, Catalog>,
  options?: WebOptions<RA>,
): WebHandler;
export function toWebHandler<R, RA, E>(
  server: McpServer<R>,
  second: Layer.Layer<R | RA, E, Catalog> | WebOptions<RA> = {},
  third: WebOptions<RA> = {},
): WebHandler {
  const starting = Layer.isLayer(second)
    ? start(server, second as Layer.Layer<R | RA, E, Catalog>, third)
    : start(server as McpServer<never>, Layer.empty, second as WebOptions);
  let ready: Started | undefined;
  let promise: Promise<Started | undefined> | undefined;
  let disposed = false;

  /** Undefined, and to be tried again, where the layer cannot be built. */
  const started = (): Promise<Started | undefined> =>
    promise ??= Effect.runPromise(
      Effect.catchCause(
        starting,
        (cause: Cause.Cause<unknown>) => Effect.as(Effect.logError("The server cannot start", cause), undefined),
      ),
    ).then((result) => {
      if (result === undefined) promise = undefined;
      return ready = result;
    });

  const stop = ({ scope, web }: Started): Promise<void> =>
    Effect.runPromise(Effect.andThen(web.stop, Scope.close(scope, Exit.void)));

  return {
    fetch: (request) => {
      if (ready !== undefined) return ready.web.fetch(request);
      if (disposed) return Promise.resolve(unavailable(503, "The server has stopped"));
      return started().then((result) => result?.web.fetch(request) ?? unavailable(500, "Internal error"));
    },
    dispose: () => {
      disposed = true;
      if (ready !== undefined) return stop(ready);
      return promise?.then((result) => result && stop(result)) ?? Promise.resolve();
    },
  };
}
