/**
 * Serving on Bun: `layer` serves for as long as it lives, and `run` keeps a layer alive until the process is told to stop.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import { McpServer, Tool } from "@needful/mcp";
 * import * as BunServer from "@needful/mcp/bun";
 *
 * const hello = Tool.make("hello", { description: "Greets", handler: () => Effect.succeed("Hello!") });
 * const server = McpServer.make({ name: "demo", version: "1.0.0", tools: [hello] });
 *
 * const program = Effect.gen(function* () {
 *   const { url } = yield* BunServer.Listening;
 *   console.log(`A client can connect to ${url} now`);
 * });
 * const main = Effect.provide(program, BunServer.layer(server, { port: 0 }));
 * if ("Bun" in globalThis) await Effect.runPromise(main);
 * ```
 *
 * @module
 */
import type * as Layer from "effect/Layer";
import type { Catalog } from "../server/catalog_service.ts";
import type { McpServer } from "../server/mcp_server.ts";
import type { StdioOptions } from "../transport/stdio_options.ts";
import { listen } from "./bun_server.ts";
import type { ServeError } from "./instance.ts";
import { environment, process } from "./node_process.ts";
import { channel } from "./node_stdio.ts";
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

/**
 * Serves `server` for as long as the layer lives; when it is closed, calls in flight may finish within `stopWithin`.
 *
 * Throws where an option is not valid, and where `hostname` is not loopback and `allowedHosts` is absent. Unless there is
 * a `Sealer` or a `ConfigProvider` in its context, states are sealed with the keys in the variable `MCP_STATE_SECRET`.
 */
export const layer = <R, RA = never>(
  server: McpServer<R>,
  options: Serving.Options<RA> = {},
): Layer.Layer<Serving.Listening | Catalog, ServeError, R | RA> =>
  Serving.make({ environment, listen }, server, options);

/**
 * Serves `server` to the process that started this one, over standard input and output, until the client closes the input
 * or the layer is closed; `run` ends the process then. Keys are read as `layer` does.
 *
 * Standard output is for messages alone: what the console or `process.stdout` would print there goes to standard error for
 * as long as the layer lives. Throws where an option is not valid.
 */
export const layerStdio = <R>(
  server: McpServer<R>,
  options: StdioOptions = {},
): Layer.Layer<Stdio.Connected | Catalog, ServeError, R> => Stdio.make({ environment, channel }, server, options);

/**
 * Runs a layer until SIGINT or SIGTERM, or until the client that `layerStdio` serves is gone; then stops it in order, and
 * exits with 0. Prints why, and exits with 1, if it cannot be built; and nothing else. To print where it listens:
 * `Layer.tap(layer, (context) => Console.log(Context.get(context, Listening).url))`.
 */
export const run = <A, E>(layer: Layer.Layer<A, E>): void => Program.run(process, layer);
