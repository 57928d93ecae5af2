/** The twins of `examples/returning.ts` over standard input and output, for the clients to launch. */
import * as DenoServer from "@needful/mcp/deno";
import { server } from "../../examples/returning.ts";

DenoServer.run(DenoServer.layerStdio(server));
