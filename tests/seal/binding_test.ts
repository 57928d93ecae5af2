/** Case B09: a state opens for the call that it was sealed for. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type * as Sealer from "../../src/seal/mod.ts";
import { binding, modes, open, payload, refusal, seal, sealer } from "./fixtures.ts";

for (const mode of modes) {
  describe(`seal, open, ${mode}`, () => {
    const sealing = sealer({ mode });

    test("open: takes a state for the same subject, arguments in another order, and absent ones as empty (B09)", () => {
      const nested = { a: 1, b: { x: [1, { p: 1, q: 2 }], y: null } };
      const reordered = { b: { y: null, x: [1, { q: 2, p: 1 }] }, a: 1 };
      assertEquals(open(sealing, seal(sealing, payload), { ...binding }), payload);
      assertEquals(open(sealing, seal(sealing, payload), { ...binding, arguments: { b: 2, a: 1 } }), payload);
      assertEquals(
        open(sealing, seal(sealing, payload, { ...binding, arguments: nested }), { ...binding, arguments: reordered }),
        payload,
      );
      for (const [sealed, opened] of [[undefined, {}], [{}, undefined], [undefined, undefined]]) {
        const state = seal(sealing, payload, { ...binding, arguments: sealed });
        assertEquals(open(sealing, state, { ...binding, arguments: opened }), payload);
      }
    });

    test("open: refuses a state of another user, tool, argument set, method or server (B09)", () => {
      const state = seal(sealing, payload);
      const changes: ReadonlyArray<Partial<Sealer.Binding>> = [
        { subject: "bob" },
        { subject: undefined },
        { subject: "" },
        { subject: "Ada" },
        { target: "ask_two" },
        { arguments: { a: 1, b: 3 } },
        { arguments: { a: 1, b: "2" } },
        { arguments: { a: 1 } },
        { arguments: { a: 1, b: 2, c: null } },
        { arguments: {} },
        { arguments: undefined },
        { arguments: [1, 2] },
        { method: "prompts/get" },
        { audience: "other-server" },
      ];
      for (const change of changes) refusal(sealing, state, { ...binding, ...change });
    });

    test("open: holds no subject at all unequal to any, in both directions (B09)", () => {
      const anonymous = { ...binding, subject: undefined };
      const state = seal(sealing, payload, anonymous);
      assertEquals(open(sealing, state, anonymous), payload);
      for (const subject of ["", "null", "undefined", "anonymous", "ada"]) {
        refusal(sealing, state, { ...binding, subject });
        refusal(sealing, seal(sealing, payload, { ...binding, subject }), anonymous);
      }
    });

    test("open: does not take one field's end for the next one's start", () => {
      const state = seal(sealing, payload, { ...binding, audience: "a", target: 'b","c' });
      refusal(sealing, state, { ...binding, audience: 'a","b', target: "c" });
      refusal(sealing, state, { ...binding, audience: "a", target: "b", subject: 'c","ada' });
    });

    test("open: undoes seal for any payload and binding, and refuses any other binding", () => {
      const text = fc.string({ unit: "binary" });
      const bindings = fc.record({
        audience: text,
        method: fc.constantFrom("tools/call", "prompts/get", "resources/read"),
        target: text,
        arguments: fc.jsonValue(),
        subject: fc.option(text, { nil: undefined }),
      });
      // Equal as JSON, in which -0 is 0.
      const same = (a: unknown, b: unknown) => {
        const plain = (value: unknown): string =>
          JSON.stringify(
            value,
            (_, member) =>
              typeof member === "object" && member !== null && !Array.isArray(member)
                ? Object.entries(member).sort(([x], [y]) => x < y ? -1 : 1)
                : member,
          );
        return plain(a) === plain(b);
      };
      fc.assert(
        fc.property(text, bindings, bindings, (payload, to, other) => {
          const state = seal(sealing, payload, to);
          assertEquals(open(sealing, state, to), payload);
          for (const field of ["audience", "method", "target", "arguments", "subject"] as const) {
            if (!same(to[field], other[field])) refusal(sealing, state, { ...to, [field]: other[field] });
          }
        }),
        { numRuns: 300 },
      );
    });
  });
}
