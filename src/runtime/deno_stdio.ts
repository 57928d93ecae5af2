/** Serving over standard input and output on Deno. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { Catalog } from "../server/catalog_service.ts";
import type { McpServer } from "../server/mcp_server.ts";
import { liveLimits } from "../transport/legacy_options.ts";
import { serve } from "../transport/stdio.ts";
import { settings, type StdioOptions } from "../transport/stdio_options.ts";
import { type ServeError, start } from "./deno_instance.ts";
import { redirect } from "./deno_output.ts";
import { layer as nativeCrypto } from "./native_crypto.ts";

export type { LegacyOptions, StdioOptions } from "../transport/stdio_options.ts";

/** A client that is served over standard input and output. */
export interface Connected {
  /** Waits until there is nothing more to do: the client has closed its end, and all replies are written. */
  readonly ended: Effect.Effect<void>;
}

/** A client that is served over standard input and output. */
export const Connected: Context.Service<Connected, Connected> = Context.Service<Connected>("needful/runtime/Connected");

/** What is used of the standard streams. */
interface Streams {
  readonly stdin: { readonly readable: ReadableStream<Uint8Array> };
  readonly stdout: { readonly writable: WritableStream<Uint8Array> };
}

const streams = (): Streams => Deno;

/**
 * Serves `server` to the process that started this one, over standard input and output, until the client closes the input
 * or the layer is closed; `run` ends the process then. It needs no permission, and `MCP_STATE_SECRET` as `layer` does.
 *
 * Standard output is for messages alone: what the console, `Deno.stdout` or `process.stdout` would print there goes to
 * standard error for as long as the layer lives. Throws where an option is not valid.
 */
export const layerStdio = <R>(
  server: McpServer<R>,
  options: StdioOptions = {},
): Layer.Layer<Connected | Catalog, ServeError, R> => {
  const read = settings(options);
  const live = liveLimits(options.legacy ?? {}, options.keepAlive);
  const serving = Effect.gen(function* () {
    yield* redirect;
    const { catalog, instance } = yield* start(server, { ...options, live });
    const { stdin, stdout } = streams();
    const writer = yield* Effect.acquireRelease(
      Effect.sync(() => stdout.writable.getWriter()),
      (writer) => Effect.sync(() => writer.releaseLock()),
    );
    const channel = { input: stdin.readable, write: (bytes: Uint8Array) => writer.write(bytes) };
    const fiber = yield* Effect.forkScoped(serve(instance, read, channel));
    const connected: Connected = { ended: Fiber.join(fiber) };
    return Context.add(Context.make(Connected, connected), Catalog, catalog);
  });
  return Layer.provide(
    Layer.effectContext<Connected | Catalog, ServeError, R | Scope.Scope>(serving),
    nativeCrypto,
  ) as Layer.Layer<Connected | Catalog, ServeError, R>;
};
