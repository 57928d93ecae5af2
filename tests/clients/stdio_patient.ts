/** A server over standard input and output that shows its callers often that their calls live. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import * as Native from "../native.ts";

let interrupted = 0;

const who = Need.elicit("who", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) });

const ask = Tool.make("ask", {
  description: "Asks for a name",
  handler: () =>
    who.pipe(Effect.map(({ name }) => `Hello ${name}`), Effect.onInterrupt(() => Effect.sync(() => interrupted++))),
});

const count = Tool.make("count", {
  description: "Says how many calls were interrupted",
  handler: () => Effect.sync(() => `${interrupted}`),
});

const server = McpServer.make({ name: "patient", version: "1", tools: [ask, count] });

Native.run(Native.layerStdio(server, { keepAlive: "100 millis" }));
