/**
 * Everything the protocol has, as the official conformance suite wants to find it: every kind of content, every kind of
 * question, resources, prompts, lists that change. What the suite demands is written with needs, none of it by hand.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/everything.ts
 */
import * as Layer from "effect/Layer";
import { McpServer } from "@needful/mcp";
import { tools as asking } from "./everything/asking.ts";
import { tools as changes } from "./everything/changes.ts";
import { tools as content } from "./everything/content.ts";
import { prompts } from "./everything/prompts.ts";
import { tools as reconnecting } from "./everything/reconnecting.ts";
import { resources } from "./everything/resources.ts";
import { serve } from "./serve.ts";

export const server: McpServer.McpServer = McpServer.make({
  name: "everything",
  version: "1.0.0",
  tools: [...content, ...asking, ...changes, ...reconnecting],
  resources,
  prompts,
});

if (import.meta.main) serve(server, Layer.empty);
