/** Limits of a flow and of one of its rounds. */
import * as Duration from "effect/Duration";
import { timeOf } from "../model/time.ts";

/** How far a flow and one of its rounds may go, as it may be chosen. The times are of the server's own clock. */
export interface LimitOptions {
  /** Rounds of a flow. A round that would have to suspend beyond them ends the call with an error. Default 16. */
  readonly maxRounds: number;
  /** How often a flow may start again. Default 8. */
  readonly maxPasses: number;
  /** How long a round waits for the branches of `all` that have not asked yet. Default 1 second. */
  readonly gather: Duration.Input;
  /** How long a round waits for `once` steps in flight. Default 30 seconds. */
  readonly steps: Duration.Input;
  /**
   * How long an interrupted handler may take for its finalizers before the reply goes out without waiting for it. Default
   * 5 seconds.
   */
  readonly unwind: Duration.Input;
  /** Host turns that a round may take to come to rest. Default 1,000. */
  readonly turns: number;
}

/** How far a flow and one of its rounds may go. */
export interface Limits extends LimitOptions {
  readonly gather: Duration.Duration;
  readonly steps: Duration.Duration;
  readonly unwind: Duration.Duration;
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

const count = (what: string, value: number, least: number): number => {
  if (Number.isInteger(value) && value >= least) return value;
  throw new RangeError(`Cannot limit ${what} to ${value}: it must be a whole number from ${least} on`);
};

/** The limits that are chosen, and the others by default. Throws where a number is no count, or a time no duration. */
export const limitsOf = (chosen: Partial<LimitOptions> = {}): Limits => {
  const { gather, maxPasses, maxRounds, steps, turns, unwind } = { ...defaultLimits, ...chosen };
  return {
    maxRounds: count("the rounds of a flow", maxRounds, 1),
    maxPasses: count("how often a flow starts again", maxPasses, 0),
    gather: timeOf("limits.gather", gather),
    steps: timeOf("limits.steps", steps),
    unwind: timeOf("limits.unwind", unwind),
    turns: count("the turns of a round", turns, 0),
  };
};
