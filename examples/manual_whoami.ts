/**
 * `whoami.ts` in the returning style: the handler returns its question, runs again with the answer, and says what each of
 * the three things means that a user can do with a form.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/manual_whoami.ts
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { Manual, McpServer, Need, Tool } from "@needful/mcp";
import { serve } from "./serve.ts";

const Person = Schema.Struct({ name: Schema.NonEmptyString });

const requests = { username: Manual.elicit({ message: "What is your name?", schema: Person }) };

export const whoami: Tool.Tool<Need.Flow> = Tool.make("manual_whoami", {
  description: "Greets whoever is on the other side, in the returning style",
  handler: Effect.fn(function* () {
    const { username } = yield* Manual.responses(requests);
    if (username === undefined) return Manual.inputRequired({ inputRequests: requests });

    switch (username.action) {
      case "accept":
        return `Hello, ${username.content.name}!`;
      case "decline":
        return yield* new Need.Declined({ key: "username" });
      case "cancel":
        return yield* new Need.Cancelled({ key: "username" });
    }
  }),
});

export const server: McpServer.McpServer = McpServer.make({ name: "manual_whoami", version: "1.0.0", tools: [whoami] });

if (import.meta.main) serve(server, Layer.empty);
