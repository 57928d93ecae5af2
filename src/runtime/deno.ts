/**
 * Serving on Deno: `layer` serves over HTTP and `layerStdio` over standard input and output, for as long as they live; `run`
 * keeps a layer alive until the process is told to stop, or its client has gone.
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
import type * as Layer from "effect/Layer";
import type { Catalog } from "../server/catalog_service.ts";
import type { McpServer } from "../server/mcp_server.ts";
import type { StdioOptions } from "../transport/stdio_options.ts";
import { channel } from "./deno_stdio.ts";
import type { Environment, ServeError } from "./instance.ts";
import * as Program from "./program.ts";
import * as Serving from "./serving.ts";
import * as Stdio from "./stdio.ts";

export { ServeError } from "./instance.ts";
export { type CryptoServices, layer as layerCrypto } from "./native_crypto.ts";
export { Listening, type Options } from "./serving.ts";
export { Connected } from "./stdio.ts";
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
export type { LegacyOptions, StdioOptions } from "../transport/stdio_options.ts";

/** One variable, if the process may read it: the whole environment would need a permission of its own. */
const environment: Environment = (variable) =>
  Deno.permissions.querySync({ name: "env", variable }).state === "granted" ? Deno.env.get(variable) : undefined;

/** What is used of Deno's server. */
interface HttpServer {
  readonly addr: Serving.Bound;
  readonly shutdown: () => Promise<void>;
}

const http: Serving.Runtime = {
  environment,
  listen: ({ hostname, port, tls }, { fetch }) => {
    const server: HttpServer = Deno.serve({ hostname, port, onListen: () => {}, ...tls }, (request) => fetch(request));
    // Deno cannot cut connections off once it shuts down: a client that reads nothing keeps its own until it leaves
    return { bound: server.addr, close: () => server.shutdown(), force: () => {} };
  },
};

/**
 * Serves `server` for as long as the layer lives; when it is closed, calls in flight may finish within `stopWithin`.
 *
 * Throws where an option is not valid, and where `hostname` is not loopback and `allowedHosts` is absent. Unless there is
 * a `Sealer` or a `ConfigProvider` in its context, states are sealed with the keys in the variable `MCP_STATE_SECRET`, which
 * needs `--allow-env=MCP_STATE_SECRET`.
 */
export const layer = <R, RA = never>(
  server: McpServer<R>,
  options: Serving.Options<RA> = {},
): Layer.Layer<Serving.Listening | Catalog, ServeError, R | RA> => Serving.make(http, server, options);

/**
 * Serves `server` to the process that started this one, over standard input and output, until the client closes the input
 * or the layer is closed; `run` ends the process then. It needs no permission, and `MCP_STATE_SECRET` as `layer` does.
 *
 * Standard output is for messages alone: what the console, `Deno.stdout` or `process.stdout` would print there goes to
 * standard error for as long as the layer lives; with `run`, also what the layer needs may print while it is built. Throws
 * where an option is not valid.
 */
export const layerStdio = <R>(
  server: McpServer<R>,
  options: StdioOptions = {},
): Layer.Layer<Stdio.Connected | Catalog, ServeError, R> => Stdio.make({ environment, channel }, server, options);

/** Only when it is asked for: programs for several runtimes may import all of them. */
const process = (): Program.Process => ({
  signals: Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"],
  on: Deno.addSignalListener,
  off: Deno.removeSignalListener,
  exit: Deno.exit,
  channel,
});

/**
 * Runs a layer until SIGINT or SIGTERM, or until the client that `layerStdio` serves is gone; then stops it in order, and
 * exits with 0. Prints why, and exits with 1, if it cannot be built; and nothing else. To print where it listens:
 * `Layer.tap(layer, (context) => Console.log(Context.get(context, Listening).url))`.
 */
export const run = <A, E>(layer: Layer.Layer<A, E>): void => Program.run(process(), layer);
