/**
 * Sealing: what a call knows after a round travels to the client and back as `requestState`, encrypted or signed, bound to
 * the caller and the call, and good for a limited time (2026-07-28, multi round-trip requests, server requirements 4
 * and 5).
 *
 * A server that is given no sealer reads its keys from the environment, by `layerConfig`. To give it some:
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import * as Layer from "effect/Layer";
 * import * as Redacted from "effect/Redacted";
 * import { Sealer } from "@needful/mcp";
 *
 * const newest = Redacted.make("a new secret of 32 bytes or more, from a safe place");
 * const before = Redacted.make("the secret before, until all of its states have expired");
 *
 * const sealer = Sealer.layer({ keys: [newest, before], ttl: "5 minutes" }).pipe(
 *   Layer.provide(Sealer.layerWebCrypto),
 * );
 *
 * const binding = { audience: "shop", method: "tools/call", target: "refund", arguments: {}, subject: "ada" };
 *
 * const program = Effect.gen(function* () {
 *   const { seal, open } = yield* Sealer.Sealer;
 *   return yield* open(yield* seal("what is known so far", binding), binding);
 * });
 *
 * console.log(await Effect.runPromise(Effect.provide(program, sealer))); // what is known so far
 * ```
 *
 * @module
 */
export { type CryptoServices, layerWebCrypto } from "../model/crypto.ts";
export { layerConfig, layerConfigWith } from "./config.ts";
export { type Key, type Mode, WeakKey } from "./key_ring.ts";
export { InvalidTtl, layer, limit, make, type Options, type Settings } from "./make.ts";
export { randomId } from "./random_id.ts";
export { type Binding, InvalidState, Sealer, StateTooLarge } from "./sealer.ts";
