/** URL needs in live calls: one `elicitationId`, polled after the accept, and the notice when it is finished. */
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Schema from "effect/Schema";
import { sha256 } from "../../src/model/sha256.ts";
import * as Need from "../../src/need/mod.ts";
import { ask, page } from "./ask.ts";
import { type Handler, toldOutcome } from "./kit.ts";
import { after, beginTimed as begin, call, peerOf } from "./live_kit.ts";
import { endsAt, endsWithin, onTestClock, pass } from "./time.ts";

const accepted = after(
  1,
  (key) => key === "connect" ? { action: "accept" } : { action: "accept", content: { v: key } },
);

const interaction = sha256("interaction\nflow\nconnect");

test("elicitUrl, live: the question carries the interaction, the page is polled, and its end is told once", async () => {
  const peer = peerOf(accepted);
  const { asked, need } = page((times) => times >= 3);
  const handler = Effect.all([need, need, ask("b")], { concurrency: 3 });
  const outcome = await onTestClock(Effect.gen(function* () {
    const call = yield* begin(handler, peer);
    assertEquals([peer.asked, peer.completed], [["connect", "b"], []]);
    yield* pass("100 millis");
    return yield* Fiber.join(call);
  }));
  assertEquals(toldOutcome(outcome), 'ok ["token","token","b"]');
  assertEquals([asked.times, peer.completed], [4, [interaction]]);
  const [question] = peer.questions;
  assert(question !== undefined && "interaction" in question);
  assertEquals([question.interaction, question.params.url], [
    interaction,
    `https://example.org/?interaction=${interaction}`,
  ]);
});

test("elicitUrl, live: after the accept it is polled for 10 minutes, whatever the wait of a round", async () => {
  const { need } = page(() => false);
  const peer = peerOf(accepted);
  const outcome = await endsAt(begin(Effect.catchCause(need, () => Effect.void), peer), "10 minutes");
  assertEquals(outcome, {
    _tag: "Unaskable",
    missing: [],
    key: "connect",
    reason: "The page timed out: it was accepted, but not finished within 10m",
  });
  assertEquals([peer.asked, peer.withdrawn, peer.completed], [["connect"], [], []]);
});

test("elicitUrl, live: a handler can go on without a page that is not finished in time", async () => {
  const { need } = page(() => false);
  for (const bare of [true, false]) {
    const attempted: Effect.Effect<unknown, Need.Unanswerable | Need.Declined | Need.Cancelled, Need.Elicitation> = bare
      ? Need.attempt(need)
      : Need.attempt(Effect.exit(need));
    const handler = Effect.catchTag(attempted, "Unanswerable", ({ key }) => ask(key === "connect" ? "b" : "c"));
    const outcome = await endsWithin(begin(handler, peerOf(accepted)), "10 minutes");
    assertEquals(toldOutcome(outcome), 'ok "b"');
  }
});

test("elicitUrl, live: while it polls, the handler's clock stands still, and the caller gets signs of life", async () => {
  const { need } = page((times) => times >= 60);
  const peer = peerOf(accepted);
  const outcome = await endsWithin(begin(Effect.timeoutOption(need, "1 seconds"), peer), "1 minutes");
  assertEquals([toldOutcome(outcome), peer.signs.alive], ['ok {"_id":"Option","_tag":"Some","value":"token"}', 3]);
});

test("elicitUrl, live: declined and cancelled are typed errors, and nothing is polled or told", async () => {
  for (const [action, told] of [["decline", "fail Declined connect"], ["cancel", "fail Cancelled connect"]] as const) {
    const peer = peerOf(after(1, () => ({ action })));
    const { asked, need } = page(() => true);
    assertEquals([await call(need, peer), asked.times, peer.completed], [told, 0, []]);
  }
});

test("elicitUrl, live: a page that is finished stays finished in the next pass, and its end is told once", async () => {
  const cell = Need.state("n", { schema: Schema.Number, initial: 0 });
  const { need } = page(() => true);
  const handler = Effect.gen(function* () {
    const token = yield* need;
    const n = yield* cell.get;
    if (n === 0) return yield* Effect.andThen(cell.set(1), Need.again);
    return token;
  });
  const peer = peerOf(accepted);
  assertEquals(await call(handler, peer), 'ok "token"');
  assertEquals([peer.asked, peer.completed], [["connect"], [interaction]]);
});

test("elicitUrl, live: interrupting the caller ends the polling, in an uninterruptible region too (G2, G3)", async () => {
  for (const region of [(self: Handler) => self, (self: Handler) => Effect.uninterruptible(self)]) {
    const { asked, need } = page(() => false);
    const polled = await onTestClock(Effect.gen(function* () {
      const call = yield* begin(region(need), peerOf(accepted), { limits: { unwind: Duration.infinity } });
      yield* pass("5 seconds");
      yield* Fiber.interrupt(call);
      const polled = asked.times;
      yield* pass("5 minutes");
      return [polled > 0, asked.times - polled];
    }));
    assertEquals(polled, [true, 0]);
  }
});
