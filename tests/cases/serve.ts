/** Serves a server value in this process, for the cases. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Redacted from "effect/Redacted";
import { McpServer, Sealer } from "@needful/mcp";
import * as Native from "../native.ts";
import { layer as nativeCrypto } from "../../src/runtime/native_crypto.ts";
import type { Target } from "./wire.ts";

/** The key that the servers of the cases seal with. */
export const secret = "the secret of the cases, 32 bytes long";

/** A sealer with these keys, the first of which seals. */
export const sealer = (
  keys: ReadonlyArray<string> = [secret],
  settings: Sealer.Settings = {},
): Layer.Layer<Sealer.Sealer> =>
  Sealer.layer({ keys: keys.map((key) => Redacted.make(key)), ...settings }).pipe(
    Layer.provide(nativeCrypto),
    Layer.orDie,
  );

/** A line of the server's log. */
export interface Line {
  readonly level: string;
  readonly text: string;
}

/** A log that can be looked at, as a layer. */
export const log = (): { readonly lines: ReadonlyArray<Line>; readonly layer: Layer.Layer<never> } => {
  const lines: Array<Line> = [];
  const keep = Logger.make<unknown, void>((options) => {
    lines.push({ level: options.logLevel, text: Logger.formatLogFmt.log(options) });
  });
  return { lines, layer: Logger.layer([keep]) };
};

/** How to serve. */
export interface Options<R> extends McpServer.HttpOptions {
  /** What the handlers need, and what replaces the sealer, the log or the clock of the cases. */
  readonly layer?: Layer.Layer<R>;
}

const quiet: Layer.Layer<never> = Logger.layer([]);

const base: Layer.Layer<Sealer.Sealer> = Layer.merge(sealer(), quiet);

const provided = <R>(layer: Layer.Layer<R> | undefined): Layer.Layer<R | Sealer.Sealer> =>
  layer === undefined ? base as Layer.Layer<R | Sealer.Sealer> : Layer.merge(base, layer);

/** Runs `use` against the Web handler of `server`, by calls in this process. */
export const inProcess = async <R = never>(
  server: McpServer.McpServer<R>,
  use: (target: Target) => Promise<void>,
  { layer, ...options }: Options<R> = {},
): Promise<void> => {
  const web = McpServer.toWebHandler(server, provided(layer) as Layer.Layer<R>, options);
  try {
    await use({ url: "http://localhost/mcp", fetch: web.fetch });
  } finally {
    await web.dispose();
  }
};

/** A server that listens on a port. */
export interface Listening extends Target {
  readonly port: number;
}

/** Runs `use` against `server` on a free port of this machine. */
export const overHttp = <R = never>(
  server: McpServer.McpServer<R>,
  use: (target: Listening) => Promise<void>,
  { layer, ...options }: Options<R> = {},
): Promise<void> =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      Native.layer(server, { port: 0, ...options }).pipe(Layer.provide(provided(layer) as Layer.Layer<R>)),
    );
    const { port, url } = Context.get(context, Native.Listening);
    yield* Effect.promise(() => use({ port, url, fetch: (request) => fetch(request) }));
  }).pipe(Effect.scoped, Effect.runPromise);

/** Runs `use` in both ways, one after the other. */
export const bothWays = async <R = never>(
  server: () => McpServer.McpServer<R>,
  use: (target: Target, way: "in process" | "over HTTP") => Promise<void>,
  options: Options<R> = {},
): Promise<void> => {
  await inProcess(server(), (target) => use(target, "in process"), options);
  await overHttp(server(), (target) => use(target, "over HTTP"), options);
};
