/**
 * The same handlers over standard input and output: a server that a host launches as a process of its own.
 *
 *     deno run examples/stdio.ts
 *
 * It needs no permission. Hosts are configured like this:
 *
 *     { "mcpServers": { "needful": { "command": "deno", "args": ["run", "/path/to/examples/stdio.ts"] } } }
 */
import * as Layer from "effect/Layer";
import { McpServer } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";
import * as Shop from "./shop.ts";
import { sum } from "./sum.ts";
import { trip } from "./trip.ts";
import { whoami } from "./whoami.ts";
import { wizard } from "./wizard.ts";

export const server: McpServer.McpServer<Shop.Shop> = McpServer.make({
  name: "needful-stdio",
  title: "Examples of @needful/mcp",
  version: "1.0.0",
  tools: [whoami, Shop.refund, trip, wizard, sum],
});

if (import.meta.main) DenoServer.run(Layer.provide(DenoServer.layerStdio(server), Shop.layer));
