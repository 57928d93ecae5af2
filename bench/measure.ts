/** Interleaved timing: in every round each contestant works for the same time, in an order that turns. */

/** How a measurement is made. */
export interface Plan {
  readonly rounds: number;
  /** Milliseconds that a contestant works in a round. */
  readonly slice: number;
  /** Milliseconds that each works before the first round: compilers take their time. */
  readonly warmup: number;
}

/** Does something for each of `all` in every round, in an order that turns, and gives the values by name. */
export const inTurns = async <A extends { readonly name: string }, V>(
  all: ReadonlyArray<A>,
  rounds: number,
  value: (one: A) => Promise<V>,
): Promise<ReadonlyMap<string, ReadonlyArray<V>>> => {
  const values = new Map<string, Array<V>>(all.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // To and fro, so that nobody comes after the same one always
    const order = round % 2 === 0 ? all : all.toReversed();
    for (let i = 0; i < all.length; i++) {
      const one = order[(i + round) % all.length]!;
      values.get(one.name)!.push(await value(one));
    }
  }
  return values;
};
