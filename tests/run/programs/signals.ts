/** Fibers that wait for one another: deferreds, queues, latches, streams. */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Latch from "effect/Latch";
import * as Queue from "effect/Queue";
import * as Stream from "effect/Stream";
import { ask } from "../ask.ts";
import { after, both, unbounded } from "./parts.ts";
import type { Program } from "./program.ts";

export const signals: ReadonlyArray<Program> = [
  {
    name: "a deferred from one branch to the other",
    handler: () =>
      Effect.flatMap(Deferred.make<void>(), (signal) =>
        Effect.all([
          ask("a").pipe(Effect.tap(() => Deferred.succeed(signal, undefined))),
          after(Deferred.await(signal), "b"),
        ], both)),
    result: 'ok ["a","b"]',
    asks: [["a"], ["b"]],
  },
  {
    name: "a deferred from a third branch that yields",
    handler: () =>
      Effect.flatMap(Deferred.make<void>(), (signal) =>
        Effect.all([
          ask("a"),
          after(Deferred.await(signal), "b"),
          Effect.andThen(Effect.yieldNow, Deferred.succeed(signal, undefined)),
        ], unbounded)),
    result: 'ok ["a","b",true]',
    asks: [["a", "b"]],
  },
  {
    name: "merged streams",
    handler: () =>
      Effect.map(
        Stream.runCollect(Stream.merge(Stream.fromEffect(ask("a")), Stream.fromEffect(ask("b")))),
        (values) => values.length,
      ),
    result: "ok 2",
    asks: [["a", "b"]],
  },
  {
    name: "a buffered stream",
    handler: () =>
      Stream.make("1", "2").pipe(
        Stream.mapEffect((key) => ask(key)),
        Stream.buffer({ capacity: 2 }),
        Stream.runCollect,
      ),
    result: 'ok ["1","2"]',
    asks: [["1"], ["2"]],
  },
  {
    name: "a worker at a queue",
    handler: () =>
      Effect.gen(function* () {
        const queue = yield* Queue.unbounded<string>();
        const worker = yield* Effect.forkChild(Effect.flatMap(Queue.take(queue), (key) => ask(key)));
        yield* Queue.offer(queue, "a");
        return yield* Fiber.join(worker);
      }),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "a latch",
    handler: () =>
      Effect.flatMap(
        Latch.make(false),
        (latch) => Effect.all([after(latch.await, "b"), ask("a").pipe(Effect.tap(() => latch.open))], both),
      ),
    result: 'ok ["b","a"]',
    asks: [["a"], ["b"]],
  },
];
