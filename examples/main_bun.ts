/**
 * The examples of `main.ts` in one server, on Bun:
 *
 *     bun install && bun examples/main_bun.ts
 */
import process from "node:process";
import * as BunServer from "@needful/mcp/bun";
import { options, server, services } from "./main.ts";
import { serveOn } from "./serve_on.ts";

serveOn(BunServer, server, services, { ...options, variable: (name) => process.env[name] });
