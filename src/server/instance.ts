/** A running server: the value with its services, ready to act on requests. */

/** Bounds of a flow and of a round. */
export interface Limits {
  readonly maxRounds: number;
}
