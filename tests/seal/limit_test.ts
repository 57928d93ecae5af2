/** Case B10: how large a state may be, and what is not done for one that is larger. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Sealer from "../../src/seal/mod.ts";
import { binding, modes, open, payload, refusal, seal, sealer } from "./fixtures.ts";

for (const mode of modes) {
  describe(`seal, open, ${mode}`, () => {
    const sealing = sealer({ mode });

    test("open: does no work on 10 MiB (B10)", () => {
      const calls: Array<string> = [];
      const watch = (of: object, name: string) => {
        const original = Reflect.get(of, name);
        Reflect.set(of, name, function (this: unknown, ...args: ReadonlyArray<unknown>) {
          calls.push(name);
          return Reflect.apply(original, this, args);
        });
        return () => Reflect.set(of, name, original);
      };
      const state = seal(sealing, payload);
      const long = state.padEnd(10 * 2 ** 20, "A");
      const program = Effect.flip(sealing.open(long, binding));
      const small = Effect.flip(sealing.open(`${state}AAAA`, binding));
      const text = ["slice", "charCodeAt", "codePointAt", "substring", "replace", "match", "split", "at"];
      const restore = [
        ...text.map((name) => watch(String.prototype, name)),
        watch(String.prototype, Symbol.iterator as never),
        watch(RegExp.prototype, "exec"),
        watch(RegExp.prototype, "test"),
        watch(TextEncoder.prototype, "encode"),
        ...("fromBase64" in Uint8Array ? [watch(Uint8Array, "fromBase64")] : []),
      ];
      Effect.runSync(program);
      const onLong = calls.length;
      Effect.runSync(small);
      restore.forEach((undo) => undo());
      assertEquals(onLong, 0);
      assert(calls.length > 0, "The watch must see the work on a short state");
    });

    test("seal: refuses what would be longer than 65,536 characters, naming the limit, and nothing shorter", () => {
      const overhead = mode === "encrypt" ? 9 + 12 + 28 : 9 + 12 + 32;
      const most = 65_536 * 3 / 4 - overhead;
      const state = seal(sealing, "x".repeat(most));
      assertEquals(state.length, 65_536);
      assertEquals(open(sealing, state), "x".repeat(most));
      const error = Effect.runSync(Effect.flip(sealing.seal("x".repeat(most + 1), binding)));
      assertEquals([error._tag, error.limit, error.length], ["StateTooLarge", 65_536, 65_538]);
      assertStringIncludes(error.message, "65536");
      // It is bytes that count: é has two.
      Effect.runSync(Effect.flip(sealing.seal("é".repeat(most / 2 + 1), binding)));
      Effect.runSync(Effect.flip(sealing.seal("x".repeat(2 ** 20), binding)));
      assertEquals(Sealer.limit, 65_536);
    });

    test("seal: arguments of any size cost nothing in the state", () => {
      const big = { ...binding, arguments: { text: "x".repeat(2 ** 20) } };
      const state = seal(sealing, payload, big);
      assertEquals(state.length, seal(sealing, payload).length);
      assertEquals(open(sealing, state, big), payload);
      refusal(sealing, state, { ...binding, arguments: { text: `${"x".repeat(2 ** 20 - 1)}y` } });
    });
  });
}
