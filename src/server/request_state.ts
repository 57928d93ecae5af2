/**
 * States of an author's own, with a type: what a handler returns as `requestState`, and reads in the next round.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import * as Option from "effect/Option";
 * import * as Schema from "effect/Schema";
 * import { Manual, RequestState, Tool } from "@needful/mcp";
 *
 * const Progress = RequestState.make({ schema: Schema.Struct({ done: Schema.Int }) });
 *
 * const slow = Tool.make("slow", {
 *   handler: Effect.fn(function* () {
 *     const { done } = Option.getOrElse(yield* Progress.open, () => ({ done: 0 }));
 *     if (done === 3) return "Done";
 *     return Manual.inputRequired({ requestState: yield* Progress.seal({ done: done + 1 }) });
 *   }),
 * });
 * ```
 *
 * @module
 */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import type * as Schema from "effect/Schema";
import type { Json } from "../model/json.ts";
import { Flow } from "../need/flow.ts";
import { ManualPort } from "../need/manual.ts";
import { jsonCodec } from "../run/codec.ts";
import { Sealer } from "../seal/mod.ts";
import { sealed, unguarded } from "./request_state_guard.ts";
import { checked, type Options } from "./request_state_options.ts";
import { plant } from "./seed.ts";

export type { Bind, BoundCall, Part } from "./request_state_binding.ts";
export type { Options, Secret } from "./request_state_options.ts";
export type { Mode } from "../seal/mod.ts";
export type { CallMethod } from "../model/call.ts";
export type { JsonRecord } from "../model/json.ts";
export type { Principal } from "../model/principal.ts";
export type { Flow } from "../need/flow.ts";

/** A codec of states with the payload `A`. */
export interface RequestState<in out A> {
  /**
   * The state of a payload: in a call, for `Manual.inputRequired`. A codec that is bound to the principal ends the call
   * where the caller is not authenticated; a payload that does not fit the schema, and a state of more than 65,536
   * characters, end it too.
   *
   * Outside of a call it is a complete state of round 0, with which a client may begin a call. That takes the server's
   * `Sealer` in the context, and a codec with a key of its own, by which its states are told from those of others, that is
   * bound to nothing; others die. It is good until its own time is over or that of the server's sealed states, whichever
   * comes first. A handler that does not open it goes on as if it had not come; one that asks with `Need` cannot open it.
   */
  readonly seal: (payload: A) => Effect.Effect<string>;
  /**
   * The payload of the state that this request brings; none only where the round before returned no state. One that is
   * not this codec's for this call, or is too old, ends the call with -32602 "Invalid request state".
   */
  readonly open: Effect.Effect<Option.Option<A>, never, Flow>;
}

const cannotSeal = (why: string): string => `Cannot seal the request state: ${why}`;
const misfit = "The payload does not fit the schema";

/**
 * Makes a codec. Without a key the library's own sealed state is what protects the payload: it is encrypted, belongs to
 * the call and its caller, and expires. With keys the payload is sealed once more, under a time to live and bindings of
 * its own.
 *
 * Throws at once where an option cannot be used: `RangeError` for a key of less than 32 bytes and a time to live that is
 * not above zero and finite, `TypeError` for the rest and where the host has no Web Crypto.
 */
export const make = <A>(options: Options<A>): RequestState<A> => {
  const protection = checked(options);
  const codec = jsonCodec(options.schema as Schema.Codec<A, unknown>);
  const guard = protection === undefined ? unguarded : sealed(protection);

  const written = (payload: A): Effect.Effect<string, string> => {
    const json = codec.encode(payload);
    return Exit.isSuccess(json) ? Effect.succeed(JSON.stringify(json.value)) : Effect.fail(misfit);
  };

  const read = (text: string): Effect.Effect<A, string> => {
    const json = Result.getOrUndefined(Result.try((): Json => JSON.parse(text)));
    const payload = json === undefined ? undefined : codec.decode(json);
    return payload !== undefined && Exit.isSuccess(payload) ? Effect.succeed(payload.value) : Effect.fail(misfit);
  };

  const seed = Effect.fnUntraced(function* (payload: A): Effect.fn.Return<string, string> {
    if (guard.seedless !== undefined) return yield* Effect.fail(guard.seedless);
    const sealer = yield* Effect.serviceOption(Sealer);
    if (Option.isNone(sealer)) return yield* Effect.fail("outside of a call it takes the server's Sealer");
    const state = yield* guard.protect(yield* written(payload), undefined);
    return yield* Effect.mapError(plant(sealer.value, state), ({ message }) => message);
  });

  const sealIn = Effect.fnUntraced(function* (port: ManualPort, payload: A): Effect.fn.Return<string, string> {
    return yield* guard.protect(yield* written(payload), yield* port.call);
  });

  const openIn = Effect.fnUntraced(function* (port: ManualPort): Effect.fn.Return<Option.Option<A>, string> {
    const state = yield* port.state;
    if (state === undefined) return Option.none();
    return Option.some(yield* read(yield* guard.reveal(state, yield* port.call)));
  });

  return {
    seal: (payload) =>
      Effect.flatMap(
        ManualPort,
        (port) =>
          port === undefined
            ? Effect.catch(seed(payload), (why) => Effect.die(new Error(cannotSeal(why))))
            : Effect.catch(sealIn(port, payload), (why) => port.misuse(cannotSeal(why))),
      ),
    open: Effect.flatMap(
      Flow,
      () =>
        Effect.flatMap(
          ManualPort,
          (port) => port === undefined ? Effect.succeedNone : Effect.catch(openIn(port), port.refuse),
        ),
    ),
  };
};
