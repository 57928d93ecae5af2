/**
 * `greet.ts` in the returning style: of the requests that this call needs, `missing` leaves those that have no answer yet.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/manual_greet.ts
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { Manual, McpServer, Need, Tool } from "@needful/mcp";
import { serve } from "./serve.ts";

const requests = {
  name: Manual.elicit({ message: "Who shall be greeted?", schema: Schema.Struct({ name: Schema.NonEmptyString }) }),
  city: Manual.elicit({ message: "Where are they?", schema: Schema.Struct({ city: Schema.NonEmptyString }) }),
};

/** The content of a form that was answered; a no ends the call. */
const contentOf = <A>(key: string, response: Manual.FormResponse<A> | undefined) => {
  if (response?.action === "accept") return Effect.succeed(response.content);
  return Effect.fail(response?.action === "decline" ? new Need.Declined({ key }) : new Need.Cancelled({ key }));
};

export const greet: Tool.Tool<Need.Flow> = Tool.make("manual_greet", {
  description: "Greets somebody somewhere, in the returning style",
  input: Schema.Struct({ name: Schema.optionalKey(Schema.String), city: Schema.optionalKey(Schema.String) }),
  handler: Effect.fn(function* (known) {
    const missing = yield* Manual.missing({
      ...(known.name === undefined ? { name: requests.name } : {}),
      ...(known.city === undefined ? { city: requests.city } : {}),
    });
    if (Object.keys(missing).length > 0) return Manual.inputRequired({ inputRequests: missing });

    const answers = yield* Manual.responses(requests);
    const name = known.name ?? (yield* contentOf("name", answers.name)).name;
    const city = known.city ?? (yield* contentOf("city", answers.city)).city;
    return `Greetings to ${name} in ${city}!`;
  }),
});

export const server: McpServer.McpServer = McpServer.make({ name: "manual_greet", version: "1.0.0", tools: [greet] });

if (import.meta.main) serve(server, Layer.empty);
