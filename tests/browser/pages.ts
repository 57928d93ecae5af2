/** Web origins for the tests: small servers of one page and one script each. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A Web origin that serves a page. */
export interface Origin {
  /** Like `http://localhost:1234`. */
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Serves an empty page that loads `script` at `http://localhost:<port>`. */
export const serve = async (script: string): Promise<Origin> => {
  const server = createServer((request, response) => {
    if (request.url === "/client.js") response.setHeader("content-type", "text/javascript").end(script);
    else response.setHeader("content-type", "text/html").end(`<!doctype html><script src="/client.js"></script>`);
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
