/**
 * How the examples are served: on Deno, at `/mcp`, with `PORT` (0: a free one) and `MCP_STATE_SECRET` from the
 * environment. The first line of the output is the server's URL; the log goes to standard error.
 */
import * as Config from "effect/Config";
import * as ConfigProvider from "effect/ConfigProvider";
import * as Console from "effect/Console";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import type { McpServer } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";

/** Reads just these two variables, so that `--allow-env=PORT,MCP_STATE_SECRET` is enough. */
const environment = ConfigProvider.layer(Effect.sync(() =>
  ConfigProvider.fromEnvRecord({
    PORT: Deno.env.get("PORT"),
    MCP_STATE_SECRET: Deno.env.get("MCP_STATE_SECRET"),
  })
));

const port = Config.Int("PORT").pipe(Config.withDefault(8000));

/** Serves `server`, with what its handlers need from `services`, until the process is told to stop. */
export const serve = <R, E>(
  server: McpServer.McpServer<R>,
  services: Layer.Layer<R, E>,
  options: DenoServer.Options<R> & { readonly hint?: (url: string) => string } = {},
): void => {
  const { hint, ...http } = options;
  const lines = (url: string): string => hint === undefined ? url : `${url}\n${hint(url)}`;

  Effect.map(port, (port) => DenoServer.layer(server, { port, ...http })).pipe(
    Layer.unwrap,
    Layer.tap((context) => Console.log(lines(Context.get(context, DenoServer.Listening).url))),
    Layer.provide([services, environment, Layer.succeed(Logger.LogToStderr, true)]),
    DenoServer.run,
  );
};
