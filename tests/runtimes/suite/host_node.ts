/** The suite's server on Node. */
import process from "node:process";
import * as NodeServer from "@needful/mcp/node";
import { host } from "./served.ts";

host(NodeServer, process.env["CHOSEN"]);
