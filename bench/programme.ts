/** What is measured, by letters. */
import { deepEqual } from "node:assert/strict";
import { type Alone, start } from "./alone/process.ts";
import type { Make } from "./contestant.ts";
import { contestants, type Name } from "./contestants/mod.ts";
import { compared, type Table } from "./figures.ts";
import { echo as echoOverHttp, flow as flowOverHttp } from "./http/load.ts";
import { inTurns, type Plan } from "./measure.ts";
import { measureHttp, measureStarts } from "./over_http.ts";
import { measureLive } from "./own/live.ts";
import { measureMemory } from "./own/memory.ts";
import { measureRounds } from "./own/rounds.ts";
import { measureSubscriptions } from "./own/subscriptions.ts";
import { list, type WorkName, works } from "./work.ts";

type Measured = Promise<Table | ReadonlyArray<Table>>;

/** The contestants, once their answers are known to be equal. */
const equals = async (work: WorkName, names: ReadonlyArray<Name>, more: number): Promise<ReadonlyArray<Alone>> => {
  const all = await Promise.all(names.map((name) => start(name, work, more)));
  for (const { name, saw } of all) {
    deepEqual(saw, all[0]?.saw, `${name} does not answer ${work} as ${all[0]?.name} does`);
  }
  return all;
};

/** Microseconds that a piece of work takes each contestant, in a process of its own: no garbage of one slows another. */
const inProcess = async (
  id: string,
  work: WorkName,
  names: ReadonlyArray<Name>,
  { rounds, slice, warmup }: Plan,
  more = 0,
): Promise<Table> => {
  const all = await equals(work, names, more);
  for (const one of all) await one.slice(warmup);
  const times = await inTurns(all, rounds, (one) => one.slice(slice));
  await Promise.all(all.map(({ stop }) => stop()));
  return compared(id, works[work]().name, "µs", times);
};

/** Microseconds of lists that a server has never been asked for, and of the same asked for again and again. */
const lists = async (names: ReadonlyArray<Name>, repeats: number): Promise<ReadonlyArray<Table>> => {
  const asks = 20;
  const named = await Promise.all(names.map(async (contestant) => {
    const make: Make = await contestants[contestant](list.messages);
    const { close, name } = await make();
    await close();
    return { name, make };
  }));
  const times = await inTurns(named, repeats, async ({ make }) => {
    const contestant = await make(1_000);
    const all: Array<number> = [];
    for (let ask = 0; ask < asks; ask++) {
      const start = performance.now();
      await list.run(contestant);
      all.push((performance.now() - start) * 1_000);
    }
    await contestant.close();
    return all;
  });
  return [0, 1, asks - 1].map((ask) =>
    compared(
      "e",
      `tools/list of 1,000 tools by a new server, request ${ask + 1}`,
      "µs",
      new Map(Array.from(times, ([name, all]) => [name, all.map((values) => values[ask]!)])),
    )
  );
};

/** The measurements, each under the letter that it is asked for by. */
export const programme = (plan: Plan): { readonly [id: string]: () => Measured } => {
  /** Of what takes long. */
  const repeats = Math.max(5, Math.floor(plan.rounds / 3));
  const few: Plan = { ...plan, rounds: repeats };
  const short: Plan = { ...few, warmup: Math.min(plan.warmup, 1_000) };
  const listers = ["untraced", "sdk", "effect"] as const;
  return {
    a: () => inProcess("a", "echo", ["untraced", "traced", "sdk", "effect", "bare", "reading", "constant"], plan),
    b: () => inProcess("b", "flow", ["untraced", "traced", "portable", "sdk", "bare", "constant"], plan),
    c: () => measureHttp("c", "echo tools/call", echoOverHttp, ["needful", "sdk", "effect", "bare", "reading"], few),
    d: () => measureHttp("d", "two-round elicitation", flowOverHttp, ["needful", "sdk", "bare"], few),
    e: async () => [await inProcess("e", "list", listers, short, 1_000), ...await lists(listers, repeats)],
    f: () => measureStarts(["needful", "sdk", "effect", "bare"], repeats),
    g: measureMemory,
    h: () => measureRounds(repeats),
    i: () => measureLive(repeats),
    j: async () => {
      const tables: Array<Table> = [];
      for (const work of ["long1KiB", "long100KiB", "long4MiB"] as const) {
        tables.push(await inProcess("j", work, ["untraced", "sdk", "bare", "constant"], short));
      }
      return tables;
    },
    k: () => measureSubscriptions(repeats),
  };
};
