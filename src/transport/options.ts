/** What can be chosen about serving over HTTP. */
import type * as Duration from "effect/Duration";
import type * as Effect from "effect/Effect";
import { timeOf } from "../model/time.ts";
import type { Authenticate } from "../server/auth.ts";
import type { Limits, LiveLimits } from "../server/instance.ts";
import { type LegacyOptions, type LegacySettings, legacySettings, liveLimits } from "./legacy_options.ts";

export type {
  Authenticate,
  AuthRequest,
  HeaderReader,
  Principal,
  Unauthorized,
  UnauthorizedOptions,
} from "../server/auth.ts";
export type { Limits } from "../server/instance.ts";
export type { LegacyOptions } from "./legacy_options.ts";

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
  /**
   * Silence after which a waiting client that takes streams gets a comment, and how often a caller of an older revision is
   * told by progress that its call lives while people are asked. Default 15 seconds.
   */
  readonly keepAlive?: Duration.Input;
  /** Bounds of `subscriptions/listen`. */
  readonly subscriptions?: {
    /** Subscriptions at a time; more are refused. Default 10,000. */
    readonly max?: number;
    /** How long one may run before the server ends it. Default: until the client or the server stops. */
    readonly lifetime?: Duration.Input;
  };
  /** How long calls in flight may go on after the server was told to stop. Default 10 seconds. */
  readonly stopWithin?: Duration.Input;
  /** Bounds of a flow and of a round. */
  readonly limits?: Partial<Limits>;
  /** Clients of revisions before 2026-07-28. Default: they are served, in sessions. */
  readonly legacy?: LegacyOptions;
  /** Answers requests to other paths than the endpoint's; nothing about them is checked before. Default 404. */
  readonly fallback?: (request: Request) => Effect.Effect<Response, never, R>;
}

/** Options with their defaults, read once. */
export interface Settings {
  readonly path: string;
  readonly allowedOrigins: ReadonlyArray<string>;
  readonly authenticate: Authenticate<never> | undefined;
  readonly maxBody: number;
  readonly keepAlive: Duration.Duration;
  readonly lifetime: Duration.Duration | undefined;
  readonly stopWithin: Duration.Duration;
  readonly legacy: LegacySettings;
  readonly live: Partial<LiveLimits>;
  readonly fallback: ((request: Request) => Effect.Effect<Response>) | undefined;
}

/** Reads options. Throws where a path, a size or a time is not one. The services of hooks are those of the server's context. */
export const settings = <R>(options: HttpOptions<R>): Settings => {
  const { path = "/mcp", maxBody = 4 * 1_048_576 } = options;
  if (!path.startsWith("/") || /[?#]/.test(path)) {
    throw new TypeError(`Cannot serve the path "${path}": it is not like /mcp`);
  }
  if (!(maxBody > 0)) throw new RangeError(`Cannot limit bodies to ${maxBody} bytes: the limit must be positive`);
  const lifetime = options.subscriptions?.lifetime;
  return {
    path,
    allowedOrigins: options.allowedOrigins ?? [],
    authenticate: options.authenticate as Authenticate<never> | undefined,
    maxBody,
    keepAlive: timeOf("keepAlive", options.keepAlive ?? "15 seconds", false),
    lifetime: lifetime === undefined ? undefined : timeOf("subscriptions.lifetime", lifetime),
    stopWithin: timeOf("stopWithin", options.stopWithin ?? "10 seconds"),
    legacy: legacySettings(options.legacy),
    live: liveLimits(options.legacy ?? {}, options.keepAlive),
    fallback: options.fallback as Settings["fallback"],
  };
};
