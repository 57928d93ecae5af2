/**
 * Serving on Deno: `layer` serves for as long as it lives, and `run` keeps a layer alive until the process is told to stop.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import { McpServer, Tool } from "@needful/mcp";
 * import * as DenoServer from "@needful/mcp/deno";
 *
 * const hello = Tool.make("hello", { description: "Greets", handler: () => Effect.succeed("Hello!") });
 * const server = McpServer.make({ name: "demo", version: "1.0.0", tools: [hello] });
 *
 * const program = Effect.gen(function* () {
 *   const { url } = yield* DenoServer.Listening;
 *   console.log(`A client can connect to ${url} now`);
 * });
 * await Effect.runPromise(Effect.provide(program, DenoServer.layer(server, { port: 0 })));
 * ```
 *
 * @module
 */
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import { Catalog } from "../server/catalog_service.ts";
import type { McpServer } from "../server/mcp_server.ts";
import { type HttpOptions, settings } from "../transport/options.ts";
import * as Guard from "../transport/origin.ts";
import * as Web from "../transport/web.ts";
import { ServeError, start } from "./deno_instance.ts";
import { Connected } from "./deno_stdio.ts";
import { layer as nativeCrypto } from "./native_crypto.ts";

export { ServeError } from "./deno_instance.ts";
export { Connected, layerStdio, type LegacyOptions, type StdioOptions } from "./deno_stdio.ts";
export type {
  Authenticate,
  AuthRequest,
  HeaderReader,
  HttpOptions,
  Limits,
  Principal,
  Unauthorized,
  UnauthorizedOptions,
} from "../transport/options.ts";

/** How a server listens. */
export interface Options<R = never> extends HttpOptions<R> {
  /** Default 8000; 0 takes a free one. */
  readonly port?: number;
  /** Default `127.0.0.1`. Anything that is not loopback needs `allowedHosts`. */
  readonly hostname?: string;
  /** Certificate chain and private key in PEM, for HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A server that listens. */
export interface Listening {
  /** As it is bound. */
  readonly hostname: string;
  /** As it is bound: a free one where 0 was asked for. */
  readonly port: number;
  /** Of the endpoint, like `http://127.0.0.1:8000/mcp`. */
  readonly url: string;
}

/** A server that listens. */
export const Listening: Context.Service<Listening, Listening> = Context.Service<Listening>("needful/runtime/Listening");

const reasonOf = (error: unknown): string => error instanceof Error ? error.message : String(error);

interface Bound {
  readonly hostname: string;
  readonly port: number;
}

/** What is used of Deno's server. */
interface HttpServer {
  readonly addr: Bound;
  readonly shutdown: () => Promise<void>;
}

/** Listens until its scope is closed: then it takes no more connections and answers what it has taken. */
const listen = (
  { hostname = "127.0.0.1", port = 8000, tls }: Options<never>,
  fetch: (request: Request) => Promise<Response>,
  stop: Effect.Effect<void>,
): Effect.Effect<Bound, ServeError, Scope.Scope> => {
  const force = new AbortController();
  const serve = Effect.try({
    try: (): HttpServer =>
      Deno.serve({ hostname, port, signal: force.signal, onListen: () => {}, ...tls }, (request) => fetch(request)),
    catch: (cause) => new ServeError({ reason: `Cannot listen on ${hostname}:${port}: ${reasonOf(cause)}`, cause }),
  });
  const shutdown = (server: HttpServer): Effect.Effect<void> =>
    Effect.gen(function* () {
      const closed = server.shutdown();
      yield* stop;
      // All replies are decided now: what is left is to bring them to clients that may have gone
      const gone = yield* Effect.timeoutOption(Effect.promise(() => closed), "1 second");
      if (Option.isNone(gone)) force.abort();
    });
  return Effect.map(Effect.acquireRelease(serve, shutdown), (server) => server.addr);
};

const urlOf = ({ hostname, port }: Bound, path: string, tls: boolean): string =>
  `${tls ? "https" : "http"}://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}${path}`;

/**
 * Serves `server` for as long as the layer lives; when it is closed, calls in flight may finish within `stopWithin`.
 *
 * Throws where an option is not valid, and where `hostname` is not loopback and `allowedHosts` is absent. Unless there is
 * a `Sealer` or a `ConfigProvider` in its context, states are sealed with the keys in the variable `MCP_STATE_SECRET`, which
 * needs `--allow-env=MCP_STATE_SECRET`.
 */
export const layer = <R, RA = never>(
  server: McpServer<R>,
  options: Options<RA> = {},
): Layer.Layer<Listening | Catalog, ServeError, R | RA> => {
  const { allowedHosts, allowedOrigins, hostname = "127.0.0.1", tls } = options;
  const loopback = Guard.isLoopback(hostname.toLowerCase());
  if (!loopback && allowedHosts === undefined) {
    throw new TypeError(`Cannot listen on ${hostname} without allowedHosts: anybody can connect, by any name`);
  }
  const read = settings(options);
  let bound: Bound | undefined;
  const guard = Guard.make({ allowedHosts, allowedOrigins, loopback, port: () => bound?.port ?? 0 });
  const serving = Effect.gen(function* () {
    const { catalog, instance } = yield* start(server, options);
    const web = Web.make(instance, read, guard);
    bound = yield* listen(options as Options<never>, web.fetch, web.stop);
    const listening: Listening = { ...bound, url: urlOf(bound, read.path, tls !== undefined) };
    return Context.add(Context.make(Listening, listening), Catalog, catalog);
  });
  return Layer.provide(
    Layer.effectContext<Listening | Catalog, ServeError, R | RA | Scope.Scope>(serving),
    nativeCrypto,
  ) as Layer.Layer<
    Listening | Catalog,
    ServeError,
    R | RA
  >;
};

/** What a layer is run for: until the client is served, where it serves one, and else for ever. */
const purpose = (context: Context.Context<never>): Effect.Effect<void> =>
  Option.match(Context.getOption(context, Connected), { onNone: () => Effect.never, onSome: ({ ended }) => ended });

/**
 * Runs a layer until SIGINT or SIGTERM, or until the client that `layerStdio` serves is gone; then stops it in order, and
 * exits with 0. Prints why, and exits with 1, if it cannot be built.
 */
export const run = <A, E>(layer: Layer.Layer<A, E>): void => {
  const signals: ReadonlyArray<Deno.Signal> = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  let stopping = false;
  const stop = (): void => {
    // Whoever asks twice does not want to wait
    if (stopping) Deno.exit(130);
    stopping = true;
    fiber.interruptUnsafe();
  };
  // Before anything says that it runs: who reads that may stop it at once
  for (const signal of signals) Deno.addSignalListener(signal, stop);
  const fiber = Effect.runFork(Effect.scoped(Effect.flatMap(Layer.build(layer), purpose)));
  fiber.addObserver((exit) => {
    for (const signal of signals) Deno.removeSignalListener(signal, stop);
    if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) Deno.exit(0);
    console.error(Cause.pretty(exit.cause));
    Deno.exit(1);
  });
};
