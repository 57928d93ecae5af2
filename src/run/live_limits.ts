/** Limits of waiting for people while a call is open. */
import * as Duration from "effect/Duration";

/** How long and how often people are asked during one call. The times are of the server's own clock. */
export interface LiveLimits {
  /**
   * How often one question is put whose answers are not valid, and how often a handler is entered again that returns its
   * questions. After that the call ends with an error.
   */
  readonly maxRounds: number;
  /** How long the client may take for one answer, and a user for the page of a URL question. */
  readonly roundTimeout: Duration.Duration;
  /** How long the handler rests before it starts again. */
  readonly pacing: Duration.Duration;
  /** How often the caller is told that its call is alive while it waits for people. */
  readonly alive: Duration.Duration;
}

/** The limits that apply where none are given. */
export const defaultLiveLimits: LiveLimits = {
  maxRounds: 8,
  roundTimeout: Duration.minutes(10),
  pacing: Duration.millis(250),
  alive: Duration.seconds(15),
};
