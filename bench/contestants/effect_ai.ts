/** The MCP server that comes with Effect, over its router's Web handler. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import * as McpProtocol from "effect/ai/McpProtocol";
import * as McpServer from "effect/ai/McpServer";
import * as Tool from "effect/ai/Tool";
import * as Toolkit from "effect/ai/Toolkit";
import * as HttpRouter from "effect/http/HttpRouter";
import type { Make } from "../contestant.ts";

const Echo = Tool.make("echo", {
  description: "Says it again",
  parameters: Schema.Struct({ text: Schema.String }),
  success: Schema.String,
});

const tools = (more: number) => [
  Echo,
  ...Array.from({ length: more }, (_, index) =>
    Tool.make(`tool_${index}`, {
      description: `Says it again, in way ${index}`,
      parameters: Schema.Struct({ text: Schema.String }),
      success: Schema.String,
    })),
];

/** The server as routes of a router. */
export const app = (more: number): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const all = tools(more);
  const toolkit = Toolkit.make(...all);
  const say = ({ text }: { readonly text: string }) => Effect.succeed(text);
  // The types know the tools by name, and there are too many of them to be named
  const handlers = toolkit.toLayer(Object.fromEntries(all.map(({ name }) => [name, say])) as never);
  const server = McpServer.layerHttp({
    name: "bench",
    version: "1.0.0",
    path: "/mcp",
    protocols: [McpProtocol.v2026_07_28],
    registrations: McpServer.toolkit(toolkit).pipe(Layer.provide(handlers)),
  });
  return Layer.orDie(server);
};

/** `effect/ai` McpServer behind `HttpRouter.toWebHandler`. It seals no state, so it takes part in what needs none. */
export const make: Make = (more = 0) => {
  const { dispose, handler } = HttpRouter.toWebHandler(app(more), { disableLogger: true });
  return Promise.resolve({ name: "Effect's McpServer", fetch: (request) => handler(request), close: dispose });
};
