/** Handlers that return their questions: the end of a round, its limits, and what must not be mixed with it (G1). */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as Manual from "../../src/manual/mod.ts";
import * as Need from "../../src/need/mod.ts";
import type { Journal } from "../../src/run/journal.ts";
import type { InputRequired } from "../../src/run/outcome.ts";
import { ask } from "./ask.ts";
import { accept, carried, drive, type Handler, run, type Setting, toldOutcome } from "./kit.ts";
import { begin, onTestClock, pass } from "./time.ts";

const form = (message: string) => Manual.elicit({ message, schema: Schema.Struct({ v: Schema.String }) });
const requests = { a: form("a?"), b: form("b?") };
const returned = Manual.inputRequired({ inputRequests: requests, requestState: "s" });
const decline = { action: "decline" };

const journalOf = (outcome: unknown): Journal => carried((outcome as InputRequired).journal);

/** The outcome of a round after one that returned. */
const next = async (handler: Handler, setting: Setting = {}): Promise<string> =>
  toldOutcome(await run(handler, { journal: journalOf(await run(Effect.succeed(returned))), ...setting }));

describe("returned", () => {
  test("returned: ends the round in its questions, in the author's order, and in its state", async () => {
    const outcome = await run(Effect.succeed(returned));
    assert(outcome._tag === "InputRequired");
    assertEquals(outcome.questions.map(({ key, question }) => [key, question.params]), [
      ["a", JSON.parse(JSON.stringify(requests.a)).params],
      ["b", JSON.parse(JSON.stringify(requests.b)).params],
    ]);
    const { journal } = outcome;
    assertEquals([journal.flow, journal.round, journal.pass, journal.manual], ["flow", 2, 1, { state: "s" }]);
    assertEquals([...journal.asked.keys()], ["a", "b"]);
  });

  test("returned: one flow from its first request to its end", async () => {
    const handler = () =>
      Effect.gen(function* () {
        const missing = yield* Manual.missing(requests);
        if (Object.keys(missing).length > 0) return Manual.inputRequired({ inputRequests: missing });
        const { a, b } = yield* Manual.responses(requests);
        return [a, b].map((one) => one?.action === "accept" ? one.content.v : one?.action);
      });
    const flow = await drive(handler, (key, round) => key === "b" && round < 3 ? undefined : accept(key, round));
    assertEquals([flow.result, flow.asks], ['ok ["a","b"]', [["a", "b"], ["b"], ["b"]]]);
  });

  test("returned: what cannot be put ends the call with the reason", async () => {
    const outcome = await run(Effect.succeed(Manual.inputRequired({} as Manual.InputRequiredOptions)));
    assertEquals(
      toldOutcome(outcome),
      "broken Cannot return inputRequired: it has neither requests nor a state",
    );
  });

  test("returned: the limit of rounds names the keys, those that changed, or the state", async () => {
    const limits = { maxRounds: 3 };
    const loop = await drive(() => Effect.succeed(returned), () => decline, { limits });
    assertEquals(
      [loop.result, loop.asks.length],
      ['broken The call reached its limit of 3 rounds; still asked: "a", "b"', 2],
    );
    let n = 0;
    const changing = await drive(
      () => Effect.sync(() => Manual.inputRequired({ inputRequests: { c: form(`c${n++}?`) } })),
      accept,
      { limits },
    );
    assertEquals(
      changing.result,
      'broken The call reached its limit of 3 rounds; still asked: "c"; questions that kept changing: "c"',
    );
    const alone = await drive(() => Effect.succeed(Manual.inputRequired({ requestState: "s" })), accept, { limits });
    assertEquals(
      [alone.result, alone.asks],
      ['broken The call reached its limit of 3 rounds; still returned: "requestState"', [[], []]],
    );
  });

  test("returned: state alone is no pass, so that maxPasses does not count it", async () => {
    const limits = { maxPasses: 1, maxRounds: 6 };
    const alone = await drive(() => Effect.succeed(Manual.inputRequired({ requestState: "s" })), accept, { limits });
    assertEquals(alone.asks.length, 5);
  });

  test("returned: finalizers run, commits do not", async () => {
    const notes: Array<string> = [];
    const note = (what: string) => Effect.sync(() => void notes.push(what));
    const handler = Effect.onExit(
      Effect.andThen(Need.onCommit(note("commit")), Effect.succeed(returned)),
      () => note("finalizer"),
    );
    assertEquals(toldOutcome(await run(handler)), "asks a,b");
    assertEquals(notes, ["finalizer"]);
  });
});

describe("returned: steps", () => {
  test("once: runs once through all rounds", async () => {
    let charged = 0;
    const charge = Need.once("charge", Effect.sync(() => ++charged), Schema.Int);
    const handler = () =>
      Effect.gen(function* () {
        const receipt = yield* charge;
        const { a } = yield* Manual.responses({ a: requests.a });
        return a === undefined ? Manual.inputRequired({ inputRequests: { a: requests.a } }) : receipt;
      });
    const flow = await drive(handler, (key, round) => round < 3 ? undefined : accept(key, round));
    assertEquals([flow.result, flow.asks.length, charged], ["ok 1", 3, 1]);
  });

  const detached = (millis: number) =>
    Effect.andThen(
      Effect.forkDetach(Need.once("slow", Effect.delay(Effect.succeed(1), millis), Schema.Int), {
        startImmediately: true,
      }),
      Effect.succeed(returned),
    );

  test("once: a step in flight is awaited, and its result recorded (G5)", () =>
    onTestClock(Effect.gen(function* () {
      const fiber = yield* begin(detached(1000));
      assertEquals(fiber.pollUnsafe(), undefined);
      yield* pass("1 second");
      const exit = fiber.pollUnsafe();
      assert(exit?._tag === "Success" && exit.value._tag === "InputRequired");
      assertEquals(exit.value.journal.steps.get("slow"), { _tag: "Success", value: 1 });
    })));

  test("once: past the bound the call ends with an error that names the step (G5)", () =>
    onTestClock(Effect.gen(function* () {
      const fiber = yield* begin(detached(5000), { limits: { steps: Duration.seconds(1) } });
      yield* pass("1 second");
      const exit = fiber.pollUnsafe();
      assert(exit?._tag === "Success");
      assertEquals(
        toldOutcome(exit.value),
        'broken The step "slow" did not end in time, and it is not repeated',
      );
    })));
});

describe("G1: mixed styles", () => {
  const rule = "broken A call either asks with Need or returns Manual.inputRequired, not both: ";

  test("an answered ask before a return, in one round", async () => {
    const handler = Effect.andThen(ask("n"), Effect.succeed(returned));
    const outcome = await run(handler, { responses: { n: accept("n", 1) } });
    assertEquals(toldOutcome(outcome), `${rule}the handler also asked "n"`);
  });

  test("an ask that still waits while the handler returns", async () => {
    const handler = Effect.andThen(Effect.forkDetach(ask("n"), { startImmediately: true }), Effect.succeed(returned));
    assertEquals(toldOutcome(await run(handler)), `${rule}the handler also asked "n"`);
  });

  test("an ask in one round, a return in the next", async () => {
    const asked = journalOf(await run(ask("n")));
    const outcome = await run(Effect.succeed(returned), { journal: asked, responses: { n: accept("n", 1) } });
    assertEquals(toldOutcome(outcome), `${rule}an earlier round asked "n"`);
  });

  test("a return in one round, an ask in the next, also one whose answer is there", async () => {
    const expected = `${rule}cannot ask "n" after an earlier round returned`;
    assertEquals(await next(ask("n")), expected);
    assertEquals(await next(Need.all([ask("n"), ask("m")])), expected);
    assertEquals(await next(Effect.catchCause(ask("n"), () => Effect.void)), expected);
    const twin = Need.elicit("a", { message: "a?", schema: Schema.Struct({ v: Schema.String }) });
    const answered = await next(twin, { responses: { a: accept("a", 1) } });
    assertEquals(answered, `${rule}cannot ask "a" after an earlier round returned`);
  });

  test("again, before and after a return", async () => {
    const restarted = journalOf(await run(Need.again));
    const outcome = await run(Effect.succeed(returned), { journal: restarted });
    assertEquals(toldOutcome(outcome), `${rule}the handler started again before`);
    assertEquals(await next(Need.again), `${rule}cannot start again after an earlier round returned`);
  });

  test("cells, before and after a return", async () => {
    const cell = Need.state("n", { schema: Schema.Int, initial: 0 });
    const outcome = await run(Effect.andThen(cell.set(1), Effect.succeed(returned)));
    assertEquals(toldOutcome(outcome), `${rule}the handler also used the state "n"`);
    assertEquals(await next(cell.get), `${rule}cannot use the state "n" after an earlier round returned`);
  });

  test("reading by hand, once, commits, flow and supports belong to both styles", async () => {
    const reads = Effect.andThen(Manual.missing(requests), ask("n"));
    assertEquals(toldOutcome(await run(reads)), "asks n");
    const verbs = Effect.all([
      Need.once("s", Effect.succeed(1), Schema.Int),
      Need.onCommit(Effect.void),
      Effect.map(Need.flow, ({ round }) => round),
      Need.supports("roots"),
      Need.optional(Effect.succeed(2)),
    ]);
    assertEquals(await next(verbs), 'ok [1,null,2,true,{"_id":"Option","_tag":"Some","value":2}]');
  });
});

test("refuseState: is an outcome that no handler catches (G1)", async () => {
  const caught: Array<string> = [];
  const handler = Manual.refuseState("redeemed before").pipe(
    Effect.catchCause(() => Effect.sync(() => void caught.push("caught"))),
  );
  assertEquals(toldOutcome(await run(handler)), "refused redeemed before");
  assertEquals(toldOutcome(await run(Effect.race(handler, Effect.succeed("value")))), "refused redeemed before");
  assertEquals(caught, []);
});
