/** `examples/returning.ts` on the runtime that runs the tests. */
import * as Layer from "effect/Layer";
import process from "node:process";
import { serveOn } from "../../examples/serve_on.ts";
import { server } from "../../examples/returning.ts";
import * as Native from "../native.ts";

serveOn(Native, server, Layer.empty, { variable: (name) => process.env[name] });
