/** What a user of npm does, in plain JavaScript: a server on Node, a call of it, and a handler under test. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import * as NodeServer from "@needful/mcp/node";
import { accept, Client } from "@needful/mcp/testing";

const whoami = Tool.make("whoami", {
  description: "Greets whoever is on the other side",
  input: Schema.Struct({ greeting: Schema.String }),
  handler: Effect.fn(function* ({ greeting }) {
    const { name } = yield* Need.elicit("username", {
      message: "What is your name?",
      schema: Schema.Struct({ name: Schema.NonEmptyString }),
    });
    return `${greeting}, ${name}!`;
  }),
});

const server = McpServer.make({ name: "consumer", version: "1.0.0", tools: [whoami] });

const listed = Effect.gen(function* () {
  const { url } = yield* NodeServer.Listening;
  const method = "tools/list";
  const response = yield* Effect.promise(() =>
    fetch(url, {
      method: "POST",
      headers: {
        "accept": "application/json",
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method,
        params: {
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      }),
    })
  );
  const { result } = yield* Effect.promise(() => response.json());
  return result.tools.map(({ name }) => name);
});

const played = Effect.gen(function* () {
  const client = yield* Client.make(server);
  const call = yield* client.callTool("whoami", { greeting: "Hello" }, { username: accept({ name: "Ada" }) });
  return [call.text, call.rounds.length];
});

const layer = NodeServer.layer(server, { port: 0 });
console.log(JSON.stringify(await Effect.runPromise(Effect.provide(listed, layer))));
console.log(JSON.stringify(await Effect.runPromise(Effect.scoped(played))));
console.log(Layer.isLayer(layer), Context.isContext(Context.empty()));
