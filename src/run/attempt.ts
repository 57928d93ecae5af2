/** `attempt`: a part of a handler that ends where a need in it cannot be asked. */
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type { Unanswerable } from "../need/errors.ts";
import { isNeed, specOf } from "../need/need.ts";
import { ask } from "./ask.ts";
import type { Region } from "./gate.ts";
import type { AnyFiber, Boundary } from "./parts.ts";
import { inRegion, withRegion } from "./region.ts";

/**
 * Runs `self` in a fiber of its own, which the first need that cannot be asked interrupts: finalizers run, catches do
 * not see it, and however it ends, the attempt fails.
 */
const fenced = <A, E, R>(
  self: Effect.Effect<A, E, R>,
  region: Region,
  fiber: AnyFiber,
): Effect.Effect<A, E | Unanswerable, R> =>
  Effect.callback<A, E | Unanswerable, R>((resume) => {
    let inner: AnyFiber | undefined;
    const boundary: Boundary = {
      outer: region.boundary,
      ended: false,
      failure: undefined,
      interrupted: false,
      late: 0,
      interrupt: () => {
        boundary.interrupted = true;
        inner?.interruptUnsafe(fiber.id);
      },
    };
    const body = Effect.withFiber<A, E, R>((own) => {
      inner = own;
      return inRegion(self, { ...region, boundary });
    });
    const child = Effect.runForkWith(fiber.context as Context.Context<R>)(body);
    child.addObserver((exit) => {
      boundary.ended = true;
      resume(boundary.failure === undefined ? exit : Effect.fail(boundary.failure));
    });
    return Fiber.interrupt(child);
  });

/** Runs `self`, and fails with the first need in it that cannot be put to this client. */
export const attempt = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | Unanswerable, R> =>
  withRegion((region, fiber): Effect.Effect<A, E | Unanswerable, R> => {
    if (region.committing || region.step !== undefined) return self;
    if (region.gate.shut(region)) return region.gate.park(fiber, region);
    return isNeed(self)
      ? ask(region, fiber, specOf(self), true) as Effect.Effect<A, E | Unanswerable, R>
      : fenced(self, region, fiber);
  });
