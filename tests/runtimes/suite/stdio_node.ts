/** The suite's server over standard input and output on Node. */
import * as NodeServer from "@needful/mcp/node";
import { host } from "./stdio_served.ts";

host(NodeServer);
