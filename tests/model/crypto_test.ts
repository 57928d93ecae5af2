/** The crypto services by published test vectors, over every implementation. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import type * as Layer from "effect/Layer";
import * as Kdf from "effect/crypto/Kdf";
import * as Digest from "effect/crypto/Digest";
import * as SecureRandom from "effect/crypto/SecureRandom";
import {
  box,
  concat,
  type CryptoServices,
  derive,
  layerAmbient,
  layerWebCrypto,
  randomBytes,
  signer,
} from "../../src/model/crypto.ts";
import * as Native from "../../src/runtime/native_crypto.ts";

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const platforms: ReadonlyArray<readonly [string, Layer.Layer<CryptoServices>]> = [
  ["native", Native.layer],
  ["WebCrypto", layerWebCrypto],
];

// The Galois/Counter Mode of Operation (McGrew, Viega), test case 16.
const gcm = {
  key: bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"),
  nonce: "cafebabefacedbaddecaf888",
  plain: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72" +
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
  context: bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
  sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa" +
    "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b",
};

for (const [name, layer] of platforms) {
  describe(`crypto services, ${name}`, () => {
    const run = <A>(program: Effect.Effect<A, never, CryptoServices>): Promise<A> =>
      Effect.runPromise(Effect.provide(program, layer));

    test("box: encrypts by AES-256-GCM, nonce in front and tag behind", async () => {
      const random = SecureRandom.make(() => bytes(gcm.nonce));
      const fixed = Effect.provideService(box(gcm.key), SecureRandom.SecureRandom, random);
      const sealed = await run(Effect.flatMap(fixed, ({ encrypt }) => encrypt(bytes(gcm.plain), gcm.context)));
      assertEquals(hex(sealed), gcm.nonce + gcm.sealed);
    });

    test("box: decrypts what it encrypted, and nothing with another key, context, nonce, text or tag", () =>
      run(Effect.gen(function* () {
        const { decrypt } = yield* box(gcm.key);
        const sealed = bytes(gcm.nonce + gcm.sealed);
        assertEquals(hex((yield* decrypt(sealed, gcm.context))!), gcm.plain);
        assertEquals(yield* decrypt(sealed, utf8("other")), undefined);
        assertEquals(yield* decrypt(sealed, new Uint8Array()), undefined);
        assertEquals(yield* decrypt(sealed.subarray(0, -1), gcm.context), undefined);
        assertEquals(yield* decrypt(sealed.subarray(0, 20), gcm.context), undefined);
        for (const place of [0, 12, 40, sealed.length - 1]) {
          const changed = sealed.slice();
          changed[place]! ^= 1;
          assertEquals(yield* decrypt(changed, gcm.context), undefined);
        }
        const other = yield* box(new Uint8Array(32));
        assertEquals(yield* other.decrypt(sealed, gcm.context), undefined);
      })));

    test("box: takes empty texts and contexts", () =>
      run(Effect.gen(function* () {
        const { encrypt, decrypt } = yield* box(gcm.key);
        const sealed = yield* encrypt(new Uint8Array(), new Uint8Array());
        assertEquals(sealed.length, 28);
        assertEquals(new Uint8Array((yield* decrypt(sealed, new Uint8Array()))!), new Uint8Array());
      })));

    test("signer: is HMAC-SHA-256 (RFC 4231, test case 2)", () =>
      run(Effect.gen(function* () {
        const { sign, verify } = yield* signer(utf8("Jefe"));
        const message = utf8("what do ya want for nothing?");
        const tag = yield* sign(message);
        assertEquals(hex(tag), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        assertEquals(yield* verify(tag, message), true);
        assertEquals(yield* verify(tag, utf8("what do ya want for nothing!")), false);
        assertEquals(yield* verify(tag.subarray(0, 31), message), false);
        assertEquals(yield* verify(concat(tag, Uint8Array.of(0)), message), false);
      })));

    test("derive: is HKDF-SHA-256 without salt (RFC 5869, test case A.3)", async () => {
      const derived = await run(derive(new Uint8Array(22).fill(0x0b), new Uint8Array(), 42));
      assertEquals(
        hex(derived),
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
      );
    });

    test("Kdf: takes and refuses the same as WebCrypto's", async () => {
      const options = { salt: utf8("salt"), info: utf8("info"), length: 64 };
      const derive = (algorithm: Kdf.Algorithm, change: Partial<typeof options> = {}) =>
        Effect.map(
          Effect.result(
            Effect.flatMap(Kdf.Kdf, (kdf) => kdf.derive(algorithm, utf8("secret"), { ...options, ...change })),
          ),
          (result) => result._tag === "Success" ? hex(result.success) : result.failure.message,
        );
      const all = Effect.all([
        derive(Kdf.hkdfSha256),
        derive(Kdf.hkdfSha512),
        derive(Kdf.hkdfSha1, { length: 255 * 20 }),
        derive(Kdf.hkdf(Digest.md5)),
        derive(Kdf.hkdfSha256, { length: 0 }),
        derive(Kdf.hkdfSha256, { length: 255 * 32 + 1 }),
        derive(Kdf.hkdfSha256, { length: 1.5 }),
        derive(Kdf.pbkdf2({ hash: Digest.sha256, iterations: 2 })),
        derive(Kdf.argon2id()),
      ]);
      assertEquals(await run(all), await Effect.runPromise(Effect.provide(all, Kdf.layerWebCrypto)));
    });

    test("randomBytes: gives what the service of the context gives, of any size", async () => {
      for (const size of [0, 1, 12, 512, 513, 70_000]) assertEquals((await run(randomBytes(size))).length, size);
      assertEquals(
        await Effect.runPromise(
          Effect.provideService(
            randomBytes(2),
            SecureRandom.SecureRandom,
            SecureRandom.make(() => Uint8Array.of(1, 2)),
          ),
        ),
        Uint8Array.of(1, 2),
      );
    });
  });
}

test("layerAmbient: takes each service of the context, and WebCrypto's for those that it lacks", async () => {
  const random = SecureRandom.make((size) => new Uint8Array(size).fill(7));
  const program = Effect.gen(function* () {
    const { encrypt, decrypt } = yield* box(yield* derive(gcm.key, gcm.context, 32));
    const { sign } = yield* signer(gcm.key);
    const sealed = yield* encrypt(gcm.context, gcm.context);
    return [hex(sealed.subarray(0, 12)), hex((yield* decrypt(sealed, gcm.context))!), (yield* sign(sealed)).length];
  }).pipe(Effect.provide(layerAmbient));
  const expected = ["07".repeat(12), hex(gcm.context), 32] as const;
  assertEquals(await Effect.runPromise(Effect.provideService(program, SecureRandom.SecureRandom, random)), [
    ...expected,
  ]);
  const native = Effect.provide(Effect.provideService(program, SecureRandom.SecureRandom, random), Native.layer);
  // `runSync` throws if WebCrypto is asked for anything.
  assertEquals(Effect.runSync(native), [...expected]);
  assertEquals((await Effect.runPromise(program)).slice(1), expected.slice(1));
});

test("randomBytes: falls back to the host's where the context has no service", () => {
  assertEquals(Effect.runSync(randomBytes(16)).length, 16);
});

test("concat: puts arrays one after the other", () => {
  assertEquals(concat(), new Uint8Array());
  assertEquals(concat(Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3)), Uint8Array.of(1, 2, 3));
});
