/** `Effect.all`: branches that ask early, late, or fail. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import { after, both, promised } from "./parts.ts";
import type { Program } from "./program.ts";

export const together: ReadonlyArray<Program> = [
  {
    name: "all, one branch after five promises",
    handler: () => Effect.all([ask("a"), after(Effect.repeat(promised, { times: 4 }), "b")], both),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "all, one branch after a sleep of no time",
    handler: () => Effect.all([ask("a"), after(Effect.sleep(0), "b")], both),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "all, one branch after a sleep",
    timed: true,
    handler: () => Effect.all([ask("a"), after(Effect.sleep(100), "b")], both),
    result: 'ok ["a","b"]',
    asks: [["a"], ["b"]],
  },
  {
    name: "all, one branch of 20,000 operations",
    handler: () =>
      Effect.all([
        ask("a"),
        Effect.gen(function* () {
          for (let i = 0; i < 20_000; i++) yield* Effect.void;
          return yield* ask("b");
        }),
      ], both),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "all, a step before the second need",
    handler: () => Effect.all([ask("a"), after(Need.once("step", Effect.sleep(2), Schema.Void), "b")], both),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "all, a branch that fails at once",
    handler: () => Effect.all([ask("a"), Effect.fail("boom")], both),
    result: "fail boom",
    asks: [],
  },
  {
    name: "all, a branch that fails after a yield",
    handler: () => Effect.all([ask("a"), Effect.andThen(Effect.yieldNow, Effect.fail("boom"))], both),
    result: "fail boom",
    asks: [],
  },
  {
    name: "all, a branch that fails later",
    timed: true,
    handler: () => Effect.all([ask("a"), Effect.andThen(Effect.sleep(100), Effect.fail("boom"))], both),
    result: "fail boom",
    asks: [["a"]],
  },
  {
    name: "all, a branch that dies",
    handler: () => Effect.all([ask("a"), Effect.die("boom")], both),
    result: "die boom",
    asks: [],
  },
];
