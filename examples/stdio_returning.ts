/**
 * `returning.ts` over standard input and output: each tool that asks, and its twin that returns.
 *
 *     deno run examples/stdio_returning.ts
 *
 * It needs no permission.
 */
import * as DenoServer from "@needful/mcp/deno";
import { server } from "./returning.ts";

if (import.meta.main) DenoServer.run(DenoServer.layerStdio(server));
