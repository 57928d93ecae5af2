/** What the hosts of the suite serve over standard input and output: what no example does. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import process from "node:process";
import { type Catalog, McpServer, Need, Tool } from "@needful/mcp";

const echo = Tool.make("echo", {
  description: "Gives its text back",
  input: Schema.Struct({ text: Schema.String }),
  handler: ({ text }) => Effect.succeed(text),
});

const size = Tool.make("size", {
  description: "Says how long its text is",
  input: Schema.Struct({ text: Schema.String }),
  handler: ({ text }) => Effect.succeed(String(text.length)),
});

const slow = Tool.make("slow", {
  description: "Takes its time",
  input: Schema.Struct({ millis: Schema.Int }),
  handler: ({ millis }) =>
    Effect.sleep(millis).pipe(
      Effect.as("slept"),
      Effect.onInterrupt(() => Effect.sync(() => console.error("interrupted"))),
    ),
});

const ask = Tool.make("ask", {
  description: "Asks for a name",
  handler: () =>
    Effect.map(
      Need.elicit("who", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) }),
      ({ name }) => `Hello ${name}`,
    ),
});

/** Prints in every way that runtimes share, and in those of its own. */
const printing = (own: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.gen(function* () {
    console.log("printed by log");
    console.info("printed by info");
    console.debug("printed by debug");
    console.dir({ printed: "by dir" }, { depth: 0 });
    console.dirxml("printed by dirxml");
    console.table([{ printed: "by table" }]);
    console.count("printed by count");
    console.countReset("printed by count");
    console.group("printed by group");
    console.groupEnd();
    console.time("printed by time");
    console.timeLog("printed by time", "log");
    console.timeEnd("printed by time");
    console.trace("printed by trace");
    console.clear();
    process.stdout.write("printed by process.stdout\n");
    yield* own;
    yield* Effect.logInfo("printed by Effect");
  });

const linger = Tool.make("linger", {
  description: "Leaves an interval behind",
  handler: () => Effect.sync(() => `interval ${setInterval(() => {}, 1_000)}`),
});

const stubborn = Tool.make("stubborn", {
  description: "Does not end",
  handler: () => Effect.as(Effect.uninterruptible(Effect.never), ""),
});

/** What the server needs may print as well, before there is a server. */
const first = Layer.effectDiscard(
  Effect.andThen(
    Effect.sync(() => console.log("printed by what is needed")),
    Effect.logInfo("printed by Effect before"),
  ),
);

/** What is used of the entry point of a runtime. */
export interface Entry<Connected, E> {
  readonly layerStdio: (
    server: McpServer.McpServer,
    options: { readonly drainWithin: "2 seconds"; readonly stopWithin: "200 millis" },
  ) => Layer.Layer<Connected | Catalog.Catalog, E>;
  readonly run: <A, E>(layer: Layer.Layer<A, E>) => void;
}

/** Serves whoever started the process. `own` prints in the ways that only this runtime has. */
export const host = <Connected, E>(
  { layerStdio, run }: Entry<Connected, E>,
  own: Effect.Effect<void> = Effect.void,
): void => {
  const print = Tool.make("print", {
    description: "Prints in every way there is",
    handler: () => Effect.as(printing(own), "printed"),
  });
  const server = McpServer.make({
    name: "stdio-test",
    version: "1",
    tools: [echo, size, slow, ask, print, linger, stubborn],
  });
  run(Layer.provide(layerStdio(server, { drainWithin: "2 seconds", stopWithin: "200 millis" }), first));
};
