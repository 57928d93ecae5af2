/** One need or none, after other work and with other answers. */
import * as Effect from "effect/Effect";
import { ask } from "../ask.ts";
import { after, declined, promised } from "./parts.ts";
import type { Program } from "./program.ts";

export const plain: ReadonlyArray<Program> = [
  { name: "no need", handler: () => Effect.succeed(1), result: "ok 1", asks: [] },
  { name: "a need after a promise", handler: () => after(promised, "a"), result: 'ok "a"', asks: [["a"]] },
  { name: "a need after a sleep", handler: () => after(Effect.sleep(1), "a"), result: 'ok "a"', asks: [["a"]] },
  {
    name: "a need after 20,000 operations",
    handler: () =>
      Effect.gen(function* () {
        for (let i = 0; i < 20_000; i++) yield* Effect.void;
        return yield* ask("a");
      }),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "a need repeated",
    handler: () => Effect.repeat(ask("a"), { times: 2 }),
    result: 'ok "a"',
    asks: [["a"]],
  },
  { name: "a defect", handler: () => Effect.die(new Error("boom")), result: "die boom", asks: [] },
  { name: "a handler that interrupts itself", handler: () => Effect.interrupt, result: "interrupted", asks: [] },
  {
    name: "declined, and handled",
    handler: () => ask("a").pipe(Effect.catchTag("Declined", () => ask("b"))),
    result: 'ok "b"',
    asks: [["a"], ["b"]],
    answers: { a: declined },
  },
  { name: "declined", handler: () => ask("a"), result: "fail Declined a", asks: [["a"]], answers: { a: declined } },
  {
    name: "cancelled",
    handler: () => ask("a"),
    result: "fail Cancelled a",
    asks: [["a"]],
    answers: { a: { action: "cancel" } },
  },
];
