/**
 * MCP servers whose handlers are plain Effect programs that ask.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import * as Schema from "effect/Schema";
 * import { McpServer, Need, Tool } from "@needful/mcp";
 *
 * const Person = Schema.Struct({ name: Schema.NonEmptyString });
 *
 * const whoami = Tool.make("whoami", {
 *   description: "Greets whoever is on the other side",
 *   handler: Effect.fn(function* () {
 *     const { name } = yield* Need.elicit("username", { message: "What is your name?", schema: Person });
 *     return `Hello, ${name}!`;
 *   }),
 * });
 *
 * const { fetch } = McpServer.toWebHandler(McpServer.make({ name: "demo", version: "1.0.0", tools: [whoami] }));
 * ```
 *
 * @module
 */
export * as Auth from "./src/server/auth.ts";
export * as Call from "./src/need/call.ts";
export * as Catalog from "./src/server/catalog.ts";
export * as Content from "./src/server/content.ts";
export * as Manual from "./src/manual/mod.ts";
export * as McpServer from "./src/transport/mcp_server.ts";
export * as Need from "./src/need/mod.ts";
export * as Prompt from "./src/server/prompt.ts";
export * as RequestState from "./src/server/request_state.ts";
export * as Resource from "./src/server/resource.ts";
export * as Sealer from "./src/seal/mod.ts";
export * as Tool from "./src/server/tool.ts";
