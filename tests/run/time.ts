/** Rounds on a clock that the test moves. */
import { assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as References from "effect/References";
import * as TestClock from "effect/testing/TestClock";
import type { Outcome } from "../../src/run/outcome.ts";
import { type Handler, once, type Setting } from "./kit.ts";

/** Lets so many turns of the host go by. */
export const hostTurns = (count: number): Effect.Effect<void> =>
  count === 0
    ? Effect.void
    : Effect.andThen(Effect.callback((resume) => void setImmediate(() => resume(Effect.void))), hostTurns(count - 1));

/** Runs an effect on a clock that stands still until it is moved. */
export const onTestClock = <A>(effect: Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(effect.pipe(
    Effect.provide(TestClock.layer()),
    Effect.provideService(References.MinimumLogLevel, "None"),
  ));

/** Starts a round on the test's clock. */
export const begin = (
  handler: Handler,
  setting: Setting = {},
): Effect.Effect<Fiber.Fiber<Outcome<unknown, unknown>>> =>
  Effect.flatMap(
    Effect.context<never>(),
    (services) =>
      Effect.tap(Effect.forkChild(once(handler, { ...setting, services }), { startImmediately: true }), () =>
        hostTurns(5)),
  );

/** Moves the clock, and lets everybody react. */
export const pass = (time: Duration.Input): Effect.Effect<void> => Effect.andThen(TestClock.adjust(time), hostTurns(5));

/** How what `begun` starts ends once the clock was moved by `time`. */
export const endsWithin = <A>(begun: Effect.Effect<Fiber.Fiber<A>>, time: Duration.Input): Promise<A> =>
  onTestClock(Effect.flatMap(begun, (fiber) => Effect.andThen(pass(time), Fiber.join(fiber))));

/** How what `begun` starts ends at `end`; fails if it ended a millisecond before. */
export const endsAt = <A>(begun: Effect.Effect<Fiber.Fiber<A>>, end: Duration.Input): Promise<A> =>
  onTestClock(Effect.gen(function* () {
    const fiber = yield* begun;
    yield* pass(Duration.subtract(Duration.fromInputUnsafe(end), Duration.millis(1)));
    assertEquals(fiber.pollUnsafe(), undefined);
    yield* pass("1 millis");
    return yield* Fiber.join(fiber);
  }));
