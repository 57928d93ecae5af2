/** What can be chosen about clients of revisions before 2026-07-28. */
import * as Duration from "effect/Duration";
import type { LiveLimits } from "../server/instance.ts";

/** How such clients are served. Calls ask them while they are open. */
export interface LegacyOptions {
  /**
   * `sessions` (default); `stateless`: over HTTP there are no sessions, so that clients cannot be asked anything; `off`:
   * refuses them. Over stdio there is one conversation unless the mode is `off`.
   */
  readonly mode?: "sessions" | "stateless" | "off";
  /** How often one question is put whose answers are not valid; then the call ends with an error. Default 8. */
  readonly maxRounds?: number;
  /** How long a person may take for one answer. Default 10 minutes. */
  readonly roundTimeout?: Duration.Input;
  /** How long a handler rests before it starts again. Default 250 milliseconds. */
  readonly pacing?: Duration.Input;
}

/** The limits that options choose; `alive` is how often a caller is shown that its call lives. */
export const liveLimits = (
  { maxRounds, pacing, roundTimeout }: LegacyOptions,
  alive: Duration.Input | undefined,
): Partial<LiveLimits> => ({
  ...(maxRounds === undefined ? {} : { maxRounds }),
  ...(roundTimeout === undefined ? {} : { roundTimeout: Duration.fromInputUnsafe(roundTimeout) }),
  ...(pacing === undefined ? {} : { pacing: Duration.fromInputUnsafe(pacing) }),
  ...(alive === undefined ? {} : { alive: Duration.fromInputUnsafe(alive) }),
});
