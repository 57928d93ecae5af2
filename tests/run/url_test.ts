/** URL needs: consent first, then what happens outside of the conversation (DESIGN.md, section 3, `elicitUrl`). */
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Need from "../../src/need/mod.ts";
import { sha256 } from "../../src/model/sha256.ts";
import { ask, formsOnly, lacking, page } from "./ask.ts";
import { begin, endsAt, endsWithin, onTestClock, pass } from "./time.ts";
import { accept, carried, drive, type Handler, run, toldOutcome } from "./kit.ts";

const accepted = { action: "accept" };

const urlOf = async (journal?: Parameters<typeof run>[1]): Promise<string> => {
  const outcome = await run(page(() => false).need, journal);
  assert(outcome._tag === "InputRequired");
  const question = outcome.questions[0]!.question;
  assert("interaction" in question && question.method === "elicitation/create");
  assertEquals(question.params.url, `https://example.org/?interaction=${question.interaction}`);
  return question.interaction;
};

/** The journal after the page was offered. */
const offered = async () => {
  const outcome = await run(page(() => false).need);
  assert(outcome._tag === "InputRequired");
  return carried(outcome.journal);
};

test("elicitUrl: the interaction's id follows from flow and key, so that it is the same in every round", async () => {
  const expected = sha256("interaction\nflow\nconnect");
  assertEquals(await urlOf(), expected);
  assertEquals(await urlOf({ journal: await offered(), responses: {} }), expected);
});

test("elicitUrl: done at once after the accept gives its value", async () => {
  const { asked, need } = page(() => true);
  assertEquals(
    toldOutcome(await run(need, { journal: await offered(), responses: { connect: accepted } })),
    'ok "token"',
  );
  assertEquals(asked.times, 1);
});

test("elicitUrl: declined and cancelled are typed errors, and done is not asked", async () => {
  for (const [action, told] of [["decline", "fail Declined connect"], ["cancel", "fail Cancelled connect"]] as const) {
    const { asked, need } = page(() => true);
    assertEquals(toldOutcome(await run(need, { journal: await offered(), responses: { connect: { action } } })), told);
    assertEquals(asked.times, 0);
  }
});

test("elicitUrl: done is polled after 100, 200, 400, 800 ms, then every second", async () => {
  const { asked, need } = page(() => false);
  const setting = { journal: await offered(), responses: { connect: accepted } };
  const seen = await onTestClock(Effect.gen(function* () {
    const round = yield* begin(need, setting);
    const seen = [asked.times];
    for (const millis of [99, 1, 200, 400, 799, 1, 999, 1, 1000]) {
      yield* pass(millis);
      seen.push(asked.times);
    }
    yield* Fiber.interrupt(round);
    return seen;
  }));
  assertEquals(seen, [1, 1, 2, 3, 4, 4, 5, 5, 6, 7]);
});

test("elicitUrl: done during the wait completes the round", async () => {
  const { need } = page((times) => times === 3);
  const setting = { journal: await offered(), responses: { connect: accepted } };
  const outcome = await endsWithin(begin(need, setting), "300 millis");
  assertEquals(toldOutcome(outcome), 'ok "token"');
});

test("elicitUrl: not done within the wait ends the round with state alone; the question is not put again", async () => {
  const setting = { journal: await offered(), responses: { connect: accepted } };
  const outcome = await endsAt(begin(page(() => false).need, setting), "20 seconds");
  assert(outcome._tag === "InputRequired");
  assertEquals([outcome.questions, outcome.journal.pass], [[], 1]);
  const next = await run(page(() => true).need, { journal: carried(outcome.journal), responses: {}, capabilities: {} });
  assertEquals(toldOutcome(next), 'ok "token"');
});

test("elicitUrl: a done that does not answer is given up after the wait", async () => {
  const setting = { journal: await offered(), responses: { connect: accepted } };
  const need = Need.elicitUrl("connect", {
    message: "Connect your account",
    url: "https://example.org",
    done: Effect.never,
    wait: "3 seconds",
  });
  const outcome = await endsWithin(begin(need, setting), "3 seconds");
  assertEquals(toldOutcome(outcome), "asks");
});

test("elicitUrl: while it polls, other time limits stand still, and other needs do not wait for it", async () => {
  const setting = { journal: await offered(), responses: { connect: accepted } };
  const limited = Effect.timeoutOption(page((times) => times === 6).need, "1 seconds");
  const polled = await endsWithin(begin(limited, setting), "4 seconds");
  assertEquals(toldOutcome(polled), 'ok {"_id":"Option","_tag":"Some","value":"token"}');
  for (const handler of [Effect.all([limited, ask("a")], { concurrency: 2 }), Need.all([limited, ask("a")])]) {
    assertEquals(toldOutcome(await run(handler, setting)), "asks a");
  }
});

/** Regions in which nobody but the gate can interrupt `self`. */
const regions: ReadonlyArray<(self: Handler) => Handler> = [
  Effect.uninterruptible,
  (self) => Effect.scoped(Effect.acquireRelease(self, () => Effect.void)),
  (self) => Effect.scoped(Effect.andThen(Effect.addFinalizer(() => Effect.ignore(self)), Effect.void)),
];

test("elicitUrl: done is asked anew in every later round, and what a step took behind it is kept", async () => {
  const looked: Array<string> = [];
  let codes = ["code"];
  const handler = () =>
    Effect.gen(function* () {
      yield* Need.elicitUrl("connect", {
        message: "Connect your account",
        url: "https://example.org",
        done: Effect.sync(() => Option.some(looked.push("looked"))),
      });
      const take = Effect.sync(() => {
        const [code = "gone", ...rest] = codes;
        codes = rest;
        return code;
      });
      const code = yield* Need.once("take", take, Schema.String);
      return `${code} ${yield* ask("a")} ${yield* ask("b")}`;
    });
  const flow = await drive(handler, (key, round) => key === "connect" ? accepted : accept(key, round));
  assertEquals([flow.result, flow.asks], ['ok "code a b"', [["connect"], ["a"], ["b"]]]);
  assertEquals(looked.length, 3);
});

test("elicitUrl: in an uninterruptible region polling holds no round and ends with it (G2, G3)", async () => {
  const setting = { journal: await offered(), responses: { connect: accepted }, limits: { unwind: Duration.infinity } };
  for (const region of regions) {
    const { asked, need } = page(() => false);
    const polls = await onTestClock(Effect.gen(function* () {
      const round = yield* begin(region(Effect.all([need, ask("b")], { concurrency: 2 })), setting);
      assertEquals(toldOutcome(yield* Fiber.join(round)), "asks b");
      const before = asked.times;
      yield* pass("1 minute");
      return [before, asked.times];
    }));
    assertEquals(polls, [1, 1]);
  }
});

test("elicitUrl: in an uninterruptible region polling ends with the attempt around it", async () => {
  const setting = { journal: await offered(), responses: { connect: accepted }, capabilities: formsOnly };
  for (const region of regions) {
    const inside = region(Effect.all([page(() => false).need, lacking], { concurrency: 2 }));
    const handler = Effect.map(Need.optional(inside), Option.isNone);
    const outcome = await onTestClock(Effect.flatMap(begin(handler, setting), Fiber.join));
    assertEquals(toldOutcome(outcome), "ok true");
  }
});

test("elicitUrl: the round limit names the page that is not finished", async () => {
  const { need } = page(() => false, "1 millis");
  const journal = { ...(await offered()), round: 16 };
  assertEquals(
    toldOutcome(await run(need, { journal, responses: { connect: accepted } })),
    'broken The call reached its limit of 16 rounds; not finished: "connect"',
  );
});
