/** The handler's clock: it stands still while a need is pending (G9). */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Fiber from "effect/Fiber";
import type { Gate, Region as Shape } from "./gate.ts";
import type { Sleeper } from "./parts.ts";
import { Region } from "./region.ts";

/** One sleep. It goes on with what is left of it each time that the clock does. */
class Sleep implements Sleeper {
  readonly #clock: Clock.Clock;
  readonly #region: Shape;
  readonly #context: Context.Context<never>;
  readonly #awake: () => void;
  #left: number;
  #since = 0;
  #timer: Fiber.Fiber<void> | undefined;

  constructor(
    clock: Clock.Clock,
    region: Shape,
    context: Context.Context<never>,
    millis: number,
    awake: () => void,
  ) {
    this.#clock = clock;
    this.#region = region;
    this.#context = context;
    this.#left = millis;
    this.#awake = awake;
  }

  update(): void {
    const paused = this.#region.gate.paused(this.#region);
    if (paused) this.stop();
    else if (this.#timer === undefined) this.#go();
  }

  stop(): void {
    const timer = this.#timer;
    if (timer === undefined) return;
    this.#timer = undefined;
    this.#left = Math.max(0, this.#left - (this.#clock.currentTimeMillisUnsafe() - this.#since));
    timer.interruptUnsafe();
  }

  #go(): void {
    this.#since = this.#clock.currentTimeMillisUnsafe();
    const timer = Effect.runForkWith(this.#context)(this.#clock.sleep(Duration.millis(this.#left)));
    this.#timer = timer;
    timer.addObserver((exit) => {
      if (this.#timer === timer && Exit.isSuccess(exit)) this.#awake();
    });
  }
}

const sleepIn = (clock: Clock.Clock, region: Shape, fiber: Fiber.Fiber<unknown, unknown>, millis: number) =>
  Effect.callback<void>((resume) => {
    const sleepers = region.gate.sleepers ??= new Set();
    const sleep = new Sleep(clock, region, Context.add(fiber.context, Region, undefined), millis, () => {
      sleepers.delete(sleep);
      resume(Effect.void);
    });
    sleepers.add(sleep);
    sleep.update();
    return Effect.sync(() => {
      sleepers.delete(sleep);
      sleep.stop();
    });
  });

/** A clock over the author's own. Shared by all runs: whose sleep it is, the sleeping fiber knows. */
export class HandlerClock implements Clock.Clock {
  readonly base: Clock.Clock;
  readonly currentTimeMillis: Effect.Effect<number>;
  readonly currentTimeNanos: Effect.Effect<bigint>;
  readonly monotonicTimeNanos: Effect.Effect<bigint>;

  constructor(base: Clock.Clock) {
    this.base = base;
    this.currentTimeMillis = base.currentTimeMillis;
    this.currentTimeNanos = base.currentTimeNanos;
    this.monotonicTimeNanos = base.monotonicTimeNanos;
  }

  currentTimeMillisUnsafe(): number {
    return this.base.currentTimeMillisUnsafe();
  }

  currentTimeNanosUnsafe(): bigint {
    return this.base.currentTimeNanosUnsafe();
  }

  monotonicTimeNanosUnsafe(): bigint {
    return this.base.monotonicTimeNanosUnsafe();
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    const millis = Duration.toMillis(duration);
    return Effect.withFiber((fiber) => {
      const region = fiber.getRef(Region);
      return region === undefined || !(millis > 0)
        ? this.base.sleep(duration)
        : sleepIn(this.base, region, fiber, millis);
    });
  }
}

/** The clock that the server itself goes by, which never stands still. */
const ownClock = (context: Context.Context<never>): Clock.Clock => {
  const clock = Context.get(context, Clock.Clock);
  return clock instanceof HandlerClock ? clock.base : clock;
};

/** The time by the server's own clock, in milliseconds. */
export const now = (gate: Gate): number => ownClock(gate.context).currentTimeMillisUnsafe();

/** Calls `run` after `duration` of the server's own clock; interrupting the fiber calls it off. */
export const after = (gate: Gate, duration: Duration.Duration, run: () => void): Fiber.Fiber<void> => {
  const timer = Effect.runForkWith(gate.context)(ownClock(gate.context).sleep(duration));
  timer.addObserver((exit) => {
    if (Exit.isSuccess(exit)) run();
  });
  return timer;
};
