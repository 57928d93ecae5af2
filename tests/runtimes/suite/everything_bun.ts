/** `examples/everything.ts` on Bun. */
import * as Layer from "effect/Layer";
import process from "node:process";
import * as BunServer from "@needful/mcp/bun";
import { server } from "../../../examples/everything.ts";
import { serveOn } from "../../../examples/serve_on.ts";

serveOn(BunServer, server, Layer.empty, { variable: (name) => process.env[name] });
