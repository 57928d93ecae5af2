/** How the examples are served on Deno. */
import type * as Layer from "effect/Layer";
import type { McpServer } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";
import { serveOn } from "./serve_on.ts";

/** Serves `server`, with what its handlers need from `services`, until the process is told to stop. */
export const serve = <R, E>(
  server: McpServer.McpServer<R>,
  services: Layer.Layer<R, E>,
  options: McpServer.HttpOptions<R> & { readonly hint?: (url: string) => string } = {},
): void =>
  // One variable at a time, so that `--allow-env=PORT,MCP_STATE_SECRET` is enough
  serveOn(DenoServer, server, services, { ...options, variable: (name) => Deno.env.get(name) });
