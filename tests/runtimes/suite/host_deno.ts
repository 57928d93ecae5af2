/** The suite's server on Deno. */
import * as DenoServer from "@needful/mcp/deno";
import { host } from "./served.ts";

host(DenoServer, Deno.env.get("CHOSEN"));
