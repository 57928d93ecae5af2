/**
 * Asks only for what the arguments leave out, and for all of it in one round trip.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/greet.ts
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { serve } from "./serve.ts";

const Name = Schema.Struct({ name: Schema.NonEmptyString });
const City = Schema.Struct({ city: Schema.NonEmptyString });

const askName = Need.elicit("name", { message: "Who shall be greeted?", schema: Name });
const askCity = Need.elicit("city", { message: "Where are they?", schema: City });

export const greet: Tool.Tool<Need.Elicitation> = Tool.make("greet", {
  description: "Greets somebody somewhere",
  input: Schema.Struct({ name: Schema.optionalKey(Schema.String), city: Schema.optionalKey(Schema.String) }),
  handler: Effect.fn(function* (known) {
    const { name, city } = yield* Need.all({
      name: known.name === undefined ? Effect.map(askName, ({ name }) => name) : Effect.succeed(known.name),
      city: known.city === undefined ? Effect.map(askCity, ({ city }) => city) : Effect.succeed(known.city),
    });
    return `Greetings to ${name} in ${city}!`;
  }),
});

export const server: McpServer.McpServer = McpServer.make({ name: "greet", version: "1.0.0", tools: [greet] });

if (import.meta.main) serve(server, Layer.empty);
