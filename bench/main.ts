/**
 * Side by side with the peers: `deno task bench [--only=abc] [--rounds=31] [--slice=60] [--warmup=4000] [--json=path]`, and
 * `deno task bench:bun` and `bench:node` alike. For a first look, `--rounds=5 --slice=20 --warmup=200`.
 *
 * Contestants work in turns, each in a process of its own. Their answers are compared first: one that does less work does
 * not take part. What counts are the ratios of one run; times alone say little on a shared machine. The
 * letters are those of the tables that are printed.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { print, type Table } from "./figures.ts";
import type { Plan } from "./measure.ts";
import { programme } from "./programme.ts";
import { title } from "./runtime.ts";

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    only: { type: "string", default: "abcdefghijk" },
    rounds: { type: "string", default: "31" },
    slice: { type: "string", default: "60" },
    warmup: { type: "string", default: "4000" },
    json: { type: "string" },
  },
});

const plan: Plan = { rounds: Number(values.rounds), slice: Number(values.slice), warmup: Number(values.warmup) };
const all = programme(plan);

console.log(`${title}, ${plan.rounds} rounds of ${plan.slice} ms each; medians (and quartiles)`);
const tables: Array<Table> = [];
for (const id of values.only) {
  const measured = await all[id]?.() ?? [];
  for (const table of [measured].flat()) {
    print(table);
    tables.push(table);
  }
}
if (values.json !== undefined) {
  const machine = `${cpus().length} x ${cpus()[0]?.model}`;
  writeFileSync(values.json, `${JSON.stringify({ runtime: title, machine, plan, tables }, undefined, 2)}\n`);
}
process.exit(0);
