/** Where in a run a fiber is: inherited by the fibers that it forks, like every part of a fiber's context. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { Region as Shape } from "./gate.ts";
import type { AnyFiber } from "./parts.ts";

/** The part of a run that a fiber belongs to; undefined outside of a call. */
export const Region: Context.Reference<Shape | undefined> = Context.Reference<Shape | undefined>("needful/run/Region", {
  defaultValue: () => undefined,
});

const outside: Effect.Effect<never> = Effect.die(new Error("Cannot use the flow outside of a call"));

/** An effect that depends on where it runs. */
export const withRegion = <A, E, R>(
  f: (region: Shape, fiber: AnyFiber) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.withFiber<A, E, R>((fiber) => {
    const region = fiber.getRef(Region);
    return region === undefined ? outside : f(region, fiber);
  });

/** Runs `self` in `region`. */
export const inRegion = <A, E, R>(self: Effect.Effect<A, E, R>, region: Shape): Effect.Effect<A, E, R> =>
  Effect.provideService(self, Region, region);

/** What becomes of a verb that no longer acts, or that must not be used where it is; undefined: it may act. */
export const barred = (region: Shape, fiber: AnyFiber, verb: string): Effect.Effect<never> | undefined => {
  if (region.committing) return Effect.die(new Error(`Cannot ${verb} while committing`));
  if (region.gate.shut(region)) return region.gate.park(fiber, region);
  if (region.step === undefined) return undefined;
  return region.gate.misuse(fiber, region, `Cannot ${verb} inside of the step "${region.step.name}"`);
};
