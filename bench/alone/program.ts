/**
 * One contestant at one piece of work, in a process of its own: `deno run -A bench/alone/program.ts sdk echo 0`, where the
 * number is that of tools besides those that are called.
 *
 * Prints as JSON what it is called and what its replies say. Then for each line of standard input, a number of milliseconds,
 * it works for so long, and prints the mean microseconds of one piece.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import type { Contestant } from "../contestant.ts";
import { contestants, type Name } from "../contestants/mod.ts";
import { type Work, type WorkName, works } from "../work.ts";

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

const [name, workName, more] = process.argv.slice(2) as [Name, WorkName, string];
const work = works[workName]();
const make = await contestants[name](work.messages);
const contestant = await make(Number(more));
console.log(JSON.stringify({ name: contestant.name, saw: work.saw(await work.run(contestant)) }));
for await (const line of createInterface({ input: process.stdin })) {
  console.log(await slice(work, contestant, Number(line)));
}
await contestant.close();
process.exit(0);
