/**
 * The cryptography that sealing stands on. Effect's crypto services are marked unstable: this file alone names them, so
 * that a change in them is a change here.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Aead from "effect/crypto/Aead";
import type * as CryptoError from "effect/crypto/CryptoError";
import * as Kdf from "effect/crypto/Kdf";
import * as Mac from "effect/crypto/Mac";
import * as SecureRandom from "effect/crypto/SecureRandom";

/** Effect's services for authenticated encryption, key derivation, message authentication and randomness. */
export type CryptoServices = Aead.Aead | Kdf.Kdf | Mac.Mac | SecureRandom.SecureRandom;

/** Encryption with one key. All that it makes and takes is `nonce ‖ ciphertext ‖ tag`. */
export interface Box {
  readonly encrypt: (plain: Uint8Array, context: Uint8Array) => Effect.Effect<Uint8Array>;
  /** Undefined unless `encrypt` made `sealed` with this key and this context. */
  readonly decrypt: (sealed: Uint8Array, context: Uint8Array) => Effect.Effect<Uint8Array | undefined>;
}

/** Message authentication with one key. */
export interface Signer {
  readonly sign: (message: Uint8Array) => Effect.Effect<Uint8Array>;
  /** Compares in constant time. */
  readonly verify: (tag: Uint8Array, message: Uint8Array) => Effect.Effect<boolean>;
}

/** Bytes in a nonce of `Box`. */
const nonceBytes = 12;
/** Bytes that `Box` adds to a text: nonce and tag. */
export const boxBytes: number = nonceBytes + 16;
/** Bytes in a tag of `Signer`. */
export const tagBytes = 32;

/** The arrays one after the other. */
export const concat = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  let length = 0;
  for (const part of parts) length += part.length;
  const all = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
};

/** A tag that does not match is an answer; anything else that a crypto service fails with is a fault of the host. */
const unlessWrongTag = (error: CryptoError.CryptoError): Effect.Effect<undefined> =>
  error.reason._tag === "DecryptionFailed" ? Effect.undefined : Effect.die(error);

/** AES-256-GCM with `key` (32 bytes) and a random nonce for every text. */
export const box: (key: Uint8Array) => Effect.Effect<Box, never, Aead.Aead | SecureRandom.SecureRandom> = Effect
  .fnUntraced(function* (bytes: Uint8Array) {
    const aead = yield* Aead.Aead;
    const random = yield* SecureRandom.SecureRandom;
    const key = yield* Effect.orDie(Aead.key(Aead.aes256Gcm, bytes));
    return {
      encrypt: (plain, context) =>
        Effect.flatMap(random.randomBytes(nonceBytes), (nonce) =>
          Effect.map(
            Effect.orDie(aead.encrypt(key, plain, { nonce, aad: context })),
            (sealed) => concat(nonce, sealed),
          )),
      decrypt: (sealed, context) =>
        Effect.catch(
          aead.decrypt(key, sealed.subarray(nonceBytes), { nonce: sealed.subarray(0, nonceBytes), aad: context }),
          unlessWrongTag,
        ),
    } satisfies Box;
  });

/** HMAC-SHA-256 with `key`. */
export const signer: (key: Uint8Array) => Effect.Effect<Signer, never, Mac.Mac> = Effect.fnUntraced(
  function* (bytes: Uint8Array) {
    const mac = yield* Mac.Mac;
    const key = yield* Effect.orDie(Mac.key(Mac.hmacSha256, bytes));
    return {
      sign: (message) => Effect.orDie(mac.sign(key, message)),
      verify: (tag, message) => Effect.orDie(mac.verify(key, tag, message)),
    } satisfies Signer;
  },
);

/** `length` bytes for the purpose `info`, by HKDF-SHA-256 (RFC 5869) without salt. */
export const derive = (
  secret: Uint8Array,
  info: Uint8Array,
  length: number,
): Effect.Effect<Uint8Array, never, Kdf.Kdf> =>
  Effect.flatMap(
    Kdf.Kdf,
    (kdf) => Effect.orDie(kdf.derive(Kdf.hkdfSha256, secret, { salt: new Uint8Array(), info, length })),
  );

const platform = SecureRandom.make(SecureRandom.randomBytesUnsafe);

/** Unguessable bytes: of the service in the context, or where there is none of the host's `crypto`. */
export const randomBytes = (size: number): Effect.Effect<Uint8Array> =>
  Effect.withFiber((fiber) =>
    (Context.getOrUndefined(fiber.context, SecureRandom.SecureRandom) ?? platform).randomBytes(size)
  );

/** The services over WebCrypto, which every host has. Each use of them takes at least a turn of the event loop. */
export const layerWebCrypto: Layer.Layer<CryptoServices> = Layer.mergeAll(
  Aead.layerWebCrypto,
  Kdf.layerWebCrypto,
  Mac.layerWebCrypto,
).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto));

/** The services that the context has, whoever provided them; for those that it lacks, the ones over WebCrypto. */
export const layerAmbient: Layer.Layer<CryptoServices> = Layer.effectContext(
  Effect.gen(function* () {
    const web = yield* Layer.build(layerWebCrypto);
    const ambient = yield* Effect.context<CryptoServices>();
    return Context.merge(web, Context.pick(Aead.Aead, Kdf.Kdf, Mac.Mac, SecureRandom.SecureRandom)(ambient));
  }),
) as Layer.Layer<CryptoServices>;

/** Synchronous primitives of a host. They neither change nor keep the arrays that they get. */
export interface Primitives {
  readonly aes256Gcm: {
    /** Gives `ciphertext ‖ tag`. */
    readonly encrypt: (key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, context: Uint8Array) => Uint8Array;
    /** Undefined where the tag does not match. */
    readonly decrypt: (
      key: Uint8Array,
      nonce: Uint8Array,
      sealed: Uint8Array,
      context: Uint8Array,
    ) => Uint8Array | undefined;
  };
  /** `hash` is WebCrypto's name of it, such as `SHA-256`. */
  readonly hmac: (hash: string, key: Uint8Array, message: Uint8Array) => Uint8Array;
  readonly hkdf: (hash: string, secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number) => Uint8Array;
  /** A fresh array. */
  readonly randomBytes: (size: number) => Uint8Array;
}

/** HKDF by `hkdf` wherever RFC 5869 allows it; the rest, errors included, by `kdf`. */
const kdfWith = (kdf: Kdf.Kdf["Service"], hkdf: Primitives["hkdf"]): Kdf.Kdf["Service"] => ({
  derive: (algorithm, secret, options) => {
    const { salt, info = new Uint8Array(), length } = options;
    return algorithm._tag === "Hkdf" && algorithm.hash.name !== "MD5" && Number.isInteger(length) && length > 0 &&
        length <= 255 * algorithm.hash.outputLength
      ? Effect.sync(() => hkdf(algorithm.hash.name, secret, salt, info, length))
      : kdf.derive(algorithm, secret, options);
  },
});

/** The services over a host's own primitives: AES-256-GCM, HMAC, HKDF and randomness never suspend. */
export const layerPrimitives = (primitives: Primitives): Layer.Layer<CryptoServices> =>
  Layer.mergeAll(
    Aead.layerWebCryptoWith({ implementations: { aes256Gcm: primitives.aes256Gcm } }),
    Layer.effect(Kdf.Kdf, Effect.map(Kdf.Kdf, (kdf) => kdfWith(kdf, primitives.hkdf))).pipe(
      Layer.provide(Kdf.layerWebCrypto),
    ),
    Mac.layerWebCryptoWith({ hmac: primitives.hmac }),
  ).pipe(Layer.provideMerge(Layer.succeed(SecureRandom.SecureRandom, SecureRandom.make(primitives.randomBytes))));
