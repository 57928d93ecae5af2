/** `node:http` and `node:https`. */
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from "node:http";
import process from "node:process";
import { elsewhere } from "./node_elsewhere.ts";
import { NodeVisit, urlOf } from "./node_visit.ts";
import type { Address, Bound, Listener, Runtime } from "./serving.ts";
import { pathOf } from "../transport/web_visit.ts";

// An import reads all that `node:http` exports, `WebSocket` too, and for that Node loads its HTTP client
const { createServer } = process.getBuiltinModule("node:http");

const options: ServerOptions = {
  // A header that stands twice is not what either of its lines says, the host above all
  joinDuplicateHeaders: true,
  // Longer than the proxies in front keep a connection, so that they never use one that is being closed
  keepAliveTimeout: 65_000,
};

const create = (tls: Address["tls"], listener: RequestListener): Server | Promise<Server> =>
  tls === undefined
    ? createServer(options, listener)
    : import("node:https").then(({ createServer }) => createServer({ ...options, ...tls }, listener));

const bind = (server: Server, { hostname, port }: Address): Promise<Bound> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => {
      server.off("error", reject);
      // A connection that could not be accepted concerns its client
      server.on("error", () => {});
      const bound = server.address();
      resolve(
        bound !== null && typeof bound === "object"
          ? { hostname: bound.address, port: bound.port }
          : { hostname, port },
      );
    });
  });

/** Listens. */
export const listen: Runtime["listen"] = (address, web, path) => {
  const scheme = address.tls === undefined ? "http" : "https";
  let server: Server;
  let stopping = false;

  /** Once the server stops, no connection outlives its response. */
  const ending = (response: ServerResponse): void => {
    if (!stopping) return;
    if (!response.headersSent) response.shouldKeepAlive = false;
    response.on("finish", () => server.closeIdleConnections());
  };
  const isHere = (request: IncomingMessage): boolean => request.url === path || pathOf(urlOf(request, scheme)) === path;
  const listener: RequestListener = (request, response) => {
    // It is closed then, which is looked for elsewhere
    response.on("error", () => {});
    if (isHere(request)) web.enter(new NodeVisit(request, response, scheme, ending));
    else elsewhere(request, response, scheme, web.elsewhere);
  };

  return Promise.resolve(create(address.tls, listener)).then((created): Promise<Listener> => {
    server = created;
    return bind(server, address).then((bound) => ({
      bound,
      close: () =>
        new Promise((resolve) => {
          stopping = true;
          server.close(() => resolve());
          server.closeIdleConnections();
        }),
      force: () => server.closeAllConnections(),
    }));
  });
};
