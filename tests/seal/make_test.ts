/** The sealer as a whole, over both crypto services. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { layerPrimitives } from "../../src/model/crypto.ts";
import * as Native from "../../src/runtime/native_crypto.ts";
import * as Sealer from "../../src/seal/mod.ts";
import { binding, keyA, keyB, modes, payload, platforms, refusal, seal, sealer } from "./fixtures.ts";

for (const mode of modes) {
  describe(`seal, open, ${mode}`, () => {
    const sealing = sealer({ mode });

    test("open: refuses whatever is no string, and the empty string (B08)", () => {
      for (const state of [1, 0, null, true, false, [], {}, "", undefined, [seal(sealing, payload)], { length: 1 }]) {
        assertEquals(refusal(sealing, state).message, "Invalid request state");
      }
    });

    test("seal: is all alphabet, and never the same twice when it encrypts", () => {
      assertMatch(seal(sealing, payload), /^[A-Za-z0-9_-]+$/);
      if (mode === "encrypt") assertNotEquals(seal(sealing, payload), seal(sealing, payload));
    });

    test("seal: hides the payload when it encrypts, and leaves it readable when it signs", () => {
      const bytes = atob(seal(sealing, "plain to see").replaceAll("-", "+").replaceAll("_", "/"));
      assertEquals(bytes.includes("plain to see"), mode === "sign");
      for (const part of ["ada", "ask_name", "test-server"]) assert(!bytes.includes(part));
    });

    test("seal, open: never suspend over native crypto, and make nothing anew that a key needs once", () => {
      const calls: Array<string> = [];
      const counting = layerPrimitives({
        aes256Gcm: {
          encrypt: (...args) => (calls.push("encrypt"), Native.primitives.aes256Gcm.encrypt(...args)),
          decrypt: (...args) => (calls.push("decrypt"), Native.primitives.aes256Gcm.decrypt(...args)),
        },
        hmac: (...args) => (calls.push("hmac"), Native.primitives.hmac(...args)),
        hkdf: (...args) => (calls.push("hkdf"), Native.primitives.hkdf(...args)),
        randomBytes: (size) => (calls.push(`random ${size}`), Native.primitives.randomBytes(size)),
      });
      const made = Effect.runSync(Effect.provide(Sealer.make({ keys: [keyA, keyB], mode }), counting));
      assertEquals(calls.splice(0), ["hkdf", "hkdf", "hkdf", "hkdf"]);
      const { TextEncoder, TextDecoder } = globalThis;
      Object.assign(globalThis, { TextEncoder: undefined, TextDecoder: undefined });
      const opened = Effect.runSyncExit(
        Effect.flatMap(made.seal(payload, binding), (state) => made.open(state, binding)),
      );
      Object.assign(globalThis, { TextEncoder, TextDecoder });
      assertEquals(opened, Exit.succeed(payload));
      assertEquals(calls, mode === "encrypt" ? ["random 12", "encrypt", "decrypt"] : ["hmac", "hmac"]);
    });

    test("seal, open: work alike over both crypto services, each opening what the other sealed", async () => {
      const sealers = await Promise.all(
        platforms.map(([, layer]) => Effect.runPromise(Effect.provide(Sealer.make({ keys: [keyA], mode }), layer))),
      );
      for (const from of sealers) {
        for (const to of sealers) {
          const state = await Effect.runPromise(from.seal(payload, binding));
          assertEquals(await Effect.runPromise(to.open(state, binding)), payload);
          await Effect.runPromise(Effect.flip(to.open(state, { ...binding, subject: "bob" })));
          await Effect.runPromise(Effect.flip(to.open(state.slice(0, -4), binding)));
        }
      }
    });
  });
}

test("layer: provides the sealer that make makes", () => {
  const program = Effect.gen(function* () {
    const { seal, open } = yield* Sealer.Sealer;
    return yield* open(yield* seal(payload, binding), binding);
  });
  const layer = Sealer.layer({ keys: [keyA] });
  assertEquals(Effect.runSync(program.pipe(Effect.provide(layer), Effect.provide(Native.layer))), payload);
});
