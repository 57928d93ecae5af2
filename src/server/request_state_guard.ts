/** How the payloads of a codec of states are protected. */
import * as Effect from "effect/Effect";
import { layerAmbient } from "../model/crypto.ts";
import { make, type Sealer } from "../seal/mod.ts";
import { bindingOf, type BoundCall, unbound } from "./request_state_binding.ts";
import type { Protection } from "./request_state_options.ts";

/** Turns the text of a payload into a state, and back. */
export interface Guard {
  /** Why no call may begin with one of its states; undefined: one may. */
  readonly seedless: string | undefined;
  /** Without a call, outside of one. */
  readonly protect: (text: string, call: BoundCall | undefined) => Effect.Effect<string, string>;
  readonly reveal: (state: string, call: BoundCall) => Effect.Effect<string, string>;
}

/** The state that the library seals is all the protection there is. */
export const unguarded: Guard = {
  seedless: "outside of a call it takes a key of its own",
  protect: Effect.succeed,
  reveal: Effect.succeed,
};

/** The payload is sealed on its own, with keys that are derived when they are first needed. */
export const sealed = ({ bind, keys, mode, ttl }: Protection): Guard => {
  let made: Sealer | undefined;
  const sealer = Effect.suspend(() =>
    made !== undefined ? Effect.succeed(made) : make({ keys, mode, ttl }).pipe(
      Effect.provide(layerAmbient),
      Effect.orDie,
      Effect.tap((sealer) => Effect.sync(() => made = sealer)),
    )
  );
  return {
    seedless: typeof bind === "function" || bind.length > 0 ? "it is bound to a call, and there is none" : undefined,
    protect: (text, call) =>
      Effect.gen(function* () {
        const binding = call === undefined ? unbound : yield* bindingOf(bind, call);
        return yield* Effect.mapError((yield* sealer).seal(text, binding), ({ message }) => message);
      }),
    reveal: (state, call) =>
      Effect.gen(function* () {
        const binding = yield* bindingOf(bind, call);
        return yield* Effect.mapError((yield* sealer).open(state, binding), ({ reason }) => reason);
      }),
  };
};
