/** What is measured, by letters. */
import { deepEqual } from "node:assert/strict";
import type { Contestant, Make } from "./contestant.ts";
import * as bare from "./contestants/bare.ts";
import * as constant from "./contestants/constant.ts";
import * as effectAi from "./contestants/effect_ai.ts";
import * as needful from "./contestants/needful.ts";
import * as sdk from "./contestants/sdk.ts";
import { compared, type Table } from "./figures.ts";
import { inTurns, measure, type Plan } from "./measure.ts";
import { measureHttp, measureStarts } from "./over_http.ts";
import { echo as echoOverHttp, flow as flowOverHttp } from "./http/load.ts";
import { measureLive } from "./own/live.ts";
import { measureMemory } from "./own/memory.ts";
import { measureRounds } from "./own/rounds.ts";
import { measureSubscriptions } from "./own/subscriptions.ts";
import { echo, flow, list, long, type Work } from "./work.ts";

type Measured = Promise<Table | ReadonlyArray<Table>>;

/** The contestants, once their answers are known to be equal. */
const equals = async (work: Work, makes: ReadonlyArray<Make>, more: number): Promise<ReadonlyArray<Contestant>> => {
  const contestants = await Promise.all(makes.map((make) => make(more)));
  const saw = await Promise.all(contestants.map(async (contestant) => work.saw(await work.run(contestant))));
  contestants.forEach(({ name }, index) => {
    deepEqual(saw[index], saw[0], `${name} does not answer ${work.name} as ${contestants[0]?.name} does`);
  });
  return contestants;
};

const inProcess = async (id: string, work: Work, makes: ReadonlyArray<Make>, plan: Plan, more = 0): Promise<Table> => {
  const contestants = await equals(work, makes, more);
  const times = await measure(work, contestants, plan);
  for (const contestant of contestants) await contestant.close();
  return compared(id, work.name, "µs", times);
};

/** Microseconds of lists that a server has never been asked for, and of the same asked for again and again. */
const lists = async (makes: ReadonlyArray<Make>, repeats: number): Promise<ReadonlyArray<Table>> => {
  const asks = 20;
  const named = await Promise.all(makes.map(async (make) => {
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
  const listers = [needful.untraced, sdk.make, effectAi.make];
  return {
    a: () => {
      const nothing = constant.makeFor(echo.messages);
      return inProcess("a", echo, [...needful.both, sdk.make, effectAi.make, bare.make, nothing], plan);
    },
    b: () => {
      const nothing = constant.makeFor(flow.messages);
      return inProcess("b", flow, [...needful.both, needful.portable, sdk.make, bare.make, nothing], plan);
    },
    c: () => measureHttp("c", "echo tools/call", echoOverHttp, ["needful", "sdk", "effect", "bare"], few),
    d: () => measureHttp("d", "two-round elicitation", flowOverHttp, ["needful", "sdk", "bare"], few),
    e: async () => [await inProcess("e", list, listers, short, 1_000), ...await lists(listers, repeats)],
    f: () => measureStarts(["needful", "sdk", "effect", "bare"], repeats),
    g: measureMemory,
    h: () => measureRounds(repeats),
    i: () => measureLive(repeats),
    j: async () => {
      const tables: Array<Table> = [];
      for (const make of long) {
        const work = make();
        const nothing = constant.makeFor(work.messages);
        tables.push(await inProcess("j", work, [needful.untraced, sdk.make, bare.make, nothing], short));
      }
      return tables;
    },
    k: () => measureSubscriptions(repeats),
  };
};
