/** Records of `once` steps: what each way to end is remembered as, in the round of the step and in later ones. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Cause from "effect/Cause";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import * as Need from "../../src/need/mod.ts";
import { ask } from "./ask.ts";
import { drive, told } from "./kit.ts";

const fails = { success: Schema.String, failure: Schema.TaggedStruct("No", {}) };
const no = { _tag: "No" } as const;

class Tagged extends Data.TaggedError("Tagged")<{ readonly secret: string }> {}

const unreadable = Object.defineProperty(new Error(), "message", {
  get: () => {
    throw new Error("inside");
  },
});

describe("once: the end of a step that may fail", () => {
  const ends: ReadonlyArray<readonly [what: string, step: Effect.Effect<string, typeof no>, end: string]> = [
    ["success", Effect.succeed("x"), `ok "x"`],
    ["a failure", Effect.fail(no), "fail No"],
    ["a defect that is an error", Effect.die(new Error("boom")), "die boom"],
    ["an error without a message", Effect.die(new RangeError()), "die RangeError"],
    ["an error of the author's own without a message", Effect.die(new Tagged({ secret: "x" })), "die Tagged"],
    ["a defect that is a text", Effect.die("boom"), "die boom"],
    ["a defect that is a number", Effect.die(7), "die 7"],
    ["a defect that is nothing", Effect.die(null), "die null"],
    [
      "an error whose message is an object",
      Effect.die(Object.assign(new Error(), { message: {} })),
      "die The step died",
    ],
    [
      "an error whose message is a list",
      Effect.die(Object.assign(new Error(), { message: ["x"] })),
      "die The step died",
    ],
    ["an error whose message cannot be read", Effect.die(unreadable), "die The step died"],
    ["a defect that is any object", Effect.die({ secret: "x" }), "die The step died"],
    [
      "a failure beside a defect",
      Effect.failCause(Cause.combine(Cause.fail(no), Cause.die(new Error("boom")))),
      "fail No",
    ],
  ];
  for (const [what, step, end] of ends) {
    test(`${what} is remembered, and is the same in each round`, async () => {
      const seen: Array<string> = [];
      let ran = 0;
      const counted = Effect.andThen(Effect.sync(() => void ran++), step);
      const handler = Effect.gen(function* () {
        seen.push(told(yield* Effect.exit(Need.once("step", counted, fails))));
        yield* ask("a");
        return yield* Effect.exit(Need.once("step", counted, fails));
      });
      const { result } = await drive(() => Effect.map(handler, (exit) => Exit.isSuccess(exit)));
      assertEquals([result, ran, ...seen], [`ok ${end.startsWith("ok")}`, 1, end, end]);
    });
  }
});
