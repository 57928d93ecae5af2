/**
 * The smallest handler that asks: one question, answered with a typed and validated value.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/whoami.ts
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { serve } from "./serve.ts";

const Person = Schema.Struct({ name: Schema.NonEmptyString });

export const whoami: Tool.Tool<Need.Elicitation> = Tool.make("whoami", {
  description: "Greets whoever is on the other side",
  handler: Effect.fn(function* () {
    const { name } = yield* Need.elicit("username", { message: "What is your name?", schema: Person });
    return `Hello, ${name}!`;
  }),
});

export const server: McpServer.McpServer = McpServer.make({ name: "whoami", version: "1.0.0", tools: [whoami] });

if (import.meta.main) serve(server, Layer.empty);
