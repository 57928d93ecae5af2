/** The programs of DESIGN.md, section 5, under the interim interpreter. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Scheduler from "effect/Scheduler";
import { accept, drive, type Setting } from "./kit.ts";
import { programs } from "./programs.ts";
import type { Program } from "./programs/program.ts";

/** What becomes of a program, in the terms of the table. */
const played = async ({ answers, capabilities, handler }: Program, setting: Setting = {}) => {
  const acts: Array<string> = [];
  let log: Array<string> = [];
  const { asks, result } = await drive(
    () => {
      const own: Array<string> = log = [];
      return handler(
        (what) => Effect.sync(() => void own.push(what)),
        (what) => Effect.sync(() => void acts.push(what)),
      );
    },
    (key, round) => answers?.[key] ?? accept(key, round),
    capabilities === undefined ? setting : { ...setting, capabilities },
  );
  return { result, asks, log, acts };
};

for (const program of programs) {
  test(`interim: ${program.name}`, async () => {
    const { acts = [], asks, log = [], result } = program;
    assertEquals(await played(program), { result, asks, log, acts });
  });
}

test("interim: programs come to the same where fibers yield in the middle of every verb", async () => {
  for (const max of [5, 7, 11]) {
    const services = Context.make(Scheduler.MaxOpsBeforeYield, max);
    for (const program of programs.filter(({ timed }) => timed !== true)) {
      const { acts = [], asks, log = [], name, result } = program;
      const seen = await played(program, { services });
      // Only the order of the questions of one round may change.
      const sorted = (rounds: Program["asks"]) => rounds.map((keys) => keys.toSorted());
      assertEquals({ ...seen, name, asks: sorted(seen.asks) }, { result, name, asks: sorted(asks), log, acts });
    }
  }
});
