/** `all`, `attempt` and `isSuspending`, where they meet the gate. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Need from "../../src/need/mod.ts";
import { ask, formsOnly, lacking } from "./ask.ts";
import { begin, endsAt, endsWithin } from "./time.ts";
import { drive, run, toldOutcome } from "./kit.ts";

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
