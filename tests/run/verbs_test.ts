/** `all`, `attempt` and `isSuspending`, where they meet the gate. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Need from "../../src/need/mod.ts";
import { ask, formsOnly, lacking } from "./ask.ts";
import { begin, endsAt, endsWithin } from "./time.ts";
import { drive, run, toldOutcome } from "./kit.ts";
import { call, peerOf } from "./live_kit.ts";

const both = { concurrency: 2 } as const;

test("all: branches that never began do not hold the round", async () => {
  const handler = Effect.andThen(
    Effect.ignore(Need.all([Effect.fail("boom"), ask("x")])),
    Effect.all([ask("a"), ask("b")], both),
  );
  assertEquals(toldOutcome(await run(handler, { limits: { gather: Duration.infinity } })), "asks a,b");
});

test("all: waits for a branch that has not asked for 1 s, not longer", async () => {
  const handler = Need.all([ask("a"), Effect.andThen(Effect.sleep("2 seconds"), ask("b"))]);
  const outcome = await endsAt(begin(handler), "1 second");
  assertEquals(toldOutcome(outcome), "asks a");
});

test("all: a branch whose need was withdrawn holds the round again", async () => {
  const branch = Effect.andThen(
    Effect.race(ask("x"), Effect.promise(() => Promise.resolve())),
    Effect.andThen(Effect.sleep("500 millis"), ask("b")),
  );
  const outcome = await endsWithin(begin(Need.all([ask("a"), branch])), "500 millis");
  assertEquals(toldOutcome(outcome), "asks a,b");
});

test("attempt: a fiber that is parked inside of it does not hold it", async () => {
  const handler = Need.optional(Effect.uninterruptible(
    Effect.all([ask("a"), Effect.catchCause(lacking, () => Effect.void)], both),
  ));
  const outcome = await run(Effect.map(handler, Option.isNone), { capabilities: formsOnly });
  assertEquals(toldOutcome(outcome), "ok true");
});

/** An attempt whose need fails in the stack that forks the others of it, after a lock was taken and a step begun. */
const interruptedMidway = (list: Array<string>, before: Effect.Effect<void>) => {
  const note = (what: string) => Effect.sync(() => void list.push(what));
  const soon = Effect.promise(() => Promise.resolve());
  const locked = Effect.acquireUseRelease(note("lock"), () => Effect.never, () => Effect.andThen(soon, note("unlock")));
  const step = Need.once("step", Effect.andThen(soon, note("step ends")), Schema.Void);
  const inner = Effect.all([locked, step, lacking], { concurrency: 3 });
  const attempted = Need.attempt(Effect.andThen(before, Effect.all([ask("a"), inner], both)));
  return Effect.andThen(Effect.exit(attempted), note("attempt ended"));
};

test("attempt: ends when its finalizers and steps have (DESIGN, section 3), and asks nothing, in both eras", async () => {
  const expected = ["lock", "step ends", "unlock", "attempt ended"];
  for (const before of [Effect.void, Effect.yieldNow, Effect.promise(() => Promise.resolve())]) {
    const modern: Array<string> = [];
    const outcome = await run(interruptedMidway(modern, before), { capabilities: formsOnly });
    assertEquals([toldOutcome(outcome), modern], ["ok undefined", expected]);
    const legacy: Array<string> = [];
    const peer = peerOf(undefined, { capabilities: formsOnly });
    const result = await call(interruptedMidway(legacy, before), peer, { capabilities: formsOnly });
    assertEquals([result, legacy, peer.asked], ["ok undefined", expected, []]);
  }
});

test("attempt: its own catches do not see what interrupts it, also while it waits for that (G7)", async () => {
  const list: Array<string> = [];
  const caught = Effect.catchCause(
    Effect.all([ask("a"), lacking, ask("b")], { concurrency: 3 }),
    () => Effect.sync(() => void list.push("caught")),
  );
  const handler = Effect.map(
    Need.optional(Effect.andThen(caught, Need.once("s", Effect.void, Schema.Void))),
    Option.isNone,
  );
  assertEquals(toldOutcome(await run(handler, { capabilities: formsOnly })), "ok true");
  assertEquals(list, []);
});

test("attempt: what is missing after it ended is missing", async () => {
  const handler = Effect.andThen(
    Need.attempt(Effect.forkDetach(Effect.andThen(Effect.yieldNow, lacking))),
    ask("a"),
  );
  assertEquals(toldOutcome(await run(handler, { capabilities: formsOnly })), "lacks sampling");
});

test("isSuspending: tells finalizers of a suspended round from those of a finished one", async () => {
  const list: Array<string> = [];
  const tell = Effect.map(Need.isSuspending, (is) => void list.push(is ? "suspending" : "ending"));
  const handler = () => Effect.ensuring(ask("a"), tell);
  const flow = await drive(handler);
  assertEquals([flow.result, list], ['ok "a"', ["suspending", "ending"]]);
});
