/** What serving over standard input and output has in common on all runtimes. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { Catalog } from "../server/catalog_service.ts";
import type { McpServer } from "../server/mcp_server.ts";
import { liveLimits } from "../transport/legacy_options.ts";
import { type Channel, serve } from "../transport/stdio.ts";
import { settings, type StdioOptions } from "../transport/stdio_options.ts";
import { type Environment, type ServeError, start } from "./instance.ts";
import { layer as nativeCrypto } from "./native_crypto.ts";

/** A client that is served over standard input and output. */
export interface Connected {
  /** Waits until there is nothing more to do: the client has closed its end, and all replies are written. */
  readonly ended: Effect.Effect<void>;
}

/** A client that is served over standard input and output. */
export const Connected: Context.Service<Connected, Connected> = Context.Service<Connected>("needful/runtime/Connected");

/** The standard streams of a runtime. */
export interface Runtime {
  readonly environment: Environment;
  /** Takes them for messages, until the scope is closed: what else would be printed goes to standard error. */
  readonly channel: Effect.Effect<Channel, never, Scope.Scope>;
}

/** The standard streams where they are taken already. */
const Taken: Context.Reference<Channel | undefined> = Context.Reference<Channel | undefined>("needful/runtime/Taken", {
  defaultValue: () => undefined,
});

/** Whether a layer that serves over the standard streams was made. */
let wanted = false;

/** Builds with the standard streams taken, if they are wanted: what such a layer needs is built before it, and may print. */
export const guarded = <A, E, R>(
  channel: Runtime["channel"],
  build: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R | Scope.Scope> =>
  wanted ? Effect.flatMap(channel, (taken) => Effect.provideService(build, Taken, taken)) : build;

/** Serves `server` over the standard streams of `runtime` for as long as the layer lives. */
export const make = <R>(
  { channel, environment }: Runtime,
  server: McpServer<R>,
  options: StdioOptions,
): Layer.Layer<Connected | Catalog, ServeError, R> => {
  const read = settings(options);
  wanted = true;
  const live = liveLimits(options.legacy ?? {}, options.keepAlive);
  const serving = Effect.gen(function* () {
    const streams = (yield* Taken) ?? (yield* channel);
    const { catalog, instance } = yield* start(server, { ...options, live }, environment);
    const fiber = yield* Effect.forkScoped(serve(instance, read, streams));
    const connected: Connected = { ended: Fiber.join(fiber) };
    return Context.add(Context.make(Connected, connected), Catalog, catalog);
  });
  return Layer.provide(
    Layer.effectContext<Connected | Catalog, ServeError, R | Scope.Scope>(serving),
    nativeCrypto,
  ) as Layer.Layer<Connected | Catalog, ServeError, R>;
};
