/** Case B11: keys, their ring, and what may not be one. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import * as Native from "../../src/runtime/native_crypto.ts";
import * as Sealer from "../../src/seal/mod.ts";
import { key, keyA, keyB, keyC, modes, open, payload, refusal, seal, sealer } from "./fixtures.ts";

const weakness = (keys: ReadonlyArray<Sealer.Key>): unknown =>
  Effect.runSync(Effect.flip(Effect.provide(Sealer.make({ keys }), Native.layer)));

for (const mode of modes) {
  describe(`key ring, ${mode}`, () => {
    test("make: two instances that share only the key open each other's states", () => {
      assertEquals(open(sealer({ mode }), seal(sealer({ mode }), payload)), payload);
    });

    test("make: the first key seals, all open, and a removed one no longer does", () => {
      const old = sealer({ mode, keys: [keyA] });
      const both = sealer({ mode, keys: [keyB, keyA] });
      const renewed = sealer({ mode, keys: [keyB] });
      const before = seal(old, payload);
      const after = seal(both, payload);
      assertEquals([open(both, before), open(both, after), open(renewed, after)], [payload, payload, payload]);
      refusal(renewed, before);
      refusal(old, after);
      assertEquals(open(sealer({ mode, keys: [keyC, keyB, keyA] }), before), payload);
    });

    test("make: a key's prefix follows from the key and the mode alone", () => {
      const prefix = (sealing: Sealer.Sealer): string => seal(sealing, payload).slice(0, 12);
      assertEquals(prefix(sealer({ mode })), prefix(sealer({ mode, keys: [keyA, keyB] })));
      const prefixes = [keyA, keyB, keyC].flatMap((key) => modes.map((mode) => prefix(sealer({ mode, keys: [key] }))));
      assertEquals(new Set(prefixes).size, 6);
    });

    test("make: a text is the key of its UTF-8 bytes", () => {
      const text = "Schlüssel für die Prüfung 0123456789";
      const bytes = Redacted.make(new TextEncoder().encode(text));
      assertEquals(open(sealer({ mode, keys: [bytes] }), seal(sealer({ mode, keys: [key(text)] }), payload)), payload);
    });

    test("make: later changes to the array that a key came in do not matter", () => {
      const bytes = new Uint8Array(32).fill(1);
      const sealing = sealer({ mode, keys: [Redacted.make(bytes)] });
      bytes.fill(2);
      refusal(sealer({ mode, keys: [Redacted.make(bytes)] }), seal(sealing, payload));
      assertEquals(
        open(sealer({ mode, keys: [Redacted.make(new Uint8Array(32).fill(1))] }), seal(sealing, payload)),
        payload,
      );
    });
  });
}

test("make: a key under 32 bytes fails with an error that names its place and not the key", () => {
  const short = "only 31 bytes, which is too few";
  const error = weakness([keyA, key(short), key("x")]) as Sealer.WeakKey;
  assertEquals([error._tag, error.index, error.length], ["WeakKey", 1, 31]);
  assertEquals(error.message, "Cannot seal with keys[1]: it has 31 bytes, and at least 32 are needed");
  assert(!`${String(error)} ${JSON.stringify(error)} ${error.stack}`.includes(short));
  // It is bytes that count, not characters: 16 × é has 32.
  assertEquals(open(sealer({ keys: [key("é".repeat(16))] }), seal(sealer({ keys: [key("é".repeat(16))] }), "x")), "x");
  const bytes = Redacted.make(new Uint8Array(31));
  assertEquals((weakness([bytes]) as Sealer.WeakKey).message, (weakness([key(short)]) as Sealer.WeakKey).message);
  assertEquals((weakness([key("")]) as Sealer.WeakKey).length, 0);
});

test("make: no keys at all are a weak key too", () => {
  const error = weakness([]) as Sealer.WeakKey;
  assertEquals([error._tag, error.index, error.length], ["WeakKey", 0, 0]);
});
