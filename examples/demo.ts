/**
 * A conversation in the terminal: the official client calls `refund` and `trip` over HTTP, and you answer. `/decline`
 * and `/cancel` are answers, too.
 *
 *     deno task demo                              you are asked
 *     printf 'no\n/decline\n\n' | deno task demo    these lines are the answers
 *     deno task demo < /dev/null                  a script answers
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

const calls = [
  { name: "refund", arguments: { order: "A-17", amount: 20 } },
  { name: "trip", arguments: { city: "Lisbon" } },
];

/** A client whose user and model are whoever answers. */
const connect = async (url: string): Promise<Client> => {
  const you = await person(script);
  const client = new Client({ name: "needful-demo", version: "1.0.0" }, {
    capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  client.setRequestHandler("elicitation/create", ({ params }) => {
    const form = (params as { readonly requestedSchema: Form }).requestedSchema;
    return you.question(params.message, (ask) => fill(ask, form));
  });
  client.setRequestHandler("sampling/createMessage", ({ params }) => {
    const prompt = params.messages[0]?.content as { readonly text: string };
    return you.question(`You play the model. ${prompt.text}`, async (ask) => {
      const text = await ask("      the model says: ") ?? "";
      return { role: "assistant", model: "you", content: { type: "text", text } };
    });
  });
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///home/you/trips", name: "trips" }] }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: wiretap() }));
  return client;
};

const converse = async (url: string): Promise<void> => {
  const client = await connect(url);
  for (const call of calls) {
    console.log(`\n${call.name} ${JSON.stringify(call.arguments)}`);
    const { content, isError } = await client.callTool(call);
    for (const block of content) {
      if (block.type === "text") console.log(`  ${isError ? "error" : "result"}: ${block.text}`);
    }
  }
  await client.close();
};

/** Both ends of the conversation are in this process, so its secret may be random. */
const secret = ConfigProvider.layer(ConfigProvider.fromUnknown({ MCP_STATE_SECRET: crypto.randomUUID() }));

const server = McpServer.make({ name: "demo", version: "1.0.0", tools: [refund, trip] });

await Effect.runPromise(
  Effect.flatMap(DenoServer.Listening, ({ url }) => Effect.promise(() => converse(url))).pipe(
    Effect.provide(DenoServer.layer(server, { port: 0 }).pipe(Layer.provide([layerShop, secret]))),
  ),
);
