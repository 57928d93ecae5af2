/** What a user of npm does, in TypeScript: every entry point, and types that are inferred across them. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import * as Entry from "@needful/mcp";
import { Auth, type Catalog, McpServer, Need, Tool } from "@needful/mcp";
import * as BunServer from "@needful/mcp/bun";
import * as DenoServer from "@needful/mcp/deno";
import * as Mcp from "@needful/mcp/http";
import * as NodeServer from "@needful/mcp/node";
import * as Testing from "@needful/mcp/testing";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_T extends true>(): void => {};

const ask = Need.elicit("who", {
  message: "Who?",
  schema: Schema.Struct({ name: Schema.String, age: Schema.optionalKey(Schema.Int) }),
});
holds<Equal<Effect.Success<typeof ask>, { readonly name: string; readonly age?: number }>>();

const literal = Need.elicit("literal", {
  message: "Who?",
  schema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] } as const,
});
holds<Equal<Effect.Success<typeof literal>["count"], number>>();

const greet = Tool.make("greet", {
  description: "Greets",
  input: Schema.Struct({ loud: Schema.Boolean }),
  output: Schema.Struct({ text: Schema.String }),
  handler: ({ loud }) => Effect.map(ask, ({ name }) => ({ text: loud ? name.toUpperCase() : name })),
});

const server = McpServer.make({ name: "consumer", version: "1.0.0", tools: [greet] });
holds<Equal<typeof server, McpServer.McpServer<never>>>();

const authenticate: Auth.Authenticate = ({ header }) =>
  header("authorization") === undefined
    ? Effect.fail(new Auth.Unauthorized({ challenge: "Bearer" }))
    : Effect.succeed(Auth.principal("ada"));

const node: Layer.Layer<NodeServer.Listening | Catalog.Catalog, NodeServer.ServeError> = NodeServer.layer(server, {
  port: 0,
  authenticate,
});
const layers = [
  node,
  BunServer.layer(server),
  DenoServer.layer(server),
  NodeServer.layerStdio(server),
  Mcp.layer(server),
];
const handler: (request: Request) => Promise<Response> = McpServer.toWebHandler(server).fetch;

const played = Effect.gen(function* () {
  const client = yield* Testing.Client.make(server);
  const call = yield* client.callTool("greet", { loud: true }, { who: Testing.accept({ name: "Ada" }) });
  return call.result.structuredContent;
});

console.log(JSON.stringify(await Effect.runPromise(Effect.scoped(played))));
console.log(layers.every(Layer.isLayer), typeof handler, Object.keys(Entry).length > 10);
