/** Signs of life for clients that wait. */
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";

/** Shows the client of `exchange` that the server lives, each time that `every` has passed. */
export const ticking = (
  exchange: { readonly keepAlive: () => void },
  every: Duration.Duration,
): Effect.Effect<never> => Effect.forever(Effect.andThen(Effect.sleep(every), Effect.sync(() => exchange.keepAlive())));
