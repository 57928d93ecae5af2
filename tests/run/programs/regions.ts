/** Asks in uninterruptible regions and in what is run as a scope closes. */
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { ask } from "../ask.ts";
import { both, locked, startNow } from "./parts.ts";
import type { Program } from "./program.ts";

export const regions: ReadonlyArray<Program> = [
  {
    name: "uninterruptible(race)",
    handler: () => Effect.uninterruptible(Effect.race(ask("a"), ask("b"))),
    result: 'ok "a"',
    asks: [["a", "b"]],
  },
  {
    name: "uninterruptible(timeout)",
    timed: true,
    handler: () => Effect.uninterruptible(Effect.timeout(ask("a"), 50)),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "uninterruptible(fork and join)",
    handler: () => Effect.uninterruptible(Effect.flatMap(Effect.forkChild(ask("a"), startNow), Fiber.join)),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "uninterruptible(fork and await)",
    handler: () =>
      Effect.uninterruptible(
        Effect.flatMap(Effect.forkChild(ask("a")), (fiber) => Effect.flatten(Fiber.await(fiber))),
      ),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "uninterruptible(semaphore)",
    handler: () => Effect.uninterruptible(locked(1)),
    result: 'ok ["a","b"]',
    asks: [["a"], ["b"]],
  },
  {
    name: "uninterruptible(forEach with concurrency 2)",
    handler: () => Effect.uninterruptible(Effect.forEach(["1", "2", "3"], (key) => ask(key), both)),
    result: 'ok ["1","2","3"]',
    asks: [["1", "2"], ["3"]],
  },
  {
    name: "a release that asks two things",
    handler: () =>
      Effect.acquireUseRelease(
        Effect.void,
        () => Effect.succeed("used"),
        () => Effect.ignore(Effect.all([ask("a"), ask("b")], both)),
      ),
    result: 'ok "used"',
    asks: [["a", "b"]],
  },
  {
    name: "fork(uninterruptible(all))",
    handler: () =>
      Effect.flatMap(
        Effect.forkChild(Effect.uninterruptible(Effect.all([ask("a"), ask("b")], both))),
        (fiber) => Effect.flatten(Fiber.await(fiber)),
      ),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "uninterruptible(cached)",
    handler: () =>
      Effect.uninterruptible(Effect.flatMap(Effect.cached(ask("a")), (cached) => Effect.all([cached, cached], both))),
    result: 'ok ["a","a"]',
    asks: [["a"]],
  },
  {
    name: "uninterruptible(all) beside a need, in a catchCause",
    handler: (note) =>
      Effect.all([ask("a"), Effect.uninterruptible(Effect.all([ask("b"), ask("c")], both))], both).pipe(
        Effect.catchCause(() => note("caught")),
      ),
    result: 'ok ["a",["b","c"]]',
    asks: [["a", "b", "c"]],
  },
];
