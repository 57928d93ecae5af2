/** Ids of flows. */
import { test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import * as Effect from "effect/Effect";
import * as SecureRandom from "effect/crypto/SecureRandom";
import { layerWebCrypto } from "../../src/model/crypto.ts";
import { randomId } from "../../src/seal/mod.ts";
import { pooledId } from "../../src/seal/random_id.ts";
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

test("pooledId: has 132 bits in 22 characters, never twice the same, without suspending", () => {
  for (const layer of [undefined, ...platforms.map(([, layer]) => layer)]) {
    const one = pooledId();
    const many = Effect.forEach(Array.from({ length: 1_000 }), () => one);
    const ids = Effect.runSync(layer === undefined ? many : Effect.provide(many, layer));
    for (const id of ids) assertMatch(id, /^[A-Za-z0-9_-]{22}$/);
    assertEquals(new Set(ids).size, 1_000);
    // The ids of two pools have nothing to do with each other
    assertEquals(new Set([...ids, ...Effect.runSync(Effect.forEach([1, 2], () => pooledId()))]).size, 1_002);
  }
});

test("pooledId: draws from the SecureRandom of its context, for 64 ids at a time", () => {
  const sizes: Array<number> = [];
  const random = SecureRandom.make((size) => {
    sizes.push(size);
    return new Uint8Array(size).fill(255);
  });
  const one = pooledId();
  const ids = Effect.provideService(
    Effect.forEach(Array.from({ length: 65 }), () => one),
    SecureRandom.SecureRandom,
    random,
  );
  assertEquals(new Set(Effect.runSync(ids)), new Set(["_".repeat(22)]));
  assertEquals(sizes, [64 * 18, 64 * 18]);
});
