/** Time in live calls: that of people, of handlers, of the server (DESIGN.md, section 5, G9 and the legacy knobs). */
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Deferred from "effect/Deferred";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Schema from "effect/Schema";
import * as Need from "../../src/need/mod.ts";
import { defaultLiveLimits } from "../../src/run/live_limits.ts";
import { ask } from "./ask.ts";
import { accept, carried, type Handler, toldOutcome } from "./kit.ts";
import { beginTimed as begin, type LiveSetting, peerOf, type Replies, type TestPeer } from "./live_kit.ts";
import { begin as beginRound, endsAt, hostTurns, onTestClock, pass } from "./time.ts";

const both = { concurrency: 2 } as const;

/** A person who takes that long for every answer. */
const person = (time: Duration.Input): Replies => (key, times) => Effect.as(Effect.sleep(time), accept(key, times));

/** How a call with a person ends, and whether it had ended just before `end`. */
const ends = (handler: Handler, peer: TestPeer, end: Duration.Input, setting: LiveSetting = {}) =>
  endsAt(begin(handler, peer, setting), end);

test("defaultLiveLimits: 8 times, 10 minutes, 250 ms, 15 s", () => {
  const { alive, maxRounds, pacing, roundTimeout } = defaultLiveLimits;
  assertEquals([maxRounds, ...[roundTimeout, pacing, alive].map(Duration.toMillis)], [8, 600_000, 250, 15_000]);
});

const limited = (work: Duration.Input) =>
  Effect.timeout(
    Effect.andThen(Effect.sleep(work), Effect.andThen(ask("a"), Effect.as(Effect.sleep(work), "done"))),
    "30 seconds",
  );

test("B32: a limit of 30 s around a handler's work survives a person who takes 5 minutes, live", async () => {
  assertEquals(toldOutcome(await ends(limited("10 seconds"), peerOf(person("5 minutes")), "320 seconds")), 'ok "done"');
});

test("B32: a limit of 30 s around a handler's work survives a person who takes 5 minutes, modern", async () => {
  const outcome = await onTestClock(Effect.gen(function* () {
    const first = yield* beginRound(limited("10 seconds"));
    yield* pass("10 seconds");
    const interim = yield* Fiber.join(first);
    assert(interim._tag === "InputRequired");
    yield* pass("5 minutes");
    const journal = carried(interim.journal);
    const second = yield* beginRound(limited("10 seconds"), { journal, responses: { a: accept("a", 1) } });
    yield* pass("20 seconds");
    return yield* Fiber.join(second);
  }));
  assertEquals(toldOutcome(outcome), 'ok "done"');
});

test("B32: the limit still counts the handler's own work", async () => {
  const outcome = await ends(limited("16 seconds"), peerOf(person("5 minutes")), "330 seconds");
  assertEquals(toldOutcome(outcome), "fail TimeoutError");
});

test("G9: a sleep beside an open question goes on with what is left of it when the answer comes", async () => {
  const woken: Array<string> = [];
  const sleeper = Effect.andThen(Effect.sleep("10 seconds"), Effect.sync(() => void woken.push("slept")));
  const handler = Effect.all([sleeper, Effect.andThen(Effect.sleep("4 seconds"), ask("a"))], both);
  await onTestClock(Effect.gen(function* () {
    const call = yield* begin(handler, peerOf(person("1 minutes")));
    yield* pass("69999 millis");
    assertEquals(woken, []);
    yield* pass("1 millis");
    assertEquals(woken, ["slept"]);
    yield* Fiber.join(call);
  }));
});

test("roundTimeout: a question that nobody answers for 10 minutes ends the call, and is withdrawn", async () => {
  const peer = peerOf(() => Effect.never);
  assertEquals(await ends(Effect.exit(ask("a")), peer, "10 minutes"), {
    _tag: "Unaskable",
    missing: [],
    key: "a",
    reason: "The question timed out: no answer came within 10m",
  });
  assertEquals(peer.withdrawn, ["a"]);
});

test("roundTimeout: a late answer is ignored, also by a handler that went on without it", async () => {
  const late = Deferred.makeUnsafe<unknown>();
  const peer = peerOf((key, times) => key === "a" ? Deferred.await(late) : Effect.succeed(accept(key, times)));
  const handler = Need.attempt(Effect.asVoid(ask("a"))).pipe(
    Effect.catchTag("Unanswerable", ({ reason }) => Effect.as(Effect.sleep("1 seconds"), reason)),
    Effect.flatMap((reason) => Effect.map(ask("b"), (b) => [reason, b])),
  );
  const outcome = await onTestClock(Effect.gen(function* () {
    const call = yield* begin(handler, peer, { live: { roundTimeout: Duration.seconds(90) } });
    yield* pass("90 seconds");
    Deferred.doneUnsafe(late, Effect.succeed(accept("a", 1)));
    yield* pass("1 seconds");
    return yield* Fiber.join(call);
  }));
  assertEquals(toldOutcome(outcome), 'ok ["The question timed out: no answer came within 1m 30s","b"]');
});

test("roundTimeout: is for one answer, so that a question asked again has it anew", async () => {
  const peer = peerOf((key, times) => Effect.as(Effect.sleep("9 minutes"), times < 3 ? "bad" : accept(key, times)));
  assertEquals(toldOutcome(await ends(ask("a"), peer, "27 minutes")), 'ok "a"');
});

test("pacing: a handler rests 250 ms before it starts again", async () => {
  const cell = Need.state("n", { schema: Schema.Number, initial: 0 });
  const handler = Effect.flatMap(
    cell.get,
    (n): Handler => n === 2 ? Effect.succeed(n) : Effect.andThen(cell.set(n + 1), Need.again),
  );
  const { pacing } = defaultLiveLimits;
  const outcome = await onTestClock(Effect.gen(function* () {
    const call = yield* begin(handler, peerOf(), { live: { pacing } });
    for (const millis of [249, 1, 249]) yield* pass(millis);
    assertEquals(call.pollUnsafe(), undefined);
    yield* pass(1);
    return yield* Fiber.join(call);
  }));
  assertEquals(toldOutcome(outcome), "ok 2");
});

test("pacing: a call that is cancelled while it rests is over at once", async () => {
  await onTestClock(Effect.gen(function* () {
    const call = yield* begin(Need.again, peerOf(), { live: { pacing: Duration.seconds(60) } });
    yield* Fiber.interrupt(call);
  }));
});

test("alive: the caller gets a sign of life every 15 s while a person is waited for, and none after the end", async () => {
  const peer = peerOf(person("50 seconds"));
  await onTestClock(Effect.gen(function* () {
    const call = yield* begin(ask("a"), peer);
    const seen: Array<number> = [];
    for (const seconds of [14, 1, 15, 15, 4]) {
      yield* pass(Duration.seconds(seconds));
      seen.push(peer.signs.alive);
    }
    assertEquals(seen, [0, 1, 2, 3, 3]);
    yield* pass("1 seconds");
    yield* Fiber.join(call);
    yield* pass("5 minutes");
    assertEquals(peer.signs.alive, 3);
  }));
});

test("alive: many short questions are as good a reason as a long one, in every pass", async () => {
  const peer = peerOf(person("7 seconds"));
  const cell = Need.state("n", { schema: Schema.Number, initial: 0 });
  const handler = Effect.gen(function* () {
    const n = yield* cell.get;
    for (const i of [1, 2, 3]) yield* ask(`${n} ${i}`);
    if (n < 2) return yield* Effect.andThen(cell.set(n + 1), Need.again);
  });
  await onTestClock(Effect.gen(function* () {
    const call = yield* begin(handler, peer);
    for (let second = 0; second < 63; second++) yield* pass("1 seconds");
    yield* Fiber.join(call);
  }));
  // 63 s of waiting.
  assertEquals(peer.signs.alive, 4);
});

test("alive: a handler that works without asking anybody is not kept alive", async () => {
  const peer = peerOf(person("1 seconds"));
  await onTestClock(Effect.gen(function* () {
    const call = yield* begin(Effect.andThen(ask("a"), Effect.sleep("10 minutes")), peer);
    yield* pass("9 minutes");
    yield* Fiber.interrupt(call);
  }));
  // One for the 15 s in which it asked.
  assertEquals(peer.signs.alive, 1);
});

test("B56: a cancelled call waits 5 s for finalizers, and for a step in flight as well", async () => {
  const step = Need.once("step", Effect.sleep("20 seconds"), Schema.Void);
  for (
    const [handler, seconds] of [
      [Effect.ensuring(ask("a"), Effect.never), 5],
      [Effect.all([ask("a"), step], both), 20],
    ] as ReadonlyArray<readonly [Handler, number]>
  ) {
    const peer = peerOf(() => Effect.never);
    await onTestClock(Effect.gen(function* () {
      const call = yield* begin(handler, peer);
      const over = yield* Effect.forkChild(Fiber.interrupt(call), { startImmediately: true });
      yield* hostTurns(5);
      assertEquals(peer.withdrawn, ["a"]);
      yield* pass(Duration.millis(seconds * 1000 - 1));
      assertEquals(over.pollUnsafe(), undefined);
      yield* pass(1);
      yield* Fiber.join(over);
    }));
  }
});

test("B22: a person who does not answer in time has not confirmed", async () => {
  let dropped = 0;
  const handler = Effect.flatMap(
    Effect.catchCause(Need.confirm("drop", "Drop it?"), () => Effect.succeed(true)),
    (sure) => sure ? Effect.sync(() => dropped++) : Effect.void,
  );
  await ends(handler, peerOf(() => Effect.never), "10 minutes");
  assertEquals(dropped, 0);
});
