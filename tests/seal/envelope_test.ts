/** The envelope: its format is fixed by vectors. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import { TestClock } from "effect/testing";
import fc from "fast-check";
import { context, fromText, toText } from "../../src/seal/envelope.ts";
import * as Sealer from "../../src/seal/mod.ts";
import { binding, fixedRandom, key, platforms } from "./fixtures.ts";
import { type Vector, write } from "./reference.ts";
import json from "./vectors.json" with { type: "json" };

const vectors = json as ReadonlyArray<Vector>;

const bindingOf = ({ binding }: Vector): Sealer.Binding => ({
  ...binding,
  arguments: binding.arguments,
  subject: binding.subject ?? undefined,
});

for (const vector of vectors) {
  describe(`vector "${vector.name}"`, () => {
    test("is what the format says, written down a second time", async () => {
      assertEquals(await write(vector), vector.state);
    });

    for (const [name, layer] of platforms) {
      const nonce = Uint8Array.from(vector.nonce.match(/../g)!, (pair) => parseInt(pair, 16));
      const sealing = Sealer.make({ keys: [key(vector.secret)], mode: vector.mode, ttl: vector.ttl });

      test(`seal, open: ${name} gives this state, and reads it`, () =>
        Effect.runPromise(
          Effect.gen(function* () {
            const { seal, open } = yield* sealing;
            yield* TestClock.setTime(vector.issued);
            assertEquals(yield* seal(vector.payload, bindingOf(vector)), vector.state);
            assertEquals(yield* open(vector.state, bindingOf(vector)), vector.payload);
          }).pipe(Effect.provide([fixedRandom(layer, nonce), TestClock.layer()])),
        ));
    }
  });
}

test("toText, fromText: give back any string, with NUL in front and lone surrogates too", () => {
  const unit = fc.oneof(fc.constantFrom("\0", "\ud800", "\udfff", "\ufeff", '"', "\\"), fc.string({ unit: "binary" }));
  fc.assert(fc.property(fc.array(unit), (parts) => {
    assertEquals(fromText(toText(parts.join(""))), parts.join(""));
  }));
});

test("context: has five lines whatever stands in the binding", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\n", '"\n"', "\r\n", "\ud800"));
  fc.assert(fc.property(text, text, text, fc.jsonValue(), (audience, target, subject, args) => {
    const lines = new TextDecoder().decode(
      context("prefix", { issued: 1, expires: 2 }, { ...binding, audience, target, subject, arguments: { args } }),
    ).split("\n");
    assertEquals([lines.length, lines[5]], [6, ""]);
    assertEquals(JSON.parse(lines[3]!), [audience, "tools/call", target, subject]);
    assertEquals(JSON.parse(lines[4]!), JSON.parse(JSON.stringify({ args })));
  }));
});
