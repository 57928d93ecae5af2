/** The catalog of a running server, as a namespace for authors. */
import type * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Catalog } from "./catalog_service.ts";
import type { McpServer } from "./mcp_server.ts";

export * from "./catalog_service.ts";

/** How a catalog treats its subscribers. */
export interface CatalogOptions {
  /** Subscriptions at a time; more are refused. Default 10,000. */
  readonly maxSubscriptions?: number;
}

/** A catalog that begins with what `server` serves. Runs nothing until something changes and somebody listens. */
export declare const make: <R>(server: McpServer<R>, options?: CatalogOptions) => Effect.Effect<Catalog>;

/** A layer of `make`, which ends all subscriptions when it closes. */
export const layer = <R>(server: McpServer<R>, options?: CatalogOptions): Layer.Layer<Catalog> =>
  Layer.effect(Catalog, make(server, options));
