/** `Need.onCommit`. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import { counted, Setting } from "./parts.ts";
import type { Program } from "./program.ts";

export const commits: ReadonlyArray<Program> = [
  {
    name: "commits run once, in order, after the result",
    handler: (_, act) =>
      Effect.gen(function* () {
        yield* Need.onCommit(act("first"));
        yield* ask("a");
        yield* Need.onCommit(act("second"));
        yield* ask("b");
        yield* Need.once("step", act("step"), Schema.Void);
      }),
    result: "ok undefined",
    asks: [["a"], ["b"]],
    acts: ["step", "first", "second"],
  },
  {
    name: "commits of a handler that fails do not run",
    handler: (_, act) => Effect.andThen(Need.onCommit(act("commit")), Effect.andThen(ask("a"), Effect.fail("boom"))),
    result: "fail boom",
    asks: [["a"]],
  },
  {
    name: "a commit that dies, one that asks, one that is good",
    handler: (_, act) =>
      Effect.gen(function* () {
        yield* Need.onCommit(Effect.die("boom"));
        yield* Need.onCommit(Effect.orDie(ask("a")));
        yield* Need.onCommit(Need.again);
        yield* Need.onCommit(Need.once("step", act("step"), Schema.Void));
        yield* Need.onCommit(counted.set(1));
        yield* Need.onCommit(Need.onCommit(act("inner")));
        yield* Need.onCommit(act("commit"));
      }),
    result: "ok undefined",
    asks: [],
    acts: ["commit"],
  },
  {
    name: "a commit keeps the services of its place",
    handler: (_, act) =>
      Effect.provideService(
        Need.onCommit(Effect.flatMap(Setting, ({ value }) => act(value))),
        Setting,
        { value: "inside" },
      ),
    result: "ok undefined",
    asks: [],
    acts: ["inside"],
  },
  {
    name: "commits of an earlier pass do not run",
    handler: (_, act) =>
      Effect.gen(function* () {
        const n = yield* counted.get;
        yield* Need.onCommit(act(`commit ${n}`));
        if (n < 2) return yield* Effect.andThen(counted.set(n + 1), Need.again);
      }),
    result: "ok undefined",
    asks: [[], []],
    acts: ["commit 2"],
  },
];
