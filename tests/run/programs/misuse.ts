/** What must not stand inside of a step. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import type { Handler } from "../kit.ts";
import { both, counted } from "./parts.ts";
import type { Program } from "./program.ts";

export const misuse: ReadonlyArray<Program> = [
  {
    name: "a step that waits for itself",
    handler: () => {
      const step: Handler<void, never> = Need.once("step", Effect.suspend(() => step), Schema.Void);
      return step;
    },
    result: 'broken The step "step" waits for itself',
    asks: [],
  },
  {
    name: "two steps that wait for each other",
    handler: () => {
      const one: Handler<void, never> = Need.once(
        "one",
        Effect.andThen(Effect.yieldNow, Effect.suspend(() => two)),
        Schema.Void,
      );
      const two: Handler<void, never> = Need.once(
        "two",
        Effect.andThen(Effect.yieldNow, Effect.suspend(() => one)),
        Schema.Void,
      );
      return Effect.all([one, two], both);
    },
    result: 'broken The step "one" waits for "two", which waits for it',
    asks: [],
  },
  {
    name: "a ring of steps, two of them inside of others",
    handler: () => {
      const waits = (name: string, next: () => Handler<void, never>): Handler<void, never> =>
        Need.once(name, Effect.andThen(Effect.yieldNow, Effect.suspend(next)), Schema.Void);
      const one: Handler<void, never> = waits("one", () => waits("inner", () => two));
      const two: Handler<void, never> = waits("two", () => three);
      const three: Handler<void, never> = waits("three", () => one);
      return Effect.all([one, two], both);
    },
    result: 'broken The step "one" waits for "three", which waits for it',
    asks: [],
  },
  {
    name: "a step that waits for one that others wait for as well",
    handler: () => {
      const base: Handler<void, never> = Need.once("base", Effect.yieldNow, Schema.Void);
      const over = (name: string) => Need.once(name, Effect.andThen(Effect.yieldNow, base), Schema.Void);
      return Effect.as(
        Effect.all([over("one"), over("two"), Need.once("three", over("one"), Schema.Void)], both),
        "ok",
      );
    },
    result: 'ok "ok"',
    asks: [],
  },
  {
    name: "an ask inside of a step",
    handler: (note) =>
      Need.once("step", Effect.orDie(ask("a")), Schema.String).pipe(Effect.catchCause(() => note("caught"))),
    result: 'broken Cannot ask "a" inside of the step "step"',
    asks: [],
  },
  {
    name: "an ask inside of a step, caught there, beside a need",
    handler: (note) =>
      Effect.all([
        ask("b"),
        Need.once("step", Effect.catchCause(Effect.asVoid(ask("a")), () => note("caught")), Schema.Void),
      ], both),
    result: 'broken Cannot ask "a" inside of the step "step"',
    asks: [],
    // A step is an uninterruptible region: what catches causes in there sees the interruption (G2).
    log: ["caught"],
  },
  {
    name: "a cell inside of a step",
    handler: () => Need.once("step", counted.set(1), Schema.Void),
    result: 'broken Cannot use the state "n" inside of the step "step"',
    asks: [],
  },
  {
    name: "a commit inside of a step",
    handler: () => Need.once("step", Need.onCommit(Effect.void), Schema.Void),
    result: 'broken Cannot register a commit inside of the step "step"',
    asks: [],
  },
  {
    name: "again inside of a step",
    handler: () => Need.once("step", Need.again, Schema.Void),
    result: 'broken Cannot start again inside of the step "step"',
    asks: [],
  },
];
