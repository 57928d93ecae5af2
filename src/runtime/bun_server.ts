/** `Bun.serve`. */
import type { Fields, Stream } from "../transport/visit.ts";
import { FramedVisit, pathOf } from "../transport/web_visit.ts";
import type { Runtime } from "./serving.ts";

/** What is used of Bun's server. */
interface BunServer {
  readonly hostname: string;
  readonly port: number;
  readonly stop: (force?: boolean) => Promise<void>;
  /** Seconds of silence after which the connection of a request is closed; 0: never. */
  readonly timeout: (request: Request, seconds: number) => void;
}

/** What is used of Bun. */
interface BunRuntime {
  readonly serve: (options: {
    readonly hostname: string;
    readonly port: number;
    readonly tls?: { readonly cert: string; readonly key: string };
    readonly development: boolean;
    readonly reusePort: boolean;
    readonly idleTimeout: number;
    readonly maxRequestBodySize: number;
    readonly fetch: (request: Request, server: BunServer) => Promise<Response>;
  }) => BunServer;
}

/** The most that can be said. */
const idleSeconds = 255;

const bun = (): BunRuntime => {
  const { Bun } = globalThis as { Bun?: BunRuntime };
  if (Bun === undefined) throw new Error("This is not Bun");
  return Bun;
};

/** A request that may be quiet for as long as it takes, once its body is there. */
class BunVisit extends FramedVisit {
  readonly #server: BunServer;

  constructor(request: Request, resolve: (response: Response) => void, server: BunServer) {
    super(request, resolve);
    this.#server = server;
  }

  override watch(left: () => void): () => void {
    this.#server.timeout(this.request, 0);
    return super.watch(left);
  }

  override stream(headers: Fields, left: () => void): Stream {
    this.#server.timeout(this.request, 0);
    return super.stream(headers, left);
  }
}

/** Listens. */
export const listen: Runtime["listen"] = ({ hostname, port, tls }, { elsewhere, enter }, path) => {
  const server = bun().serve({
    hostname,
    port,
    ...(tls === undefined ? {} : { tls }),
    development: false,
    // Outside of development a port that is taken would be shared
    reusePort: false,
    idleTimeout: idleSeconds,
    // There is a limit of our own, which says so in a reply that clients can read
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: (request, server) =>
      pathOf(request.url) === path
        ? new Promise((resolve) => enter(new BunVisit(request, resolve, server)))
        : elsewhere(request),
  });
  return {
    bound: { hostname: server.hostname, port: server.port },
    close: () => server.stop(),
    force: () => void server.stop(true),
  };
};
