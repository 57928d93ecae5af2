/** Limits of a flow and of one of its rounds. */
import * as Duration from "effect/Duration";

/** How far a flow and one of its rounds may go. The times are of the server's own clock. */
export interface Limits {
  /** Rounds of a flow. A round that would have to suspend beyond them ends the call with an error. */
  readonly maxRounds: number;
  /** How often a flow may start again. */
  readonly maxPasses: number;
  /** How long a round waits for the branches of `all` that have not asked yet. */
  readonly gather: Duration.Duration;
  /** How long a round waits for `once` steps in flight. */
  readonly steps: Duration.Duration;
  /** How long an interrupted handler may take for its finalizers before the reply goes out without waiting for it. */
  readonly unwind: Duration.Duration;
  /** Host turns that a round may take to come to rest. */
  readonly turns: number;
}

/** The limits that apply where none are given. */
export const defaultLimits: Limits = {
  maxRounds: 16,
  maxPasses: 8,
  gather: Duration.seconds(1),
  steps: Duration.seconds(30),
  unwind: Duration.seconds(5),
  turns: 1000,
};
