/** What can be chosen about serving over a channel that carries lines, like standard input and output. */
import type * as Duration from "effect/Duration";
import { anonymous, type Principal } from "../model/principal.ts";
import { timeOf } from "../model/time.ts";
import type { Limits } from "../server/instance.ts";
import { type LegacyOptions, legacySettings } from "./legacy_options.ts";

export type { LegacyOptions } from "./legacy_options.ts";

/** How a server is served over stdio. */
export interface StdioOptions {
  /** Bytes that one message may have; longer ones are refused, and skipped. Default 16 MiB. */
  readonly maxLine?: number;
  /** On whose behalf all requests are made. Default: `anonymous`. */
  readonly principal?: Principal;
  /** Bounds of `subscriptions/listen`. */
  readonly subscriptions?: {
    /** Subscriptions at a time; more are refused. Default 10,000. */
    readonly max?: number;
    /** How long one may run before the server ends it. Default: until the client or the server stops. */
    readonly lifetime?: Duration.Input;
  };
  /** How long calls in flight may go on after the client closed the input. Default 5 seconds. */
  readonly drainWithin?: Duration.Input;
  /** How long finalizers of interrupted calls, and what is left to write, may take at the end. Default 1 second. */
  readonly stopWithin?: Duration.Input;
  /** Bounds of a flow and of a round. */
  readonly limits?: Partial<Limits>;
  /** How often a caller that takes progress is shown that its call lives while people are asked. Default 15 seconds. */
  readonly keepAlive?: Duration.Input;
  /** Clients of revisions before 2026-07-28. */
  readonly legacy?: LegacyOptions;
}

/** Options with their defaults, read once. */
export interface StdioSettings {
  readonly maxLine: number;
  /** Whether clients of older revisions are served. */
  readonly legacy: boolean;
  /** Resources that one of them may subscribe to; undefined: as many as is the default. */
  readonly maxSubscriptions: number | undefined;
  readonly principal: Principal;
  readonly lifetime: Duration.Duration | undefined;
  readonly drainWithin: Duration.Duration;
  readonly stopWithin: Duration.Duration;
}

/** Reads options. Throws where a size or a time is not one. */
export const settings = (options: StdioOptions): StdioSettings => {
  const { maxLine = 16 * 1_048_576, principal = anonymous } = options;
  if (!(maxLine > 0)) throw new RangeError(`Cannot limit messages to ${maxLine} bytes: the limit must be positive`);
  const { mode, sessions } = legacySettings(options.legacy);
  const lifetime = options.subscriptions?.lifetime;
  return {
    maxLine,
    legacy: mode !== "off",
    maxSubscriptions: sessions.maxSubscriptions,
    principal,
    lifetime: lifetime === undefined ? undefined : timeOf("subscriptions.lifetime", lifetime),
    drainWithin: timeOf("drainWithin", options.drainWithin ?? "5 seconds"),
    stopWithin: timeOf("stopWithin", options.stopWithin ?? "1 second"),
  };
};
