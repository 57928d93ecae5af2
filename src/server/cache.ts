/** Caching, as authors write it. */
import * as Duration from "effect/Duration";
import { type CacheHint, noCache } from "../model/reply.ts";
import { timeOf } from "../model/time.ts";

/** How long a result may be kept, and whether by shared caches too (2026-07-28, server/utilities/caching). */
export interface CacheOptions {
  /** How long. A number is in milliseconds. */
  readonly ttl: Duration.Input;
  /** Default `private`. */
  readonly scope?: "public" | "private";
}

/** The hint for clients. Absent: nothing is kept. */
export const toHint = (options: CacheOptions | undefined): CacheHint => {
  if (options === undefined) return noCache;
  const ttlMs = Math.round(Duration.toMillis(timeOf("a ttl", options.ttl)));
  if (!Number.isSafeInteger(ttlMs)) throw new RangeError("the time to live is no finite duration");
  return { ttlMs, scope: options.scope ?? "private" };
};
