/** A clock on which short sleeps take no time, in the order of their length; longer ones are limits, and take real time. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";

/** Sleeps of so many milliseconds and more are real. */
const limit = 10;

/** A sleep takes some host turns, more than a round waits for one that is quiet. */
const turns = 3;

const later = (count: number, run: () => void): unknown =>
  setImmediate(() => count <= 1 ? run() : later(count - 1, run));

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

const real = Context.get(Context.empty(), Clock.Clock);

export const makeFastClock = (): Clock.Clock => {
  let now = 0;
  let sleepers: Array<Sleeper> = [];
  let turning = false;
  const turn = (): void => {
    turning = false;
    now = Math.min(...sleepers.map(({ at }) => at));
    const awake = sleepers.filter(({ at }) => at === now);
    sleepers = sleepers.filter(({ at }) => at !== now);
    for (const { wake } of awake) wake();
    schedule();
  };
  const schedule = (): void => {
    if (turning || sleepers.length === 0) return;
    turning = true;
    later(turns, () => sleepers.length > 0 ? turn() : turning = false);
  };
  return {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    sleep: (duration) => {
      const millis = Duration.toMillis(duration);
      if (millis <= 0 || millis >= limit) return real.sleep(duration);
      return Effect.callback<void>((resume) => {
        const sleeper = { at: now + millis, wake: () => resume(Effect.void) };
        sleepers.push(sleeper);
        schedule();
        return Effect.sync(() => {
          sleepers = sleepers.filter((other) => other !== sleeper);
        });
      });
    },
  };
};
