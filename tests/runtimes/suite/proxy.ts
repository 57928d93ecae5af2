/** A proxy that gives each connection to the next server. It knows no HTTP: where a server dies, its clients notice. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** The proxy. */
export interface Proxy {
  readonly url: string;
  /** The ports of the servers. A place without a server is passed over. */
  readonly servers: Array<number | undefined>;
  readonly close: () => void;
}

/** Opens the proxy on a free port. */
export const open = async (): Promise<Proxy> => {
  const servers: Array<number | undefined> = [];
  const sockets = new Set<Socket>();
  let next = 0;
  const pick = (): number | undefined => {
    for (let tries = 0; tries < servers.length; tries++) {
      const port = servers[next++ % servers.length];
      if (port !== undefined) return port;
    }
    return undefined;
  };
  const join = (one: Socket, other: Socket): void => {
    sockets.add(one);
    one.on("error", () => {});
    one.on("close", () => {
      sockets.delete(one);
      other.destroy();
    });
    one.pipe(other);
  };
  const server = createServer((client) => {
    const port = pick();
    if (port === undefined) return void client.destroy();
    const upstream = connect(port, "127.0.0.1");
    join(client, upstream);
    join(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address!.port : 0}/mcp`,
    servers,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};
