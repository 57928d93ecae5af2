/**
 * Serving on Deno.
 *
 * @module
 */
import type * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Data from "effect/Data";
import type * as Layer from "effect/Layer";
import type { Catalog } from "../server/catalog_service.ts";
import type { McpServer } from "../server/mcp_server.ts";
import type { HttpOptions } from "../transport/options.ts";

/** How a server listens. */
export interface Options<R = never> extends HttpOptions<R> {
  /** Default 8000; 0 takes a free one. */
  readonly port?: number;
  /** Default `127.0.0.1`. Anything that is not loopback needs `allowedHosts`. */
  readonly hostname?: string;
  /** Certificate chain and private key in PEM, for HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A server that listens. */
export interface Listening {
  readonly hostname: string;
  readonly port: number;
  /** Of the endpoint, like `http://127.0.0.1:8000/mcp`. */
  readonly url: string;
}

/** A server that listens. */
export const Listening: Context.Service<Listening, Listening> = Context.Service<Listening>("needful/runtime/Listening");

/** The server cannot be started. The message says why. */
export interface ServeError extends Cause.YieldableError {
  readonly _tag: "ServeError";
  readonly reason: string;
  readonly cause?: unknown;
}

/** The server cannot be started. The message says why. */
export const ServeError: new (args: { readonly reason: string; readonly cause?: unknown }) => ServeError = class
  extends Data.TaggedError("ServeError")<{ readonly reason: string; readonly cause?: unknown }> {
  override get message(): string {
    return this.reason;
  }
};

/** Serves `server` for as long as the layer lives. Throws where `hostname` is not loopback and `allowedHosts` is absent. */
export declare const layer: <R, RA = never>(
  server: McpServer<R>,
  options?: Options<RA>,
) => Layer.Layer<Listening | Catalog, ServeError, R | RA>;

/** Runs a layer until SIGINT or SIGTERM, then stops it in order; prints why, and exits with 1, if it cannot be built. */
export declare const run: <A, E>(layer: Layer.Layer<A, E>) => void;
