/** `Need.once`. */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import { both, outcome, unbounded } from "./parts.ts";
import type { Program } from "./program.ts";

const fails = { success: Schema.String, failure: Schema.Struct({ why: Schema.String }) };

export const steps: ReadonlyArray<Program> = [
  {
    name: "a step before a need",
    handler: (_, act) => Effect.andThen(Need.once("step", act("step"), Schema.Void), ask("a")),
    result: 'ok "a"',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step between needs gives its decoded record in every round",
    handler: (_, act) =>
      Effect.gen(function* () {
        const seen = yield* Need.once(
          "step",
          Effect.as(act("step"), { at: new Date(0), extra: true }),
          Schema.Struct({ at: Schema.Date }),
        );
        yield* ask("a");
        return [Object.keys(seen), seen.at.getTime()];
      }),
    result: 'ok [["at"],0]',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step that fails",
    handler: (_, act) =>
      Need.once("step", Effect.andThen(act("step"), Effect.fail({ why: "no" })), fails).pipe(
        Effect.catch(({ why }) => Effect.map(ask("a"), (a) => why + a)),
      ),
    result: 'ok "noa"',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step that dies",
    handler: (_, act) =>
      Effect.all([
        outcome(Need.once("step", Effect.andThen(act("step"), Effect.die(new Error("boom"))), Schema.Void)),
        ask("a"),
      ]),
    result: 'ok ["die boom","a"]',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step that interrupts itself",
    handler: (_, act) =>
      Effect.all([
        Effect.map(
          Effect.exit(Need.once("step", Effect.andThen(act("step"), Effect.interrupt), Schema.Void)),
          Exit.isFailure,
        ),
        ask("a"),
      ]),
    result: 'ok [true,"a"]',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step in flight when the round ends",
    handler: (_, act) =>
      Effect.all([ask("a"), Need.once("step", Effect.andThen(Effect.sleep(2), act("step")), Schema.Void)], both),
    result: 'ok ["a",null]',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step whose branch is interrupted by a failing sibling",
    handler: (_, act) =>
      Effect.all([
        Need.once("step", Effect.andThen(Effect.sleep(2), act("step")), Schema.Void),
        Effect.andThen(Effect.yieldNow, Effect.fail("boom")),
      ], both).pipe(Effect.catch(() => ask("a"))),
    result: 'ok "a"',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "one step asked for by two branches",
    handler: (_, act) => {
      const step = Need.once("step", Effect.as(Effect.andThen(Effect.sleep(2), act("step")), "x"), Schema.String);
      return Effect.all([step, step, ask("a")], unbounded);
    },
    result: 'ok ["x","x","a"]',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step inside of a step",
    handler: (_, act) =>
      Effect.andThen(
        Need.once("outer", Effect.andThen(act("outer"), Need.once("inner", act("inner"), Schema.Void)), Schema.Void),
        ask("a"),
      ),
    result: 'ok "a"',
    asks: [["a"]],
    acts: ["outer", "inner"],
  },
  {
    name: "a time limit inside of a step",
    handler: () =>
      Effect.all([
        ask("a"),
        Need.once("step", Effect.map(Effect.timeoutOption(Effect.never, 2), Option.isNone), Schema.Boolean),
      ], both),
    result: 'ok ["a",true]',
    asks: [["a"]],
  },
  {
    name: "the flow's info inside of a step",
    handler: () =>
      Effect.gen(function* () {
        const step = Need.once("step", Effect.map(Need.flow, ({ id, step }) => `${id} ${step}`), Schema.String);
        return [yield* step, (yield* Need.flow).step === undefined, yield* ask("a")];
      }),
    result: 'ok ["flow step",true,"a"]',
    asks: [["a"]],
  },
];
