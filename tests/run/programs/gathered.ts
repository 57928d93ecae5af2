/** `Need.all`: branches that ask late, bare needs, branches of branches. */
import * as Effect from "effect/Effect";
import * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import { after, bare, declined } from "./parts.ts";
import type { Program } from "./program.ts";

export const gathered: ReadonlyArray<Program> = [
  {
    name: "Need.all, one branch after a sleep",
    handler: () => Need.all([ask("a"), after(Effect.sleep(2), "b")]),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "Need.all inside of Need.all",
    handler: () => Need.all([Need.all([ask("a"), after(Effect.sleep(2), "b")]), ask("c")]),
    result: 'ok [["a","b"],"c"]',
    asks: [["a", "c", "b"]],
  },
  {
    name: "Need.all, a time limit in one branch",
    timed: true,
    handler: () => Need.all([Effect.timeoutOption(ask("a"), 1), after(Effect.sleep(4), "b")]),
    result: 'ok [{"_id":"Option","_tag":"Some","value":"a"},"b"]',
    asks: [["a", "b"]],
  },
  {
    name: "Need.all of bare needs",
    handler: () => Need.all({ a: Need.confirm("a", "?"), b: Need.confirm("b", "?"), again: Need.confirm("a", "?") }),
    result: 'ok {"a":true,"b":false,"again":true}',
    asks: [["a", "b"]],
    answers: { a: { action: "accept", content: { ok: true } }, b: declined },
  },
  {
    name: "Need.all of bare needs, one of them declined",
    handler: () => Need.all([bare("a"), bare("b")]).pipe(Effect.catchTag("Declined", ({ key }) => ask(`not ${key}`))),
    result: 'ok "not b"',
    asks: [["a", "b"], ["not b"]],
    answers: { b: declined },
  },
  {
    name: "Need.all of bare needs, one key for two questions",
    handler: (note) => Need.all([bare("a"), Need.confirm("a", "?")]).pipe(Effect.catchCause(() => note("caught"))),
    result: 'broken The key "a" stands for two different questions',
    asks: [],
  },
  {
    name: "Need.all of bare needs that loses a race",
    handler: () => Effect.all([Effect.race(Need.all([bare("a"), bare("b")]), Effect.succeed("value")), ask("c")]),
    result: 'ok ["value","c"]',
    asks: [["c"]],
  },
  {
    name: "Need.all of bare needs in a branch of Need.all",
    handler: () => Need.all([Need.all([bare("a"), bare("b")]), after(Effect.sleep(2), "c")]),
    result: 'ok [[{"v":"a"},{"v":"b"}],"c"]',
    asks: [["a", "b", "c"]],
  },
  {
    name: "Need.all, a branch that fails at once",
    handler: () => Need.all([Effect.fail("boom"), ask("a")]).pipe(Effect.catch(() => ask("b"))),
    result: 'ok "b"',
    asks: [["b"]],
  },
];
