/**
 * Side by side with the peers, in one process: `deno task bench [--rounds=31] [--slice=60]`.
 *
 * Every contestant is called through its Web handler, without a socket. The answers are compared first: a contestant that
 * does less work does not take part. What is printed are ratios of one run; times alone say little on a shared machine.
 */
import { parseArgs } from "node:util";
import { assertEquals } from "@std/assert";
import type { Contestant, Make } from "./contestant.ts";
import * as bare from "./contestants/bare.ts";
import * as effectAi from "./contestants/effect_ai.ts";
import * as needful from "./contestants/needful.ts";
import * as sdk from "./contestants/sdk.ts";
import { measure, type Plan, ratio, spread, type Times } from "./measure.ts";
import { echo, flow, type Work } from "./work.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    rounds: { type: "string", default: "31" },
    slice: { type: "string", default: "60" },
    warmup: { type: "string", default: "1000" },
  },
});

const plan: Plan = { rounds: Number(values.rounds), slice: Number(values.slice), warmup: Number(values.warmup) };

const programme: ReadonlyArray<{ readonly work: Work; readonly contestants: ReadonlyArray<Make> }> = [
  { work: echo, contestants: [needful.untraced, needful.traced, sdk.make, effectAi.make, bare.make] },
  { work: flow, contestants: [needful.untraced, needful.traced, sdk.make] },
];

const row = (...cells: ReadonlyArray<string>): string =>
  [cells[0]!.padEnd(34), ...cells.slice(1).map((cell) => cell.padStart(22))].join("");

const print = (work: Work, times: Times): void => {
  const [own] = times.values();
  console.log(`\n${row(work.name, "µs, median (quartiles)", "times our own", "quartiles")}`);
  for (const [contestant, all] of times) {
    const time = spread(all);
    const against = ratio(all, own!);
    console.log(row(
      contestant.name,
      `${time.median.toFixed(1)} (${time.low.toFixed(1)}-${time.high.toFixed(1)})`,
      `${against.median.toFixed(2)}x`,
      `${against.low.toFixed(2)}-${against.high.toFixed(2)}`,
    ));
  }
};

const compare = async (work: Work, contestants: ReadonlyArray<Contestant>): Promise<void> => {
  const [first, ...others] = contestants;
  const expected = await work.run(first!);
  for (const other of others) {
    assertEquals(await work.run(other), expected, `${other.name} does not answer ${work.name} as ${first!.name} does`);
  }
};

console.log(`Deno ${Deno.version.deno}, ${plan.rounds} rounds of ${plan.slice} ms each, interleaved`);
for (const { contestants: makes, work } of programme) {
  const contestants = await Promise.all(makes.map((make) => make()));
  await compare(work, contestants);
  print(work, await measure(work, contestants, plan));
  for (const contestant of contestants) await contestant.close();
}
