/** Effects of `onCommit`: kept with the services of the fiber that registered them, run once the result is known. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { barred, Region, withRegion } from "./region.ts";

/** Registers `effect` for the end of the call. */
export const onCommit = <R>(effect: Effect.Effect<unknown, never, R>): Effect.Effect<void, never, R> =>
  withRegion((region, fiber) => {
    const bar = barred(region, fiber, "register a commit");
    if (bar !== undefined) return bar;
    const services = Context.add(fiber.context as Context.Context<R>, Region, {
      ...region,
      unpaused: true,
      committing: true,
    });
    (region.gate.commits ??= []).push(
      Effect.catchCause(
        Effect.asVoid(Effect.provideContext(effect, services)),
        (cause) => Effect.logError("An effect of onCommit failed", cause),
      ),
    );
    return Effect.void;
  });
