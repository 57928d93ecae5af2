/** The two ways to protect a text together with its context: to encrypt it, or to sign it. */
import * as Effect from "effect/Effect";
import { box, boxBytes, concat, type CryptoServices, signer, tagBytes } from "../model/crypto.ts";

/** Protects texts with one key. */
export interface Guard {
  /** Bytes that `protect` adds to a text. */
  readonly overhead: number;
  readonly protect: (text: Uint8Array, context: Uint8Array) => Effect.Effect<Uint8Array>;
  /** The text; undefined unless `protect` made `body` with this key and this context. */
  readonly reveal: (body: Uint8Array, context: Uint8Array) => Effect.Effect<Uint8Array | undefined>;
}

const encrypt = (key: Uint8Array): Effect.Effect<Guard, never, CryptoServices> =>
  Effect.map(box(key), ({ encrypt, decrypt }) => ({ overhead: boxBytes, protect: encrypt, reveal: decrypt }));

const sign = (key: Uint8Array): Effect.Effect<Guard, never, CryptoServices> =>
  Effect.map(signer(key), ({ sign, verify }) => ({
    overhead: tagBytes,
    protect: (text, context) => Effect.map(sign(concat(context, text)), (tag) => concat(text, tag)),
    reveal: (body, context) => {
      const text = body.subarray(0, -tagBytes);
      return Effect.map(
        verify(body.subarray(-tagBytes), concat(context, text)),
        (authentic) => authentic ? text : undefined,
      );
    },
  }));

/** A guard per mode. */
export const guard: {
  readonly [M in "encrypt" | "sign"]: (key: Uint8Array) => Effect.Effect<Guard, never, CryptoServices>;
} = { encrypt, sign };
