/** Asks in fibers of their own, and in races. */
import * as Effect from "effect/Effect";
import { ask } from "../ask.ts";
import { both, startNow } from "./parts.ts";
import type { Program } from "./program.ts";

export const forks: ReadonlyArray<Program> = [
  {
    name: "raceFirst(need, failure)",
    handler: () => Effect.raceFirst(ask("a"), Effect.fail("boom")),
    result: "fail boom",
    asks: [],
  },
  {
    name: "a fork that nobody waits for",
    handler: () => Effect.as(Effect.forkChild(ask("a"), startNow), "main"),
    result: 'ok "main"',
    asks: [],
  },
  {
    name: "forkDetach, then a sleep",
    timed: true,
    handler: () => ask("a").pipe(Effect.forkDetach(startNow), Effect.andThen(Effect.sleep(100)), Effect.as("main")),
    result: 'ok "main"',
    asks: [["a"]],
  },
  {
    name: "forkScoped beside a need",
    handler: () => Effect.scoped(Effect.andThen(Effect.forkScoped(ask("a")), ask("b"))),
    result: 'ok "b"',
    asks: [["b", "a"]],
  },
  {
    name: "forkDetach(all) beside a need",
    handler: () => Effect.andThen(Effect.forkDetach(Effect.all([ask("a"), ask("b")], both), startNow), ask("c")),
    result: 'ok "c"',
    asks: [["a", "b", "c"]],
  },
];
