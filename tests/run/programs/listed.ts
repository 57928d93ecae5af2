/** The programs that DESIGN.md, section 5, lists by name. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Option from "effect/Option";
import * as Stream from "effect/Stream";
import { ask } from "../ask.ts";
import { after, both, declined, locked, unbounded } from "./parts.ts";
import type { Program } from "./program.ts";

interface Asker {
  readonly question: (key: string) => ReturnType<typeof ask>;
}
const Asker: Context.Service<Asker, Asker> = Context.Service<Asker>("test/Asker");

export const listed: ReadonlyArray<Program> = [
  {
    name: "a need inside catchCause",
    handler: (note) => ask("a").pipe(Effect.catchCause(() => note("caught"))),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "a need inside exit",
    handler: () => Effect.map(Effect.exit(ask("a")), Exit.isSuccess),
    result: "ok true",
    asks: [["a"]],
  },
  {
    name: "a need inside ignore",
    handler: (note) => Effect.ignore(ask("a")).pipe(Effect.andThen(note("on"))),
    result: "ok undefined",
    asks: [["a"]],
    log: ["on"],
  },
  {
    name: "a need inside retry",
    handler: (note) => Effect.andThen(note("try"), ask("a")).pipe(Effect.retry({ times: 3 })),
    result: "fail Declined a",
    asks: [["a"]],
    answers: { a: declined },
    log: ["try", "try", "try", "try"],
  },
  {
    name: "a need inside timeout",
    timed: true,
    handler: () => Effect.map(Effect.timeoutOption(ask("a"), 50), Option.getOrElse(() => "late")),
    result: 'ok "a"',
    asks: [["a"]],
  },
  { name: "a need inside race", handler: () => Effect.race(ask("a"), ask("b")), result: 'ok "a"', asks: [["a", "b"]] },
  {
    name: "a need raced by a sleep",
    timed: true,
    handler: () => Effect.race(ask("a"), Effect.as(Effect.sleep(50), "slept")),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "a need inside uninterruptible",
    handler: (note) => Effect.uninterruptible(ask("a").pipe(Effect.tap(() => note("after")))),
    result: 'ok "a"',
    asks: [["a"]],
    log: ["after"],
  },
  {
    name: "uninterruptible(all)",
    handler: () => Effect.uninterruptible(Effect.all([ask("a"), ask("b")], both)),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "a need after acquireRelease",
    handler: (note) =>
      Effect.scoped(Effect.andThen(Effect.acquireRelease(note("acquired"), () => note("released")), ask("a"))),
    result: 'ok "a"',
    asks: [["a"]],
    log: ["acquired", "released"],
  },
  {
    name: "a need inside the acquire of acquireRelease",
    handler: (note) => Effect.scoped(Effect.acquireRelease(ask("a"), () => note("released"))),
    result: 'ok "a"',
    asks: [["a"]],
    log: ["released"],
  },
  {
    name: "a finalizer that asks two things",
    handler: () =>
      Effect.scoped(Effect.andThen(
        Effect.addFinalizer(() => Effect.ignore(Effect.all([ask("x"), ask("y")], both))),
        ask("a"),
      )),
    result: 'ok "a"',
    asks: [["a"], ["x", "y"]],
  },
  {
    name: "fork and await",
    handler: () => Effect.flatMap(Effect.forkChild(ask("a")), (fiber) => Effect.flatten(Fiber.await(fiber))),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "forkDetach",
    handler: () => Effect.flatMap(Effect.forkDetach(ask("a")), Fiber.join),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "cached",
    handler: () => Effect.flatMap(Effect.cached(ask("a")), (cached) => Effect.all([cached, cached], both)),
    result: 'ok ["a","a"]',
    asks: [["a"]],
  },
  {
    name: "forEach with concurrency 1",
    handler: () => Effect.forEach(["1", "2", "3"], (key) => ask(key)),
    result: 'ok ["1","2","3"]',
    asks: [["1"], ["2"], ["3"]],
  },
  {
    name: "forEach with concurrency 2",
    handler: () => Effect.forEach(["1", "2", "3", "4", "5"], (key) => ask(key), both),
    result: 'ok ["1","2","3","4","5"]',
    asks: [["1", "2"], ["3", "4"], ["5"]],
  },
  {
    name: "forEach without a limit",
    handler: () => Effect.forEach(["1", "2", "3"], (key) => ask(key), unbounded),
    result: 'ok ["1","2","3"]',
    asks: [["1", "2", "3"]],
  },
  { name: "a semaphore of one", handler: () => locked(1), result: 'ok ["a","b"]', asks: [["a"], ["b"]] },
  { name: "a semaphore of two", handler: () => locked(2), result: 'ok ["a","b"]', asks: [["a", "b"]] },
  {
    name: "a stream",
    handler: () => Stream.runCollect(Stream.mapEffect(Stream.make("1", "2"), (key) => ask(key))),
    result: 'ok ["1","2"]',
    asks: [["1"], ["2"]],
  },
  {
    name: "a concurrent stream",
    handler: () => Stream.runCollect(Stream.mapEffect(Stream.make("1", "2", "3"), (key) => ask(key), unbounded)),
    result: 'ok ["1","2","3"]',
    asks: [["1", "2", "3"]],
  },
  {
    name: "branches that yield before asking",
    handler: () =>
      Effect.all(
        [ask("a"), after(Effect.yieldNow, "b"), after(Effect.repeat(Effect.yieldNow, { times: 4 }), "c")],
        unbounded,
      ),
    result: 'ok ["a","b","c"]',
    asks: [["a", "b", "c"]],
  },
  {
    name: "a need inside of a called service",
    handler: () =>
      Effect.flatMap(Asker, (asker) => asker.question("a")).pipe(Effect.provideService(Asker, { question: ask })),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "Effect.scoped",
    handler: (note) => Effect.scoped(Effect.andThen(Effect.addFinalizer(() => note("closed")), ask("a"))),
    result: 'ok "a"',
    asks: [["a"]],
    log: ["closed"],
  },
  {
    name: "race(need, value) followed by another ask",
    handler: () => Effect.all([Effect.race(ask("a"), Effect.succeed("value")), ask("b")]),
    result: 'ok ["value","b"]',
    asks: [["b"]],
  },
];
