/** What can be chosen about clients of revisions before 2026-07-28. */
import type * as Duration from "effect/Duration";
import type { Options as SessionOptions } from "../era/session.ts";
import { timeOf } from "../model/time.ts";
import type { LiveLimits } from "../server/instance.ts";

/** The ways to serve such clients. */
const modes = ["sessions", "stateless", "off"] as const;

/** How such clients are served. Calls ask them while they are open. */
export interface LegacyOptions {
  /**
   * `sessions` (default); `stateless`: over HTTP there are no sessions, so that clients cannot be asked anything; `off`:
   * refuses them. Over stdio there is one conversation unless the mode is `off`.
   */
  readonly mode?: "sessions" | "stateless" | "off";
  /**
   * How often one question is put whose answers are not valid, and how often a handler is entered again that returns its
   * questions; then the call ends with an error. Default 8.
   */
  readonly maxRounds?: number;
  /** How long a person may take for one answer. Default 10 minutes. */
  readonly roundTimeout?: Duration.Input;
  /** How long a handler rests before it starts again, or returns with its state alone. Default 250 milliseconds. */
  readonly pacing?: Duration.Input;
  /** Over HTTP: how long a session lives that does nothing. Default 30 minutes. */
  readonly idle?: Duration.Input;
  /**
   * Over HTTP: sessions at a time. Where there are more, the oldest whose client never was ready makes room, then the one
   * that has been idle longest; where all are busy, a new one is refused with 503. Default 10,000.
   */
  readonly max?: number;
  /** Over HTTP: how long a client of 2025-11-25 may come back for a stream whose connection was lost. Default 60 seconds. */
  readonly resumeWithin?: Duration.Input;
  /** Over HTTP: how long clients are told to wait before they come back. Default 1 second. */
  readonly retry?: Duration.Input;
  /** Over HTTP: characters of sent messages that a session keeps for a client that comes back. Default 1 Mi. */
  readonly maxStored?: number;
  /** Resources that a session may subscribe to. Default 1,000. */
  readonly maxSubscriptions?: number;
}

/** Options with their defaults, read once. */
export interface LegacySettings {
  readonly mode: (typeof modes)[number];
  readonly sessions: SessionOptions;
}

const positive = (what: string, value: number | undefined): void => {
  if (value !== undefined && !(value > 0)) {
    throw new RangeError(`Cannot limit ${what} to ${value}: it must be positive`);
  }
};

const durations = ({ idle, resumeWithin, retry }: LegacyOptions): SessionOptions =>
  Object.fromEntries(
    Object.entries({ idle, resumeWithin, retry }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, timeOf(`legacy.${name}`, value)]]
    ),
  );

/** Reads options. Throws where a limit is not positive, and where a mode or a time is not one. */
export const legacySettings = (options: LegacyOptions = {}): LegacySettings => {
  const { max, maxRounds, maxStored, maxSubscriptions, mode = "sessions" } = options;
  if (!modes.includes(mode)) {
    throw new TypeError(`Cannot serve older revisions by the mode "${mode}": there are ${modes.join(", ")}`);
  }
  positive("sessions", max);
  positive("rounds", maxRounds);
  positive("subscriptions", maxSubscriptions);
  return {
    mode,
    sessions: {
      ...durations(options),
      ...(max === undefined ? {} : { max }),
      ...(maxStored === undefined ? {} : { maxStored }),
      ...(maxSubscriptions === undefined ? {} : { maxSubscriptions }),
    },
  };
};

/** The limits that options choose; `alive` is how often a caller is shown that its call lives. */
export const liveLimits = (
  { maxRounds, pacing, roundTimeout }: LegacyOptions,
  alive: Duration.Input | undefined,
): Partial<LiveLimits> => ({
  ...(maxRounds === undefined ? {} : { maxRounds }),
  ...(roundTimeout === undefined ? {} : { roundTimeout: timeOf("legacy.roundTimeout", roundTimeout) }),
  ...(pacing === undefined ? {} : { pacing: timeOf("legacy.pacing", pacing) }),
  ...(alive === undefined ? {} : { alive: timeOf("keepAlive", alive, false) }),
});
