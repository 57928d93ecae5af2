/** `Need.attempt` and `Need.optional`: going on without what this client cannot be asked. */
import * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { Unanswerable } from "./errors.ts";
import { Interpreter } from "./flow.ts";
import { isNeed } from "./need.ts";

/**
 * Runs `self` so that a need in it that cannot be put to this client interrupts it and makes this fail with
 * `Unanswerable`: a capability is missing, the revision has no words for it, there is no way to the client, or (legacy
 * only) the client did not answer in time or with an error. The finalizers of `self` and its `once` steps end before this
 * does; its own catches do not see it. That the user says no is an answer and passes through.
 */
export const attempt = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | Unanswerable, R> =>
  Effect.flatMap(
    Interpreter,
    (interpreter): Effect.Effect<A, E | Unanswerable, R> =>
      interpreter === undefined ? self : interpreter.attempt(self),
  );

/** `none` when a need in `self` cannot be put to this client, as `attempt` has it; not when the user says no. */
export const optional = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> => {
  if (isNeed(self)) {
    // A bare need is known to the interpreter as one; it fails with `Unanswerable` in no other way.
    return Effect.matchEffect(attempt(self as Effect.Effect<A, E, R>), {
      onSuccess: (value) => Effect.succeedSome(value),
      onFailure: (error): Effect.Effect<Option.Option<A>, E> =>
        isUnanswerable(error) ? Effect.succeedNone : Effect.fail(error as E),
    });
  }
  // The author's own `Unanswerable`, of an attempt inside, stays what it is: only what is not in the exit is ours.
  return Effect.matchEffect(attempt(Effect.exit(self)), {
    onSuccess: (exit) => Effect.asSome(exit),
    onFailure: () => Effect.succeedNone,
  });
};

const isUnanswerable = (error: unknown): error is Unanswerable =>
  typeof error === "object" && error !== null && (error as { readonly _tag?: unknown })._tag === "Unanswerable";
