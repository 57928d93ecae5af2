/** The laws of DESIGN.md, section 5, for the interim interpreter, with generated programs and clients. */
import { assert, assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import { play, type Run, verdictOf, wayward, willing } from "./flow.ts";
import { law } from "./law.ts";
import { meaningOf } from "./model.ts";
import { calm, confined, type Grammar, unhurried } from "./program.ts";

const confluent: Grammar = { without: ["race"] };
const everything: Grammar = { without: [] };
const short = Duration.millis(10);
const long = Duration.seconds(10);

/** Steps were started once, and commits ran once, those of the last pass and on success only. */
const once = ({ result, trace }: Run): void => {
  assertEquals(new Set(trace.steps).size, trace.steps.length, `Steps ran twice: ${trace.steps}`);
  assertEquals(trace.commits, result.startsWith("ok ") ? trace.registered : []);
};

law(
  "Replay: a flow that is cut, on other instances, answered in part and badly, ends the same",
  confluent,
  (program) => unhurried(confined(program)),
  async (program, seed) => {
    const whole = await play(program, willing(seed), { cut: false, gather: short });
    const cut = await play(program, wayward(seed), { cut: true, gather: short });
    assertEquals(cut.result, whole.result);
    assertEquals(cut.trace.steps.toSorted(), whole.trace.steps.toSorted());
    assertEquals(cut.trace.commits.toSorted(), whole.trace.commits.toSorted());
  },
);

law(
  "Economy: a flow asks in as many rounds as there are asks that follow one another",
  confluent,
  (program) => calm(confined(program)),
  async (program, seed) => {
    const run = await play(program, willing(seed), { cut: true, gather: long });
    assertEquals({ result: run.result, asks: run.asks }, meaningOf(program, verdictOf(seed)));
  },
);

law(
  "Once: whatever fails, races and times out, a step is started once and a commit runs once",
  everything,
  (program) => program,
  async (program, seed) => {
    const run = await play(program, wayward(seed), { cut: true, gather: short });
    assert(run.result !== "endless" && !run.result.startsWith("broken"), run.result);
    once(run);
  },
);
