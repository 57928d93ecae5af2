/**
 * The examples of `main.ts` in one server, on Node 22.18 or later:
 *
 *     npm install && node examples/main_node.ts
 */
import process from "node:process";
import * as NodeServer from "@needful/mcp/node";
import { options, server, services } from "./main.ts";
import { serveOn } from "./serve_on.ts";

serveOn(NodeServer, server, services, { ...options, variable: (name) => process.env[name] });
