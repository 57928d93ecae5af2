/** The suite's server over standard input and output on Bun. */
import * as Effect from "effect/Effect";
import * as BunServer from "@needful/mcp/bun";
import { host } from "./stdio_served.ts";

host(
  BunServer,
  Effect.sync(() => (console as { write?: (text: string) => void }).write?.("printed by console.write\n")),
);
