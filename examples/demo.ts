/**
 * A conversation in the terminal: the official client calls `refund` and `trip` over HTTP, and you answer.
 *
 *     deno task demo                          you are asked
 *     printf 'no\n/decline\n' | deno task demo   the lines are the answers
 *     deno task demo < /dev/null              a script answers
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as ConfigProvider from "effect/ConfigProvider";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { McpServer } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";
import { fill, type Form } from "./demo/form.ts";
import { person } from "./demo/person.ts";
import { wiretap } from "./demo/wiretap.ts";
import { layer as layerShop, refund } from "./shop.ts";
import { trip } from "./trip.ts";

const script = ["yes", "5", "2027-05-01", "3", "", "The harbour, early in the morning."];

/** Both ends of the conversation are this process, so its secret may be random. */
const secret = ConfigProvider.layer(ConfigProvider.fromUnknown({ MCP_STATE_SECRET: crypto.randomUUID() }));

const server = McpServer.make({ name: "demo", version: "1.0.0", tools: [refund, trip] });

const converse = async (url: string): Promise<void> => {
  const you = await person(script);
  const client = new Client({ name: "needful-demo", version: "1.0.0" }, {
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  client.setRequestHandler(
    "elicitation/create",
    ({ params }) => fill(you, (params as { requestedSchema: Form }).requestedSchema),
  );
  client.setRequestHandler("sampling/createMessage", async () => {
    const text = await you.answer("    You play the model. What is worth seeing? ");
    return { role: "assistant", model: "you", content: { type: "text", text: text ?? "" } };
  });
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///home/you/trips", name: "trips" }] }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: wiretap() }));

  for (
    const call of [
      { name: "refund", arguments: { order: "A-17", amount: 20 } },
      { name: "trip", arguments: { city: "Lisbon" } },
    ]
  ) {
    console.log(`\n${call.name} ${JSON.stringify(call.arguments)}`);
    const { content } = await client.callTool(call);
    for (const block of content) if (block.type === "text") console.log(`  result: ${block.text}`);
  }
  await client.close();
};

await Effect.runPromise(
  Effect.flatMap(DenoServer.Listening, ({ url }) => Effect.promise(() => converse(url))).pipe(
    Effect.provide(DenoServer.layer(server, { port: 0 }).pipe(Layer.provide([layerShop, secret]))),
  ),
);
