/**
 * Servers: what they are made of, and how any host of Web-standard requests serves one.
 */
import type * as Layer from "effect/Layer";
import type { Catalog } from "../server/catalog_service.ts";
import type { McpServer } from "../server/mcp_server.ts";
import type { HttpOptions } from "./options.ts";

export { make } from "../server/mcp_server.ts";
export type { CacheOptions, McpServer, Options, Services } from "../server/mcp_server.ts";
export type { HttpOptions } from "./options.ts";

/** A server for hosts that speak `Request` and `Response`. */
export interface WebHandler {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends subscriptions, lets calls in flight finish, and releases what the layer holds. */
  readonly dispose: () => Promise<void>;
}

/**
 * A server as a function from `Request` to `Response`, for any Web-standard host.
 *
 * `layer` provides what the handlers and the hooks need, and may provide a `Sealer` or crypto services as well; it is
 * built at the first request. Without `allowedHosts` only loopback names are served.
 */
export declare function toWebHandler(server: McpServer<never>, options?: HttpOptions): WebHandler;
/** As above, with the services that the server needs. */
export declare function toWebHandler<R, RA = never, E = never>(
  server: McpServer<R>,
  layer: Layer.Layer<R | RA, E, Catalog>,
  options?: HttpOptions<RA>,
): WebHandler;
