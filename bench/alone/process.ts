/** A contestant that works in a process of its own: it has its own heap, and its own compiled code. */
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Name } from "../contestants/mod.ts";
import * as Runtime from "../runtime.ts";
import type { WorkName } from "../work.ts";

/** A contestant at one piece of work. */
export interface Alone {
  readonly name: string;
  /** What its replies say. */
  readonly saw: unknown;
  /** Works for so many milliseconds, and gives the mean microseconds of one piece. */
  readonly slice: (milliseconds: number) => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Starts a contestant, with `more` tools besides those that are called. */
export const start = async (contestant: Name, work: WorkName, more: number): Promise<Alone> => {
  const process = Runtime.start("alone/program", [contestant, work, String(more)]);
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`The process of ${contestant} at ${work} ended`);
    return value;
  };
  const { name, saw } = JSON.parse(await next());
  return {
    name,
    saw,
    slice: async (milliseconds) => {
      process.stdin.write(`${milliseconds}\n`);
      return Number(await next());
    },
    stop: async () => {
      process.stdin.end();
      if (process.exitCode === null) await once(process, "close");
    },
  };
};
