/**
 * A law as a test: it holds for generated programs and clients.
 *
 * A failure prints the seed and the path of its counterexample; `NEEDFUL_SEED` and `NEEDFUL_PATH` run it again, and
 * `NEEDFUL_RUNS` sets how many programs are tried.
 */
import { test } from "node:test";
import process from "node:process";
import fc from "fast-check";
import { type Grammar, type Program, programs, show } from "./program.ts";

const { NEEDFUL_PATH, NEEDFUL_RUNS, NEEDFUL_SEED } = process.env;

const parameters: fc.Parameters<unknown> = {
  numRuns: Number(NEEDFUL_RUNS ?? 2_000),
  ...(NEEDFUL_SEED === undefined ? {} : { seed: Number(NEEDFUL_SEED) }),
  ...(NEEDFUL_PATH === undefined ? {} : { path: NEEDFUL_PATH }),
};

/** Tries the law with the programs of a grammar, each brought into shape first. */
export const law = (
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
