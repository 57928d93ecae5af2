/** The bridge: handlers that return their questions, in calls whose client is asked while they wait (DESIGN, section 6). */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Manual from "../../src/manual/mod.ts";
import type { PeerFailure } from "../../src/model/peer.ts";
import * as Need from "../../src/need/mod.ts";
import { call, peerOf, talk } from "./live_kit.ts";
import { accept, type Handler, toldOutcome } from "./kit.ts";
import { hostTurns, onTestClock, pass } from "./time.ts";

const form = (message: string) => Manual.elicit({ message, schema: Schema.Struct({ v: Schema.NonEmptyString }) });
const requests = { a: form("a?"), b: form("b?") };
const poem = Manual.createMessage({
  messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
  maxTokens: 5,
});

/** Returns what is missing of `requests`, then says what was answered; notes each of its runs. */
const both = (runs: Array<string> = []): Handler<unknown, never> =>
  Effect.gen(function* () {
    runs.push(`${(yield* Need.flow).round}`);
    const missing = yield* Manual.missing(requests);
    if (Object.keys(missing).length > 0) return Manual.inputRequired({ inputRequests: missing, requestState: "s" });
    const { a, b } = yield* Manual.responses(requests);
    return [a, b].map((one) => one?.action === "accept" ? one.content.v : one?.action);
  });

/** Counts in its own state, and returns nothing else. */
const counting = (to: number): Handler =>
  Effect.gen(function* () {
    const n = Number(Option.getOrElse(yield* Manual.rawState, () => "0"));
    return n < to ? Manual.inputRequired({ requestState: String(n + 1) }) : n;
  });

const never: Effect.Effect<never, PeerFailure> = Effect.never;

describe("bridge", () => {
  test("bridge: the asks go out at once, and their answers re-enter the handler", async () => {
    const runs: Array<string> = [];
    const peer = peerOf();
    assertEquals(await call(both(runs), peer), 'ok ["a","b"]');
    assertEquals([peer.asked, runs], [["a", "b"], ["1", "2"]]);
    assertEquals(peer.questions[0]?.params, JSON.parse(JSON.stringify(requests.a)).params);
  });

  test("bridge: the asks are concurrent", async () => {
    let open = 0, most = 0;
    const peer = peerOf((key) =>
      Effect.gen(function* () {
        most = Math.max(most, ++open);
        yield* hostTurns(3);
        open--;
        return accept(key, 1);
      })
    );
    assertEquals([await call(both(), peer), most], ['ok ["a","b"]', 2]);
  });

  test("bridge: decline and cancel are answers, asked once", async () => {
    const peer = peerOf((key) => Effect.succeed({ action: key === "a" ? "decline" : "cancel" }));
    assertEquals(await call(both(), peer), 'ok ["decline","cancel"]');
    assertEquals(peer.asked, ["a", "b"]);
  });

  test("bridge: an invalid answer re-enters as none, and is asked again with the reason", async () => {
    const peer = peerOf((key, times) => Effect.succeed({ action: "accept", content: { v: times === 1 ? "" : key } }));
    assertEquals(await call(both(), peer), 'ok ["a","b"]');
    assertEquals(peer.asked, ["a", "b", "a", "b"]);
    assertEquals(
      (peer.questions[2]?.params as { message: string }).message,
      'The last answer cannot be used: "v" must have at least 1 character\n\na?',
    );
  });

  test("bridge: the first failure withdraws the others, and ends the call with the key and the reason", async () => {
    const failure: PeerFailure = { _tag: "ClientError", code: -32601, message: "Method not found" };
    const peer = peerOf((key) => key === "b" ? Effect.andThen(hostTurns(2), Effect.fail(failure)) : never);
    assertEquals(await call(both(), peer), "lacks ");
    assertEquals([peer.asked, peer.withdrawn], [["a", "b"], ["a"]]);
    const outcome = await Effect.runPromise(talk(both(), peerOf(() => Effect.fail(failure))));
    assertEquals<unknown>(outcome, {
      _tag: "Unaskable",
      missing: [],
      key: "a",
      reason: "The client answered with error -32601: Method not found",
    });
  });

  test("bridge: a model that refuses ends the call, since that is no answer", async () => {
    const refusal: PeerFailure = { _tag: "ClientError", code: -1, message: "User rejected sampling request" };
    const outcome = await Effect.runPromise(
      talk(Effect.succeed(Manual.inputRequired({ inputRequests: { poem } })), peerOf(() => Effect.fail(refusal))),
    );
    assertEquals<unknown>(outcome, {
      _tag: "Unaskable",
      missing: [],
      key: "poem",
      reason: "The client answered with error -1: User rejected sampling request",
    });
  });

  test("bridge: what this client cannot be asked, or its revision cannot say, is not sent", async () => {
    const lacking = peerOf(() => never, { capabilities: { roots: {} } });
    const all = Manual.inputRequired({ inputRequests: { ...requests, poem, roots: Manual.listRoots() } });
    assertEquals(await call(Effect.succeed(all), lacking), "lacks elicitation.form,sampling");
    const old = peerOf(() => never, { cannotSay: () => "2025-03-26 has no elicitation" });
    const outcome = await Effect.runPromise(talk(Effect.succeed(all), old));
    assertEquals<unknown>(outcome, {
      _tag: "Unaskable",
      missing: [],
      key: "a",
      reason: "2025-03-26 has no elicitation",
    });
    assertEquals([lacking.asked, old.asked], [[], []]);
  });

  test("bridge: canRequest and supported say what the gate says", async () => {
    const peer = peerOf(undefined, { capabilities: { elicitation: {} } });
    const can = Effect.all([Manual.canRequest(requests.a), Manual.canRequest(poem)]);
    assertEquals(await call(can, peer), "ok [true,false]");

    // What is declared may still be what the client's revision has no words for
    const old = peerOf(undefined, {
      cannotSay: ({ method }) => method === "roots/list" ? undefined : "2025-03-26 has no elicitation",
    });
    const roots = Manual.listRoots();
    const both = Effect.all([Manual.canRequest(requests.a), Manual.canRequest(roots)]);
    assertEquals(await call(both, old), "ok [false,true]");
    const supported = Effect.map(Manual.supported({ ...requests, roots }), Object.keys);
    assertEquals(await call(supported, old), 'ok ["roots"]');
    assertEquals(
      await call(Effect.flatMap(Manual.missing({ ...requests, roots }), Manual.supported), old),
      'ok {"roots":{"method":"roots/list"}}',
    );
    assertEquals(old.asked, []);
  });

  test("bridge: the handler is re-entered maxRounds times, then an error names the keys", async () => {
    const loop = Effect.succeed(Manual.inputRequired({ inputRequests: requests }));
    const peer = peerOf(() => Effect.succeed({ action: "decline" }));
    assertEquals(
      await call(loop, peer),
      'broken The call reached its limit of 8 rounds; still returned: "a", "b"',
    );
    assertEquals(peer.asked.length, 16);
    const few = peerOf(() => Effect.succeed({ action: "decline" }));
    assertEquals(
      await call(loop, few, { live: { maxRounds: 2 } }),
      'broken The call reached its limit of 2 rounds; still returned: "a", "b"',
    );
    assertEquals(few.asked.length, 4);
  });

  test("bridge: steps run once, commits of the last run alone", async () => {
    const notes: Array<string> = [];
    const note = (what: string) => Effect.sync(() => void notes.push(what));
    const handler = Need.once("step", note("step"), Schema.Void).pipe(
      Effect.andThen(Need.onCommit(note("commit"))),
      Effect.andThen(both()),
    );
    assertEquals(await call(handler, peerOf()), 'ok ["a","b"]');
    assertEquals(notes, ["step", "commit"]);
  });

  test("bridge: a return and an ask in one call are misuse, in any order", async () => {
    const ask = Need.confirm("n", "?");
    const rule = "broken A call either asks with Need or returns Manual.inputRequired, not both: ";
    const yes = peerOf(() => Effect.succeed({ action: "accept", content: { ok: true, v: "x" } }));
    assertEquals(await call(Effect.andThen(ask, both()), yes), `${rule}the handler also asked "n"`);
    const later = Effect.flatMap(both(), (end): Handler => Manual.isInputRequired(end) ? Effect.succeed(end) : ask);
    assertEquals(await call(later, peerOf()), `${rule}cannot ask "n" after an earlier round returned`);
  });
});

describe("bridge: time", () => {
  test("state alone: rests for the pacing and re-enters, without a question", () =>
    onTestClock(Effect.gen(function* () {
      const peer = peerOf(() => never, { capabilities: {} });
      const live = { pacing: Duration.millis(100) };
      const fiber = yield* Effect.forkChild(talk(counting(3), peer, { live }), { startImmediately: true });
      yield* hostTurns(2);
      yield* pass("299 millis");
      assertEquals(fiber.pollUnsafe(), undefined);
      yield* pass("1 millis");
      const exit = fiber.pollUnsafe();
      assertEquals(exit?._tag === "Success" && toldOutcome(exit.value), "ok 3");
      assertEquals(peer.asked, []);
    })));

  test("state alone: up to maxRounds times", async () => {
    assertEquals(await call(counting(8), peerOf()), "ok 8");
    assertEquals(
      await call(counting(9), peerOf()),
      'broken The call reached its limit of 8 rounds; still returned: "requestState"',
    );
  });

  test("roundTimeout: a person who does not answer in time ends the call; signs of life come meanwhile", () =>
    onTestClock(Effect.gen(function* () {
      const peer = peerOf(() => never);
      const live = { roundTimeout: Duration.minutes(1), alive: Duration.seconds(15) };
      const fiber = yield* Effect.forkChild(talk(both(), peer, { live }), { startImmediately: true });
      yield* hostTurns(2);
      yield* pass("59 seconds");
      assertEquals([fiber.pollUnsafe(), peer.signs.alive], [undefined, 3]);
      yield* pass("1 seconds");
      const exit = fiber.pollUnsafe();
      assertEquals<unknown>(exit?._tag === "Success" && exit.value, {
        _tag: "Unaskable",
        missing: [],
        key: "a",
        reason: "The question timed out: no answer came within 1m",
      });
      assertEquals(peer.withdrawn.sort(), ["a", "b"]);
    })));

  test("interruption: withdraws the questions that are open", () =>
    onTestClock(Effect.gen(function* () {
      const peer = peerOf(() => never);
      const fiber = yield* Effect.forkChild(talk(both(), peer), { startImmediately: true });
      yield* hostTurns(5);
      fiber.interruptUnsafe();
      yield* hostTurns(5);
      assertEquals([peer.asked, peer.withdrawn], [["a", "b"], ["a", "b"]]);
    })));
});
