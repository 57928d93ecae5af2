/** The interim interpreter: a handler whose needs are unmet is suspended, and runs again when the client comes back. */
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { Question } from "../model/question.ts";
import type { Region } from "./gate.ts";
import { lacking } from "./obstacle.ts";
import type { Outcome } from "./outcome.ts";
import type { AnyFiber, Obstacle, Put } from "./parts.ts";
import type { Round } from "./round.ts";
import { SettlingGate } from "./settle.ts";

/** The gate of a handler that is not to wait for the client. */
class InterimGate<A, E> extends SettlingGate<A, E> {
  get over(): boolean {
    return this.unmet !== undefined && this.unmet.size > 0;
  }

  get disconnect(): Effect.Effect<void> {
    return Effect.void;
  }

  obstacle(question: Question): Obstacle | undefined {
    return lacking(this, question);
  }

  put(fiber: AnyFiber, region: Region, put: Put): Effect.Effect<never> {
    return this.park(fiber, region, [put]);
  }
}

/**
 * Runs one round of a handler, with services that `prepare` made. Never fails. Interrupting it interrupts the handler,
 * whose finalizers run before the interruption is complete, for at most `limits.unwind`, and `limits.steps` more while
 * a `once` step is running.
 */
export const interim = <A, E, R>(
  handler: Effect.Effect<A, E, R>,
  context: Context.Context<R>,
  round: Round,
): Effect.Effect<Outcome<A, E>> =>
  Effect.callback<Outcome<A, E>>((resume) => {
    const gate = new InterimGate<A, E>(round, context as Context.Context<never>, resume);
    gate.start(handler as Effect.Effect<A, E>);
    return gate.done ? undefined : gate.abandon();
  });
