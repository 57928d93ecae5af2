/**
 * Examples in one server: what `deno task start` runs. `main_bun.ts` and `main_node.ts` serve the same; `returning.ts` has
 * those that return, beside their twins.
 */
import * as Layer from "effect/Layer";
import { McpServer } from "@needful/mcp";
import { authenticate, connect } from "./connect.ts";
import * as Page from "./connect_page.ts";
import { serve } from "./serve.ts";
import * as Shop from "./shop.ts";
import { sum } from "./sum.ts";
import { trip } from "./trip.ts";
import { whoami } from "./whoami.ts";
import { wizard } from "./wizard.ts";

export const server: McpServer.McpServer<Shop.Shop | Page.Accounts> = McpServer.make({
  name: "needful-examples",
  title: "Examples of @needful/mcp",
  version: "1.0.0",
  tools: [whoami, Shop.refund, trip, wizard, sum, connect],
});

export const services: Layer.Layer<Shop.Shop | Page.Accounts> = Layer.merge(Shop.layer, Page.layer);

export const options: McpServer.HttpOptions<Page.Accounts> & { readonly hint: (url: string) => string } = {
  authenticate,
  fallback: Page.page,
  hint: (url) =>
    `Connect any client of MCP to it over Streamable HTTP: new StreamableHTTPClientTransport(new URL("${url}"))`,
};

if (import.meta.main) serve(server, services, options);
