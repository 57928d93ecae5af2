/** How a round comes to rest: when it is over, and how the handler is brought to its end. */
import * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import { after, now } from "./clock.ts";
import { Gate } from "./gate.ts";
import type { Outcome } from "./outcome.ts";
import type { Running } from "./parts.ts";
import { Region } from "./region.ts";
import { ended, isReturned } from "./returned.ts";
import type { Round } from "./round.ts";
import { afterTurn } from "./turn.ts";
import { stuck, verdict } from "./verdict.ts";

/** A gate that ends in an outcome: of its own when it has come to rest, or of the handler when that ends first. */
export abstract class SettlingGate<A, E> extends Gate {
  readonly #resume: (outcome: Effect.Effect<Outcome<A, E>>) => void;
  #outcome: Outcome<A, E> | undefined;
  #done = false;
  #turning = false;
  #turns = 0;
  #gathered = false;
  #gather: Fiber.Fiber<void> | undefined;
  #bound: Fiber.Fiber<void> | undefined;
  /** The step that is waited for, and since when any is. */
  #awaited: Running | undefined;
  #waiting: number | undefined;
  /** Of a handler that returned its questions while steps still run. */
  #exit: Exit.Exit<A, E> | undefined;

  constructor(
    round: Round,
    context: Context.Context<never>,
    resume: (outcome: Effect.Effect<Outcome<A, E>>) => void,
  ) {
    super(round, context);
    this.#resume = resume;
  }

  /** Whether something is recorded that ends the run once it has come to rest. */
  abstract get over(): boolean;

  /** Nobody is waited for any more. */
  protected drop(): void {}

  /** Runs the handler; the round may be over when this returns, and then the outcome was given. */
  start(handler: Effect.Effect<A, E>): void {
    const root = Effect.runForkWith(Context.add(this.context, Region, this.region))(handler);
    this.root = root;
    this.interruptFailed();
    const exit = root.pollUnsafe();
    if (exit !== undefined) return this.#ended(exit);
    this.check();
    if (!this.#done) root.addObserver((exit) => this.#ended(exit));
  }

  /** Ends the round if it has come to rest, else sees to it that somebody looks again. */
  check(quiet = false): void {
    if (this.closed) return;
    if (this.fault !== undefined) return this.#close(this.#decided(() => verdict(this)));
    if (this.#exit !== undefined) return this.running?.size ? this.#await() : this.#ended(this.#exit);
    if (!this.over) return this.#disarm();
    if (this.running?.size) return this.#await();
    this.#rest();
    if (this.holding > 0 && !this.#gathered) {
      this.#gather ??= after(this, this.round.limits.gather, () => {
        this.#gathered = true;
        this.check();
      });
      return;
    }
    const alone = this.live === 1 && this.root !== undefined && this.parked?.has(this.root) === true;
    if (alone || quiet || this.#turns >= this.round.limits.turns) {
      return this.#close(this.#decided(() => verdict(this)));
    }
    this.#turn();
  }

  /**
   * Waits for the steps that run. Each has its own time from its beginning on, or from when the run had nothing else to
   * wait for: the oldest is the first that may be late.
   */
  #await(): void {
    const [oldest] = this.running?.values() ?? [];
    if (oldest === undefined || oldest === this.#awaited) return;
    const time = now(this);
    this.#bound = cancelled(this.#bound);
    this.#awaited = oldest;
    this.#waiting ??= time;
    const left = Duration.toMillis(this.round.limits.steps) - (time - Math.max(oldest.since, this.#waiting));
    this.#bound = after(this, Duration.millis(Math.max(0, left)), () => this.#abandonSteps());
  }

  /** No step is waited for any more. */
  #rest(): void {
    this.#bound = cancelled(this.#bound);
    this.#awaited = undefined;
    this.#waiting = undefined;
  }

  /** The caller is gone: interrupts the handler, which ends before this does, within the bounds. */
  abandon(): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const { root } = this;
      this.#done = true;
      if (!this.closed) this.#shut();
      if (root === undefined || root.pollUnsafe() !== undefined) return resume(Effect.void);
      const { steps, unwind } = this.round.limits;
      const limit = this.running?.size ? Duration.sum(steps, unwind) : unwind;
      const bound = after(this, limit, () => resume(Effect.void));
      root.addObserver(() => {
        bound.interruptUnsafe();
        resume(Effect.void);
      });
    });
  }

  get done(): boolean {
    return this.#done;
  }

  /** Waits one host turn. If nothing happens in it, the handler can get no further. */
  #turn(): void {
    if (this.#turning) return;
    this.#turning = true;
    this.#turns++;
    const before = this.version;
    afterTurn(() => {
      this.#turning = false;
      this.check(this.version === before && this.queued === 0);
    });
  }

  /** What the author brought along may break when it is looked at here, outside of all fibers: his handler dies of it. */
  #decided(decide: () => Outcome<A, E>): Outcome<A, E> {
    return Result.getOrElse(Result.try(decide), (error): Outcome<A, E> => ({
      _tag: "Complete",
      exit: Exit.die(error),
      commits: [],
    }));
  }

  #close(outcome: Outcome<A, E>): void {
    this.#outcome = outcome;
    this.suspending = true;
    this.#shut();
    if (this.root?.pollUnsafe() !== undefined) return this.#finish();
    this.#bound = after(this, this.round.limits.unwind, () => this.#overdue());
  }

  /** Interrupts everything in the run that can be: root first, then all that is parked (G3). */
  #shut(): void {
    this.closed = true;
    this.#disarm();
    this.drop();
    this.root?.interruptUnsafe();
    this.release();
    this.changed();
  }

  #ended(exit: Exit.Exit<A, E>): void {
    if (!this.closed) {
      if (this.running?.size && isReturned(exit)) {
        this.#exit = exit;
        return this.#await();
      }
      this.#outcome = this.#decided(() => ended(this, exit));
      this.#shut();
    }
    this.#finish();
  }

  #finish(log?: Effect.Effect<void>): void {
    if (this.#done || this.#outcome === undefined) return;
    this.#done = true;
    this.#disarm();
    const outcome = Effect.succeed(this.#outcome);
    this.#resume(log === undefined ? outcome : Effect.andThen(log, outcome));
  }

  #abandonSteps(): void {
    this.#close(stuck(this));
    this.#finish();
  }

  #overdue(): void {
    const limit = Duration.format(this.round.limits.unwind);
    this.#finish(
      Effect.logWarning(`The interrupted handler did not end within ${limit}; the reply does not wait for it`),
    );
  }

  #disarm(): void {
    this.#rest();
    this.#gather = cancelled(this.#gather);
  }
}

const cancelled = (timer: Fiber.Fiber<void> | undefined): undefined => {
  timer?.interruptUnsafe();
};
