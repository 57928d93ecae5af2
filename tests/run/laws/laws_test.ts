/**
 * The laws of DESIGN.md, section 5, for the interim interpreter, with generated programs and clients.
 *
 * A failure prints the seed and the path of its counterexample; `NEEDFUL_SEED` and `NEEDFUL_PATH` run it again, and
 * `NEEDFUL_RUNS` sets how many programs are tried.
 */
import { test } from "node:test";
import process from "node:process";
import { assert, assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import fc from "fast-check";
import { play, type Run, verdictOf, wayward, willing } from "./flow.ts";
import { meaningOf } from "./model.ts";
import { calm, confined, type Grammar, type Program, programs, show } from "./program.ts";

const { NEEDFUL_PATH, NEEDFUL_RUNS, NEEDFUL_SEED } = process.env;

const parameters: fc.Parameters<unknown> = {
  numRuns: Number(NEEDFUL_RUNS ?? 2_000),
  ...(NEEDFUL_SEED === undefined ? {} : { seed: Number(NEEDFUL_SEED) }),
  ...(NEEDFUL_PATH === undefined ? {} : { path: NEEDFUL_PATH }),
};

const law = (
  name: string,
  grammar: Grammar,
  shape: (program: Program) => Program,
  holds: (program: Program, seed: number) => Promise<void>,
): void => {
  test(name, async () => {
    const shown = programs(grammar).map((program) => {
      const shaped = shape(program);
      return Object.assign(shaped, { [fc.toStringMethod]: () => show(shaped) });
    });
    await fc.assert(fc.asyncProperty(shown, fc.nat(), holds), parameters);
  });
};

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
  confined,
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
