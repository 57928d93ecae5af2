/** A program that serves until it is told to stop, for the tests of `run`. Takes a port; prints its URL, and its end. */
import * as Console from "effect/Console";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import { McpServer } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";

const held = Layer.effectDiscard(Effect.acquireRelease(Effect.void, () => Console.log("released")));

DenoServer.layer(McpServer.make({ name: "run", version: "1" }), { port: Number(Deno.args[0]) }).pipe(
  Layer.tap((context) => Console.log(Context.get(context, DenoServer.Listening).url)),
  Layer.provideMerge(held),
  Layer.provide(Layer.succeed(Logger.LogToStderr, true)),
  DenoServer.run,
);

// What would keep the process alive, if it were not ended
setInterval(() => {}, 1_000);
