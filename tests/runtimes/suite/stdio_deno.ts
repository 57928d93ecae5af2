/** The suite's server over standard input and output on Deno. */
import * as Effect from "effect/Effect";
import * as DenoServer from "@needful/mcp/deno";
import { host } from "./stdio_served.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

host(
  DenoServer,
  Effect.promise(async () => {
    Deno.stdout.writeSync(bytes("printed by Deno.stdout\n"));
    await Deno.stdout.write(bytes("printed by Deno.stdout later\n"));
  }),
);
