/** What can be chosen about serving over HTTP. */
import type * as Duration from "effect/Duration";
import type * as Effect from "effect/Effect";
import type { Authenticate } from "../server/auth.ts";
import type { Limits } from "../server/instance.ts";

/** How a server is served over HTTP; `R` is what its hooks need. */
export interface HttpOptions<R = never> {
  /** Path of the endpoint. Default `/mcp`. */
  readonly path?: string;
  /** Web origins, like `https://app.example`, whose pages may call this server. They get CORS headers. */
  readonly allowedOrigins?: ReadonlyArray<string>;
  /**
   * Values of the `Host` header that are served, with or without a port: `mcp.example` stands for every port. Without
   * this option only loopback names are.
   */
  readonly allowedHosts?: ReadonlyArray<string>;
  /** Establishes on whose behalf a request is made. Without it everybody is `anonymous`. */
  readonly authenticate?: Authenticate<R>;
  /** Bytes that a request's body may have; more are refused with 413. Default 4 MiB. */
  readonly maxBody?: number;
  /** Silence after which a waiting client that takes streams gets a comment. Default 15 seconds. */
  readonly keepAlive?: Duration.Input;
  /** How long `subscriptions/listen` may run before the server ends it. Default: until the client or the server stops. */
  readonly maxListen?: Duration.Input;
  /** How long calls in flight may go on after the server was told to stop. Default 10 seconds. */
  readonly stopWithin?: Duration.Input;
  /** Bounds of a flow and of a round. */
  readonly limits?: Partial<Limits>;
  /** Answers requests to other paths than the endpoint's. Default 404. */
  readonly fallback?: (request: Request) => Effect.Effect<Response, never, R>;
}
