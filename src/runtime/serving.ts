/** What serving over HTTP has in common on all runtimes. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import { Catalog } from "../server/catalog_service.ts";
import type { McpServer } from "../server/mcp_server.ts";
import { type HttpOptions, settings } from "../transport/options.ts";
import * as Guard from "../transport/origin.ts";
import * as Web from "../transport/web.ts";
import { type Environment, ServeError, start } from "./instance.ts";
import { layer as nativeCrypto } from "./native_crypto.ts";

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

/** An address that is listened on. */
export interface Bound {
  readonly hostname: string;
  readonly port: number;
}

/** Where to listen. */
export interface Address extends Bound {
  readonly tls: Options["tls"];
}

/** A server of a runtime that listens. */
export interface Listener {
  readonly bound: Bound;
  /** Takes no more connections, and resolves when all that it has taken are over. */
  readonly close: () => Promise<void>;
  /** Cuts off what is left. */
  readonly force: () => void;
}

/** How a runtime listens. `listen` throws or rejects where it cannot. */
export interface Runtime {
  readonly environment: Environment;
  readonly listen: (address: Address, web: Web.WebServer, path: string) => Listener | Promise<Listener>;
}

const reasonOf = (error: unknown): string => error instanceof Error ? error.message : String(error);

/** Listens until its scope is closed: then it takes no more connections and answers what it has taken. */
const listen = (
  { listen }: Runtime,
  address: Address,
  web: Web.WebServer,
  path: string,
): Effect.Effect<Bound, ServeError, Scope.Scope> => {
  const { hostname, port } = address;
  const open = Effect.tryPromise({
    try: () => Promise.resolve(listen(address, web, path)),
    catch: (cause) => new ServeError({ reason: `Cannot listen on ${hostname}:${port}: ${reasonOf(cause)}`, cause }),
  });
  const shutdown = ({ close, force }: Listener): Effect.Effect<void> =>
    Effect.gen(function* () {
      const closed = close();
      yield* web.stop;
      // All replies are decided now: what is left is to bring them to clients that may have gone
      const gone = yield* Effect.timeoutOption(Effect.promise(() => closed), "1 second");
      if (Option.isNone(gone)) force();
    });
  return Effect.map(Effect.acquireRelease(open, shutdown), ({ bound }) => bound);
};

const urlOf = ({ hostname, port }: Bound, path: string, tls: boolean): string =>
  `${tls ? "https" : "http"}://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}${path}`;

/** Serves `server` on `runtime` for as long as the layer lives. */
export const make = <R, RA>(
  runtime: Runtime,
  server: McpServer<R>,
  options: Options<RA>,
): Layer.Layer<Listening | Catalog, ServeError, R | RA> => {
  const { allowedHosts, allowedOrigins, hostname = "127.0.0.1", port = 8000, tls } = options;
  const loopback = Guard.isLoopback(hostname.toLowerCase());
  if (!loopback && allowedHosts === undefined) {
    throw new TypeError(`Cannot listen on ${hostname} without allowedHosts: anybody can connect, by any name`);
  }
  const read = settings(options);
  let bound: Bound | undefined;
  const guard = Guard.make({ allowedHosts, allowedOrigins, loopback, port: () => bound?.port ?? 0 });
  const serving = Effect.gen(function* () {
    const { catalog, instance } = yield* start(server, { ...options, live: read.live }, runtime.environment);
    // Their servers all hold a body to the length that is stated
    const web = Web.make(instance, read, guard, true);
    bound = yield* listen(runtime, { hostname, port, tls }, web, read.path);
    const listening: Listening = { ...bound, url: urlOf(bound, read.path, tls !== undefined) };
    return Context.add(Context.make(Listening, listening), Catalog, catalog);
  });
  return Layer.provide(
    Layer.effectContext<Listening | Catalog, ServeError, R | RA | Scope.Scope>(serving),
    nativeCrypto,
  ) as Layer.Layer<Listening | Catalog, ServeError, R | RA>;
};
