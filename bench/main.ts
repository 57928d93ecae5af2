/**
 * Side by side with the peers: `deno task bench [--only=abc] [--rounds=31] [--slice=60] [--warmup=4000] [--json=path]`.
 *
 * Contestants work in turns, in one process or, over HTTP, each in its own. Their answers are compared first: one that does
 * less work does not take part. What counts are the ratios of one run; times alone say little on a shared machine. The
 * letters are those of the tables that are printed.
 */
import { parseArgs } from "node:util";
import { assertEquals } from "@std/assert";
import type { Contestant, Make } from "./contestant.ts";
import * as bare from "./contestants/bare.ts";
import * as effectAi from "./contestants/effect_ai.ts";
import * as needful from "./contestants/needful.ts";
import * as sdk from "./contestants/sdk.ts";
import { compared, print, type Table } from "./figures.ts";
import { Connection } from "./http/connection.ts";
import * as Http from "./http/process.ts";
import type { Contestant as HttpContestant } from "./http/server.ts";
import { inTurns, measure, type Plan } from "./measure.ts";
import { measureLive } from "./own/live.ts";
import { measureMemory } from "./own/memory.ts";
import { measureRounds } from "./own/rounds.ts";
import { measureSubscriptions } from "./own/subscriptions.ts";
import { echo, flow, list, long, type Work } from "./work.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    only: { type: "string", default: "abcdefghijk" },
    rounds: { type: "string", default: "31" },
    slice: { type: "string", default: "60" },
    warmup: { type: "string", default: "4000" },
    json: { type: "string" },
  },
});

const plan: Plan = { rounds: Number(values.rounds), slice: Number(values.slice), warmup: Number(values.warmup) };
/** Of what takes long. */
const repeats = Math.max(5, Math.floor(plan.rounds / 3));

const inProcess = async (id: string, work: Work, makes: ReadonlyArray<Make>, more = 0, some = plan): Promise<Table> => {
  const contestants = await Promise.all(makes.map((make) => make(more)));
  const [first, ...others] = contestants as [Contestant, ...ReadonlyArray<Contestant>];
  const expected = await work.run(first);
  for (const other of others) {
    assertEquals(await work.run(other), expected, `${other.name} does not answer ${work.name} as ${first.name} does`);
  }
  const times = await measure(work, contestants, some);
  for (const contestant of contestants) await contestant.close();
  return compared(id, work.name, "µs", times);
};

const overHttp = async (
  id: string,
  name: string,
  work: Http.HttpWork,
  contestants: ReadonlyArray<HttpContestant>,
): Promise<Table> => {
  const servers = await Promise.all(contestants.map(Http.start));
  const answers = await Promise.all(servers.map(async ({ port }) => {
    const connection = await Connection.open(port);
    const answer = Http.said(await work(connection, port));
    connection.close();
    return answer;
  }));
  for (const answer of answers) assertEquals(answer, answers[0]);
  for (const server of servers) await Http.throughput(server, work, plan.warmup);
  const rates = await inTurns(servers, repeats, (server) => Http.throughput(server, work, plan.slice * 5));
  for (const server of servers) await server.stop();
  return compared(id, name, "a second", rates);
};

const starts = async (contestants: ReadonlyArray<HttpContestant>): Promise<Table> => {
  const named = contestants.map((name) => ({ name }));
  await inTurns(named, 1, ({ name }) => Http.firstAnswer(name));
  return compared(
    "f",
    "start of a fresh process to its first answer",
    "ms",
    await inTurns(
      named,
      repeats,
      ({ name }) => Http.firstAnswer(name),
    ),
  );
};

const short: Plan = { ...plan, rounds: repeats, warmup: Math.min(plan.warmup, 1_000) };

const programme: { readonly [id: string]: () => Promise<Table | ReadonlyArray<Table>> } = {
  a: () => inProcess("a", echo, [needful.untraced, needful.traced, sdk.make, effectAi.make, bare.make]),
  b: () => inProcess("b", flow, [needful.untraced, needful.traced, sdk.make, bare.make]),
  c: () => overHttp("c", "echo tools/call over HTTP, 16 connections", Http.echo, ["needful", "sdk", "effect", "bare"]),
  d: () => overHttp("d", "two-round elicitation over HTTP, 16 connections", Http.flow, ["needful", "sdk", "bare"]),
  e: () => inProcess("e", list, [needful.untraced, sdk.make, effectAi.make], 1_000, short),
  f: () => starts(["needful", "sdk", "effect"]),
  g: measureMemory,
  h: () => measureRounds(repeats),
  i: () => measureLive(repeats),
  j: async () => {
    const tables: Array<Table> = [];
    for (const work of long) tables.push(await inProcess("j", work, [needful.untraced, sdk.make, bare.make], 0, short));
    return tables;
  },
  k: () => measureSubscriptions(repeats),
};

console.log(`Deno ${Deno.version.deno}, ${plan.rounds} rounds of ${plan.slice} ms each; medians (and quartiles)`);
const tables: Array<Table> = [];
for (const id of values.only) {
  const measured = await programme[id]?.() ?? [];
  for (const table of [measured].flat()) {
    print(table);
    tables.push(table);
  }
}
if (values.json !== undefined) {
  const run = { runtime: `Deno ${Deno.version.deno}`, plan, tables };
  Deno.writeTextFileSync(values.json, `${JSON.stringify(run, undefined, 2)}\n`);
}
Deno.exit(0);
