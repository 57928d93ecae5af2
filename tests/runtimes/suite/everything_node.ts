/** `examples/everything.ts` on Node. */
import * as Layer from "effect/Layer";
import process from "node:process";
import * as NodeServer from "@needful/mcp/node";
import { server } from "../../../examples/everything.ts";
import { serveOn } from "../../../examples/serve_on.ts";

serveOn(NodeServer, server, Layer.empty, { variable: (name) => process.env[name] });
