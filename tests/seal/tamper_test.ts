/** Case B07: whatever is done to a state, it is refused. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { keyA, keyB, modes, open, payload, refusal, seal, sealer } from "./fixtures.ts";

/** Fails unless every one of `states` is refused, by a sealer that opens the original. */
const refuseAll = (states: Iterable<string>, opens: ReturnType<typeof sealer>, original: string): number => {
  let count = 0;
  for (const state of states) {
    assert(state !== original, "A change that changes nothing");
    assertEquals(refusal(opens, state).message, "Invalid request state");
    count++;
  }
  assertEquals(open(opens, original), payload);
  return count;
};

for (const mode of modes) {
  describe(`open, ${mode}`, () => {
    const sealing = sealer({ mode });
    const state = seal(sealing, payload);
    const at = (i: number, character: string): string => state.slice(0, i) + character + state.slice(i + 1);

    test("takes the state as it is, of about 600 characters", () => {
      assert(state.length >= 600, `${state.length}`);
      assertEquals(open(sealing, state), payload);
    });

    test("refuses every change of one character", () => {
      const changes = function* () {
        for (let i = 0; i < state.length; i++) {
          const code = state.charCodeAt(i);
          const others = [
            ..."AZaz09-_+/=.~ \n\t\0é\u{1f642}",
            String.fromCharCode(code ^ 1),
            String.fromCharCode(code ^ 32),
          ];
          for (const character of new Set(others)) if (character !== state[i]) yield at(i, character);
        }
      };
      assert(refuseAll(changes(), sealing, state) > 18 * state.length);
    });

    test("refuses every other character of the alphabet in the last place, where a lenient reader drops bits", () => {
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
      for (const length of [0, 1, 2]) {
        const padded = seal(sealing, "x".repeat(length));
        for (const character of alphabet) {
          if (!padded.endsWith(character)) refusal(sealing, padded.slice(0, -1) + character);
        }
      }
    });

    test("refuses it cut off anywhere, at either end", () => {
      const cuts = function* () {
        for (let i = 0; i < state.length; i++) yield state.slice(0, i);
        for (let i = 1; i < state.length; i++) yield state.slice(i);
      };
      assertEquals(refuseAll(cuts(), sealing, state), 2 * state.length - 1);
    });

    test("refuses anything put behind, in front, or in between", () => {
      const extra = ["A", "AAAA", "=", "==", "\n", "\r\n", " ", "\0", "\u200b", "\ufeff", "é", ".", state];
      const insertions = function* () {
        for (const text of extra) {
          yield state + text;
          yield text + state;
        }
        for (let i = 1; i < state.length; i++) for (const text of ["A", "\n", "="]) yield at(i, text + state[i]);
      };
      refuseAll(insertions(), sealing, state);
    });

    test("refuses two neighbours changing places", () => {
      const swaps = function* () {
        for (let i = 0; i + 1 < state.length; i++) {
          if (state[i] !== state[i + 1]) yield at(i, state[i + 1]!).slice(0, i + 1) + state[i] + state.slice(i + 2);
        }
      };
      refuseAll(swaps(), sealing, state);
    });

    test("refuses it written in another way", () => {
      const standard = state.replaceAll("-", "+").replaceAll("_", "/");
      const bytes = Uint8Array.from(atob(standard + "=".repeat(-state.length & 3)), (c) => c.charCodeAt(0));
      const forms = [
        state.toLowerCase(),
        state.toUpperCase(),
        encodeURIComponent(state) + "%3D",
        btoa(state),
        [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
        ` ${state} `,
        `"${state}"`,
        state.replace(/.{64}/g, "$&\n"),
        state + "=".repeat((-state.length & 3) || 4),
      ];
      // States differ in their last characters, so that both alphabets and every padding come up.
      for (let i = 0; i < 24; i++) {
        const one = seal(sealing, payload.slice(i));
        const other = one.replaceAll("-", "+").replaceAll("_", "/");
        if (other !== one) refusal(sealing, other);
        refusal(sealing, one + "=".repeat((-one.length & 3) || 4));
      }
      refuseAll(forms, sealing, state);
    });

    test("refuses parts of two good states put together", () => {
      const other = seal(sealing, payload);
      const header = 12, lifetime = 28;
      const mixes = [
        state.slice(0, lifetime) + other.slice(lifetime),
        state.slice(0, -44) + other.slice(-44),
        state.slice(0, header) + seal(sealer({ mode, ttl: "1 hour" }), payload).slice(header, lifetime) +
        state.slice(lifetime),
      ];
      const changed = mixes.filter((mix) => mix !== state && mix !== other);
      assert(changed.length > 0);
      refuseAll(changed, sealing, state);
    });

    test("refuses every other version, mode and key id in front", () => {
      const others = function* () {
        const standard = state.slice(0, 12).replaceAll("-", "+").replaceAll("_", "/");
        const prefix = Uint8Array.from(atob(standard), (c) => c.charCodeAt(0));
        for (let i = 0; i < prefix.length; i++) {
          for (let bit = 0; bit < 8; bit++) {
            const changed = prefix.slice();
            changed[i]! ^= 1 << bit;
            yield btoa(String.fromCharCode(...changed)).replaceAll("+", "-").replaceAll("/", "_") + state.slice(12);
          }
        }
      };
      assertEquals(refuseAll(others(), sealing, state), 72);
    });

    test("refuses a state that another key sealed, also with the prefix of ours", () => {
      const foreign = seal(sealer({ mode, keys: [keyB] }), payload);
      refuseAll([foreign, state.slice(0, 12) + foreign.slice(12)], sealing, state);
      const both = sealer({ mode, keys: [keyA, keyB] });
      refuseAll([foreign.slice(0, 12) + state.slice(12), state.slice(0, 12) + foreign.slice(12)], both, state);
    });
  });
}

test("open: refuses what the other mode sealed with the same key, also with the prefix of its own", () => {
  for (const [mode, other] of [["encrypt", "sign"], ["sign", "encrypt"]] as const) {
    const opening = sealer({ mode });
    const foreign = seal(sealer({ mode: other }), payload);
    refusal(opening, foreign);
    refusal(opening, seal(opening, payload).slice(0, 12) + foreign.slice(12));
  }
});

test("open: remembers nothing: a state opens as often as it comes, on every instance that has the key", () => {
  const sealing = sealer();
  const state = seal(sealing, payload);
  assertEquals([open(sealing, state), open(sealing, state), open(sealer(), state)], [payload, payload, payload]);
});
