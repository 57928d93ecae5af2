/** What a key stands for. */
import * as Effect from "effect/Effect";
import * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import { both, unbounded } from "./parts.ts";
import type { Program } from "./program.ts";

export const keys: ReadonlyArray<Program> = [
  {
    name: "one key, equal questions",
    handler: () => Effect.all([ask("a"), ask("a")], both),
    result: 'ok ["a","a"]',
    asks: [["a"]],
  },
  {
    name: "one key, two questions",
    handler: () => Effect.all([ask("a"), ask("a", "other")], both),
    result: 'broken The key "a" stands for two different questions',
    asks: [],
  },
  {
    name: "one key, two questions, in a catchCause",
    handler: (note) => Effect.all([ask("a"), ask("a", "other").pipe(Effect.catchCause(() => note("caught")))], both),
    result: 'broken The key "a" stands for two different questions',
    asks: [],
  },
  {
    name: "one key, two kinds of questions",
    handler: () => Effect.all([ask("a"), Need.confirm("a", "? a")], both),
    result: 'broken The key "a" stands for two different questions',
    asks: [],
  },
  {
    name: "a key that stands on a prototype chain",
    handler: () => Effect.all([ask("__proto__"), ask("constructor"), ask("toString")], unbounded),
    result: 'ok ["__proto__","constructor","toString"]',
    asks: [["__proto__", "constructor", "toString"]],
  },
];
