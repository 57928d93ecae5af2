/** Interleaved timing: in every round each contestant works for the same time, in an order that turns. */
import type { Contestant } from "./contestant.ts";
import type { Work } from "./work.ts";

/** How a measurement is made. */
export interface Plan {
  readonly rounds: number;
  /** Milliseconds that a contestant works in a round. */
  readonly slice: number;
  /** Milliseconds that each works before the first round. */
  readonly warmup: number;
}

/** Microseconds that one piece of work took, one value a round. */
export type Times = ReadonlyMap<Contestant, ReadonlyArray<number>>;

/** Works for `milliseconds` and gives the mean microseconds of one piece. */
const slice = async (work: Work, contestant: Contestant, milliseconds: number): Promise<number> => {
  const start = performance.now();
  const end = start + milliseconds;
  let pieces = 0;
  let now = start;
  while (now < end) {
    for (let i = 0; i < 16; i++) await work.run(contestant);
    pieces += 16;
    now = performance.now();
  }
  return (now - start) * 1000 / pieces;
};

/** Times all contestants at one piece of work. */
export const measure = async (work: Work, contestants: ReadonlyArray<Contestant>, plan: Plan): Promise<Times> => {
  const times = new Map<Contestant, Array<number>>();
  for (const contestant of contestants) {
    times.set(contestant, []);
    await slice(work, contestant, plan.warmup);
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (let i = 0; i < contestants.length; i++) {
      const contestant = contestants[(i + round) % contestants.length]!;
      times.get(contestant)!.push(await slice(work, contestant, plan.slice));
    }
  }
  return times;
};

/** The middle value, and the quartiles around it: what a busy machine does to single rounds stays out. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The spread of `values`. */
export const spread = (values: ReadonlyArray<number>): Spread => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))]!;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
};

/** How many times longer `other` took than `own`, round by round. */
export const ratio = (other: ReadonlyArray<number>, own: ReadonlyArray<number>): Spread =>
  spread(other.map((time, round) => time / own[round]!));
