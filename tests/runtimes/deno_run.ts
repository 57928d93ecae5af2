/** A program that serves on a free port until it is told to stop, with whatever permissions it has. Prints its URL. */
import * as Console from "effect/Console";
import * as Context from "effect/Context";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import { McpServer } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";

DenoServer.layer(McpServer.make({ name: "run", version: "1" }), { port: 0 }).pipe(
  Layer.tap((context) => Console.log(Context.get(context, DenoServer.Listening).url)),
  Layer.provide(Layer.succeed(Logger.LogToStderr, true)),
  DenoServer.run,
);

// What would keep the process alive, if it were not ended
setInterval(() => {}, 1_000);
