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

const toolkit = Toolkit.make(Echo);

const handlers = toolkit.toLayer({ echo: ({ text }) => Effect.succeed(text) });

const app = McpServer.layerHttp({
  name: "bench",
  version: "1.0.0",
  path: "/mcp",
  protocols: [McpProtocol.v2026_07_28],
  registrations: McpServer.toolkit(toolkit).pipe(Layer.provide(handlers)),
});

/** `effect/ai` McpServer behind `HttpRouter.toWebHandler`. It seals no state, so it only takes part in the echo. */
export const make: Make = () => {
  const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true });
  return Promise.resolve({ name: "Effect's McpServer", fetch: (request) => handler(request), close: dispose });
};
