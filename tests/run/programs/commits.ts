/** `Need.onCommit`. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as Manual from "../../../src/manual/mod.ts";
import * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import type { Handler } from "../kit.ts";
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
    name: "a commit reads its flow: the last value of a cell, its id, the request of a handler that returns",
    handler: (_, act) =>
      Effect.gen(function* () {
        yield* Need.onCommit(Effect.flatMap(counted.get, (n) => act(`counted ${n}`)));
        yield* Need.onCommit(Effect.flatMap(Need.flow, ({ id }) => act(id)));
        yield* Need.onCommit(Effect.flatMap(Manual.rawState, (state) => act(state._tag)));
        yield* counted.set(1);
        yield* ask("a");
        yield* counted.update((n) => n + 1);
        return "done";
      }),
    result: 'ok "done"',
    asks: [["a"]],
    acts: ["counted 2", "flow", "None"],
  },
  {
    name: "a commit dies of what it must not do",
    handler: (_, act) => {
      const verbs: ReadonlyArray<Handler> = [
        ask("a"),
        Need.attempt(ask("a")),
        Need.all([ask("a")]),
        Need.again,
        Need.once("step", act("step"), Schema.Void),
        counted.set(1),
        Need.onCommit(act("inner")),
        Manual.refuseState("old"),
      ];
      const told = (verb: Handler) => Effect.catchDefect(verb, (defect) => act((defect as Error).message));
      return Effect.forEach(verbs, (verb) => Need.onCommit(Effect.ignore(told(verb))), { discard: true });
    },
    result: "ok undefined",
    asks: [],
    acts: [
      'Cannot ask "a" while committing',
      'Cannot ask "a" while committing',
      'Cannot ask "a" while committing',
      "Cannot start again while committing",
      'Cannot run the step "step" while committing',
      'Cannot use the state "n" while committing',
      "Cannot register a commit while committing",
      "Invalid request state",
    ],
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
