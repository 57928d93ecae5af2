/**
 * How the examples are served, on any runtime: at `/mcp`, with `PORT` (0: a free one) and `MCP_STATE_SECRET` from the
 * environment. The first line of the output is the server's URL; the log goes to standard error.
 */
import * as Config from "effect/Config";
import * as ConfigProvider from "effect/ConfigProvider";
import * as Console from "effect/Console";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import type { Catalog, McpServer } from "@needful/mcp";

/** How a server listens. */
export interface Options<R> extends McpServer.HttpOptions<R> {
  readonly port: number;
}

/** What `@needful/mcp/deno`, `@needful/mcp/bun` and `@needful/mcp/node` have in common, as far as it is used here. */
export interface Runtime<Listening extends { readonly url: string }, E> {
  readonly Listening: Context.Service<Listening, Listening>;
  readonly layer: <R, RA>(
    server: McpServer.McpServer<R>,
    options: Options<RA>,
  ) => Layer.Layer<Listening | Catalog.Catalog, E, R | RA>;
  readonly run: <A, E>(layer: Layer.Layer<A, E>) => void;
}

const port = Config.Int("PORT").pipe(Config.withDefault(8000));

/** Serves `server`, with what its handlers need from `services`, until the process is told to stop. */
export const serveOn = <Listening extends { readonly url: string }, R, E, E2>(
  { Listening, layer, run }: Runtime<Listening, E2>,
  server: McpServer.McpServer<R>,
  services: Layer.Layer<R, E>,
  options: McpServer.HttpOptions<R> & {
    /** A line to print after the URL. */
    readonly hint?: (url: string) => string;
    /** Reads one variable of the environment. */
    readonly variable: (name: "PORT" | "MCP_STATE_SECRET") => string | undefined;
  },
): void => {
  const { hint, variable, ...http } = options;
  const lines = (url: string): string => hint === undefined ? url : `${url}\n${hint(url)}`;
  const environment = ConfigProvider.layer(
    Effect.sync(() =>
      ConfigProvider.fromEnvRecord({ PORT: variable("PORT"), MCP_STATE_SECRET: variable("MCP_STATE_SECRET") })
    ),
  );

  Effect.map(port, (port) => layer(server, { port, ...http })).pipe(
    Layer.unwrap,
    Layer.tap((context) => Console.log(lines(Context.get(context, Listening).url))),
    Layer.provide([services, environment, Layer.succeed(Logger.LogToStderr, true)]),
    run,
  );
};
