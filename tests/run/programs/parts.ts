/** Parts of which programs are made. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as Semaphore from "effect/Semaphore";
import * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import { type Handler, told } from "../kit.ts";

export interface Setting {
  readonly value: string;
}
export const Setting: Context.Service<Setting, Setting> = Context.Service<Setting>("test/Setting");

export const both = { concurrency: 2 } as const;
export const unbounded = { concurrency: "unbounded" } as const;
export const startNow = { startImmediately: true } as const;
export const promised: Effect.Effect<void> = Effect.promise(() => Promise.resolve());
export const locked = (permits: number): Handler =>
  Effect.flatMap(
    Semaphore.make(permits),
    (semaphore) => Effect.all([semaphore.withPermits(1)(ask("a")), semaphore.withPermits(1)(ask("b"))], both),
  );
export const after = <R>(effect: Effect.Effect<unknown, never, R>, key: string): Asked<string, R> =>
  Effect.andThen(effect, ask(key));
export const bare = (key: string): Asked<{ readonly v: string }> =>
  Need.elicit(key, { message: "?", schema: Schema.Struct({ v: Schema.String }) });
export const declined = { action: "decline" } as const;
export const counted: Need.Cell<number> = Need.state("n", { schema: Schema.Number, initial: 0 });
/** How an effect ends, in words. */
export const outcome = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<string, never, R> =>
  Effect.map(Effect.exit(effect), told);

type Asked<A, R = never> = Effect.Effect<A, Need.Declined | Need.Cancelled, R | Need.Elicitation>;
