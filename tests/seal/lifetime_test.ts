/** Case B10: a state is good for a while, and why it is not is for the log alone. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import { TestClock } from "effect/testing";
import * as Native from "../../src/runtime/native_crypto.ts";
import * as Sealer from "../../src/seal/mod.ts";
import { binding, keyA, keyB, modes, payload, refusal, sealer } from "./fixtures.ts";

/** Runs at the time 0 of a test clock. */
const atTestTime = <A, E>(program: Effect.Effect<A, E, TestClock.TestClock>): Promise<A> =>
  Effect.runPromise(Effect.provide(program, TestClock.layer()));

for (const mode of modes) {
  describe(`seal, open, ${mode}`, () => {
    const sealing = sealer({ mode });

    test("open: takes a state until its time is over and not after (B10)", () =>
      atTestTime(Effect.gen(function* () {
        const state = yield* sealing.seal(payload, binding);
        yield* TestClock.adjust("599 seconds");
        assertEquals(yield* sealing.open(state, binding), payload);
        yield* TestClock.adjust("999 millis");
        assertEquals(yield* sealing.open(state, binding), payload);
        yield* TestClock.adjust("1 millis");
        yield* Effect.flip(sealing.open(state, binding));
        yield* TestClock.adjust("1 second");
        assertStringIncludes((yield* Effect.flip(sealing.open(state, binding))).reason, "expired 1000 ms ago");
      })));

    test("seal: begins the time anew in each round, and takes the ttl that was set", () =>
      atTestTime(Effect.gen(function* () {
        const short = sealer({ mode, ttl: "5 seconds" });
        const first = yield* short.seal(payload, binding);
        yield* TestClock.adjust("4 seconds");
        const second = yield* short.seal(yield* short.open(first, binding), binding);
        yield* TestClock.adjust("4 seconds");
        assertEquals(yield* short.open(second, binding), payload);
        yield* Effect.flip(short.open(first, binding));
        // The time of expiry is the sealing instance's.
        assertEquals(yield* sealer({ mode, ttl: "1 hour" }).open(second, binding), payload);
        yield* TestClock.adjust("2 seconds");
        yield* Effect.flip(sealer({ mode, ttl: "1 hour" }).open(second, binding));
      })));

    test("open: bears with clocks that are a minute apart, and no more", () =>
      atTestTime(Effect.gen(function* () {
        yield* TestClock.setTime(1_000_000_000);
        const state = yield* sealing.seal(payload, binding);
        yield* TestClock.setTime(1_000_000_000 - 60_000);
        assertEquals(yield* sealing.open(state, binding), payload);
        yield* TestClock.setTime(1_000_000_000 - 60_001);
        yield* Effect.flip(sealing.open(state, binding));
      })));

    test("open: refuses everything with errors that look alike, whose reasons hold nothing sealed (B10)", () =>
      atTestTime(Effect.gen(function* () {
        const state = yield* sealing.seal(payload, binding);
        const errors = [
          ...[1, null, "", "x".repeat(70_000), state.slice(0, -1), `${state}=`, `${state.slice(0, -1)}!`].map((value) =>
            refusal(sealing, value)
          ),
          refusal(sealing, state, { ...binding, subject: "bob" }),
          refusal(sealer({ mode, keys: [keyB] }), state),
        ];
        yield* TestClock.adjust("1 hour");
        errors.push(yield* Effect.flip(sealing.open(state, binding)));
        assertEquals(new Set(errors.map((error) => error.reason)).size, 7);
        for (const error of errors) {
          assertEquals([error._tag, error.message, error.name], [
            "InvalidState",
            "Invalid request state",
            "InvalidState",
          ]);
          assertEquals(Object.keys(error).sort(), Object.keys(errors[0]!).sort());
          for (const part of ["ada", "bob", "ask_name", "Åsa", "secret"]) assert(!error.reason.includes(part));
        }
      })));
  });
}

test("make: takes any ttl above zero and up to 365 days, and names another", () => {
  const make = (ttl: Duration.Input) => Effect.provide(Sealer.make({ keys: [keyA], ttl }), Native.layer);
  for (const ttl of [1, 0.5, "1 hour", "365 days", Duration.minutes(1)] as const) Effect.runSync(make(ttl));
  const wrong = [0, -1, Number.NaN, Infinity, Duration.infinity, "366 days", "soon" as never] as const;
  for (const ttl of wrong) {
    const error = Effect.runSync(Effect.flip(make(ttl)));
    assertEquals([error._tag, error.message], [
      "InvalidTtl",
      `Cannot let states live for ${ttl}: the time must be above zero and 365 days at most`,
    ]);
  }
});
