/**
 * What a handler can do around its call without asking: report progress, log to the client, look at the request.
 * Outside of a call these do nothing, so code that uses them also runs in a plain Effect.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import { Call } from "@needful/mcp";
 *
 * const sum = Effect.fn(function* (numbers: ReadonlyArray<number>) {
 *   let total = 0;
 *   for (const [done, n] of numbers.entries()) {
 *     yield* Call.progress({ progress: done + 1, total: numbers.length });
 *     total += n;
 *   }
 *   yield* Call.log("info", { total });
 *   return total;
 * });
 * ```
 *
 * @module
 */
import * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { CallInfo } from "../model/call.ts";
import type { LogLevel, Notice, Progress } from "../model/notice.ts";
import { Interpreter } from "./flow.ts";

export type { CallInfo, CallMethod, Era, Implementation } from "../model/call.ts";
export type { ClientCapabilities } from "../model/capability.ts";
export type { Icon } from "../model/content.ts";
export type { JsonRecord } from "../model/json.ts";
export type { LogLevel, Progress } from "../model/notice.ts";
export type { Principal } from "../model/principal.ts";

const notify = (notice: Notice): Effect.Effect<void> =>
  Effect.flatMap(Interpreter, (interpreter) => interpreter === undefined ? Effect.void : interpreter.notify(notice));

/**
 * Tells the client how far the call is, if it wants to know. `progress` has to rise: values that do not, and numbers
 * that are not finite, are dropped. Spec: 2026-07-28, basic/patterns/progress.
 */
export const progress = (progress: Progress): Effect.Effect<void> =>
  [progress.progress, progress.total ?? 0].every(Number.isFinite)
    ? notify({ _tag: "Progress", progress })
    : Effect.void;

/**
 * Sends a log message to the client, if it asked for messages of this level. `data` is any JSON value. Effect's own log
 * never reaches the client. Spec: 2026-07-28, server/utilities/logging.
 */
export const log = (level: LogLevel, data: unknown, logger?: string): Effect.Effect<void> =>
  notify({ _tag: "Log", log: { level, data: data ?? null, ...(logger === undefined ? {} : { logger }) } });

/** The client, its capabilities, the revision, `_meta`, headers and principal of the call; none outside of a call. */
export const info: Effect.Effect<Option.Option<CallInfo>> = Effect.flatMap(
  Interpreter,
  (interpreter) => interpreter === undefined ? Effect.succeedNone : interpreter.info,
);

/**
 * Closes the connection and lets the call run on: a client of 2025-11-25 over HTTP comes back for the result. Elsewhere
 * it does nothing.
 */
export const disconnect: Effect.Effect<void> = Effect.flatMap(
  Interpreter,
  (interpreter) => interpreter === undefined ? Effect.void : interpreter.disconnect,
);
