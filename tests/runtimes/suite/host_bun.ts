/** The suite's server on Bun. */
import process from "node:process";
import * as BunServer from "@needful/mcp/bun";
import { host } from "./served.ts";

host(BunServer, process.env["CHOSEN"]);
