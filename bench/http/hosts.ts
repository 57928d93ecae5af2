/** What serves a contestant that has no server of its own. Loads nothing that its runtime does not need. */
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { runtime } from "../runtime.ts";

/** Says which port is listened on. */
export const announce = (port: number): void => console.log(`port ${port}`);

type Fetch = (request: Request) => Response | Promise<Response>;

interface Bun {
  readonly serve: (options: { port: number; hostname: string; fetch: Fetch }) => { readonly port: number };
}

/** By `Deno.serve` or `Bun.serve`. */
export const serveFetch = (fetch: Fetch): void => {
  const address = { port: 0, hostname: "127.0.0.1" };
  if (runtime === "deno") Deno.serve({ ...address, onListen: ({ port }) => announce(port) }, fetch);
  else announce((globalThis as unknown as { readonly Bun: Bun }).Bun.serve({ ...address, fetch }).port);
};

/** By `node:http`. */
export const serveNode = async (listener: RequestListener): Promise<void> => {
  const { createServer } = await import("node:http");
  const server = createServer(listener);
  server.listen(0, "127.0.0.1", () => announce((server.address() as AddressInfo).port));
};
