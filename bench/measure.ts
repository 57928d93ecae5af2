/** Interleaved timing: in every round each contestant works for the same time, in an order that turns. */
import type { Contestant } from "./contestant.ts";
import type { Work } from "./work.ts";

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
    // To and fro, so that nobody comes after the same one always: garbage of one is collected in the time of the next
    const order = round % 2 === 0 ? all : all.toReversed();
    for (let i = 0; i < all.length; i++) {
      const one = order[(i + round) % all.length]!;
      values.get(one.name)!.push(await value(one));
    }
  }
  return values;
};

/** Pieces of work that are done before the clock is looked at, where they are short. */
const batch = 16;

/** Works for `milliseconds` and gives the mean microseconds of one piece. */
const slice = async (work: Work, contestant: Contestant, milliseconds: number): Promise<number> => {
  const pieces = work.long === true ? 1 : batch;
  const start = performance.now();
  let done = 0;
  let now = start;
  while (now - start < milliseconds) {
    for (let i = 0; i < pieces; i++) await work.run(contestant);
    done += pieces;
    now = performance.now();
  }
  return (now - start) * 1000 / done;
};

/** Microseconds that one piece of work took each contestant, one value a round. */
export const measure = async (
  work: Work,
  contestants: ReadonlyArray<Contestant>,
  { rounds, slice: milliseconds, warmup }: Plan,
): Promise<ReadonlyMap<string, ReadonlyArray<number>>> => {
  for (const contestant of contestants) await slice(work, contestant, warmup);
  return inTurns(contestants, rounds, (contestant) => slice(work, contestant, milliseconds));
};
