/** The leaf of the runtime that runs the tests, for those that need a port or standard streams, whoever has them. */
import * as BunServer from "@needful/mcp/bun";
import * as DenoServer from "@needful/mcp/deno";
import * as NodeServer from "@needful/mcp/node";

export { Listening, type Options } from "@needful/mcp/deno";

const leaf = "Deno" in globalThis ? DenoServer : "Bun" in globalThis ? BunServer : NodeServer;

/** Serves over HTTP. */
export const layer: typeof DenoServer.layer = leaf.layer;

/** Serves over standard input and output. */
export const layerStdio: typeof DenoServer.layerStdio = leaf.layerStdio;

/** Runs a layer until the process is told to stop. */
export const run: typeof DenoServer.run = leaf.run;
