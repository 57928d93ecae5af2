/** Ids of flows. */
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import * as Effect from "effect/Effect";
import { layerWebCrypto } from "../../src/model/crypto.ts";
import { randomId } from "../../src/seal/mod.ts";
import { fixedRandom, platforms } from "./fixtures.ts";

test("randomId: has 128 bits in 22 characters, never twice the same, without suspending", () => {
  for (const layer of [undefined, ...platforms.map(([, layer]) => layer)]) {
    const many = Effect.forEach(Array.from({ length: 1_000 }), () => randomId);
    const ids = Effect.runSync(layer === undefined ? many : Effect.provide(many, layer));
    for (const id of ids) assertMatch(id, /^[A-Za-z0-9_-]{21}[AQgw]$/);
    assertEquals(new Set(ids).size, 1_000);
  }
});

test("randomId: takes the SecureRandom of its context", () => {
  const fixed = fixedRandom(layerWebCrypto, new Uint8Array(16).fill(255));
  assertEquals(Effect.runSync(Effect.provide(randomId, fixed)), "_____________________w");
});
