/** The laws of DESIGN.md, section 5, that concern live runs, with generated programs and answers, declines among them. */
import { assert, assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import { play, random, type Run, willing } from "./flow.ts";
import { law } from "./law.ts";
import { inAnyOrder, inOrder, talk } from "./live.ts";
import { confined, unhurried } from "./program.ts";

const short = Duration.millis(10);

const said = ({ asks, result, trace }: Run) => ({
  result,
  asked: [...new Set(asks.flat())].sort(),
  steps: trace.steps.toSorted(),
  commits: trace.commits.toSorted(),
});

law(
  "Era parity: the modern flow and the live run ask the same, end the same, and run the same steps and commits",
  { without: ["race"] },
  (program) => unhurried(confined(program)),
  async (program, seed) => {
    const modern = said(await play(program, willing(seed), { cut: false, gather: short }));
    assertEquals(said(await talk(program, seed, inOrder, short)), modern, "in order");
    assertEquals(said(await talk(program, seed, inAnyOrder(random(seed)), short)), modern, "in any order");
  },
);

law(
  "Once, live: whatever fails, races and times out, a step is started once and a commit runs once",
  { without: [] },
  (program) => program,
  async (program, seed) => {
    const { result, trace } = await talk(program, seed, inAnyOrder(random(seed)), short);
    assert(!result.startsWith("broken"), result);
    assertEquals(new Set(trace.steps).size, trace.steps.length, `Steps ran twice: ${trace.steps}`);
    assertEquals(trace.commits, result.startsWith("ok ") ? trace.registered : []);
  },
);
