/** Things that end by themselves after a while, all after the same while. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import type * as Fiber from "effect/Fiber";

/**
 * Items in the order in which they end. They share one timer, a fiber that runs only while there are items. It runs with a
 * context of its own, as items may be added by handlers, whose clock stands still while they wait.
 */
export class Deadlines<T> {
  readonly #ends = new Map<T, number>();
  readonly #context: Context.Context<never>;
  readonly #clock: Clock.Clock;
  readonly #millis: number;
  readonly #expired: (item: T) => void;
  #timer: Fiber.Fiber<void> | undefined = undefined;

  /** `expired` is called once for an item that ends; it must not throw. */
  constructor(context: Context.Context<never>, millis: number, expired: (item: T) => void) {
    this.#context = context;
    this.#clock = Context.get(context, Clock.Clock);
    this.#millis = millis;
    this.#expired = expired;
  }

  /** Adds `item`, or begins its while anew. */
  add(item: T): void {
    this.#ends.delete(item);
    this.#ends.set(item, this.#clock.currentTimeMillisUnsafe() + this.#millis);
    this.#timer ??= Effect.runForkWith(this.#context)(Effect.andThen(Effect.sleep(this.#millis), this.#sweep));
  }

  /** Removes `item`. The timer runs on for what may be added soon; see `rest`. */
  delete(item: T): void {
    this.#ends.delete(item);
  }

  /** The item that ends first. */
  oldest(): T | undefined {
    for (const item of this.#ends.keys()) return item;
    return undefined;
  }

  /** Stops the timer if nothing is left to end. */
  rest(): void {
    if (this.#ends.size > 0) return;
    this.#timer?.interruptUnsafe();
    this.#timer = undefined;
  }

  readonly #sweep: Effect.Effect<void> = Effect.suspend(() => {
    const now = this.#clock.currentTimeMillisUnsafe();
    for (const [item, end] of this.#ends) {
      if (end > now) return Effect.andThen(Effect.sleep(Duration.millis(end - now)), this.#sweep);
      this.#ends.delete(item);
      this.#expired(item);
    }
    this.#timer = undefined;
    return Effect.void;
  });
}
