/** The live interpreter: questions on their way to the client, and what comes back (DESIGN.md, section 5, "live"). */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Logger from "effect/Logger";
import * as Option from "effect/Option";
import * as References from "effect/References";
import * as Schema from "effect/Schema";
import type { PeerFailure } from "../../src/model/peer.ts";
import * as Need from "../../src/need/mod.ts";
import { ask } from "./ask.ts";
import { accept, type Handler, told } from "./kit.ts";
import { after, begin, call, patient, peerOf, type Replies, talk } from "./live_kit.ts";
import { hostTurns } from "./time.ts";

const both = { concurrency: 2 } as const;
const now = { startImmediately: true } as const;
const sample = Need.sample("s", { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 1 });

const clientError = (code: number, message = "no"): Effect.Effect<never, PeerFailure> =>
  Effect.fail({ _tag: "ClientError", code, message });
const unreachable: Effect.Effect<never, PeerFailure> = Effect.fail({
  _tag: "Unreachable",
  reason: "The stream of the call was closed",
});

describe("questions", () => {
  test("live: concurrent needs are concurrent requests, and each answer lets its own fiber go on", async () => {
    const peer = patient();
    const ended: Array<string> = [];
    const note = (key: string) => Effect.tap(ask(key), () => Effect.sync(() => void ended.push(key)));
    await Effect.runPromise(Effect.gen(function* () {
      const call = yield* begin(Effect.all([note("a"), note("b"), note("c")], { concurrency: 3 }), peer);
      assertEquals(peer.asked, ["a", "b", "c"]);
      for (const [i, key] of ["b", "c", "a"].entries()) {
        peer.answer(key);
        yield* hostTurns(2);
        assertEquals(ended, ["b", "c", "a"].slice(0, i + 1));
      }
      yield* Fiber.join(call);
    }));
  });

  test("live: the handler runs once, however many questions it asks", async () => {
    let runs = 0;
    const handler = Effect.andThen(Effect.sync(() => runs++), Effect.forEach(["1", "2", "3"], (key) => ask(key)));
    assertEquals(await call(handler, peerOf()), 'ok ["1","2","3"]');
    assertEquals(runs, 1);
  });

  test("live: equal needs share one request, which stays while one of them waits", async () => {
    const peer = patient();
    const signal = Deferred.makeUnsafe<string>();
    const handler = Effect.all([ask("a"), Effect.race(ask("a"), Deferred.await(signal)), ask("a")], { concurrency: 3 });
    const end = await Effect.runPromise(Effect.gen(function* () {
      const call = yield* begin(handler, peer);
      Deferred.doneUnsafe(signal, Effect.succeed("left"));
      yield* hostTurns(5);
      assertEquals(peer.withdrawn, []);
      peer.answer("a");
      return yield* Fiber.join(call);
    }));
    assert(end._tag === "Complete");
    assertEquals([told(end.exit), peer.asked], ['ok ["a","left","a"]', ["a"]]);
  });

  test("live: the last one who leaves withdraws the question, and whoever asks later puts it anew", async () => {
    const peer = patient();
    const signal = Deferred.makeUnsafe<string>();
    const lost = Effect.race(Effect.all([ask("a"), ask("a")], both), Deferred.await(signal));
    const end = await Effect.runPromise(Effect.gen(function* () {
      const call = yield* begin(Effect.andThen(lost, ask("a")), peer);
      Deferred.doneUnsafe(signal, Effect.succeed("left"));
      yield* hostTurns(5);
      assertEquals([peer.asked, peer.withdrawn], [["a", "a"], ["a"]]);
      peer.answer("a");
      return yield* Fiber.join(call);
    }));
    assert(end._tag === "Complete");
    assertEquals(told(end.exit), 'ok "a"');
  });

  test("live: two who race for the same answer get one, and the loser is interrupted", async () => {
    const peer = peerOf();
    assertEquals(await call(Effect.race(ask("a"), ask("a")), peer), 'ok "a"');
    assertEquals([peer.asked, peer.withdrawn], [["a"], []]);
  });

  test("G10: a need whose fiber leaves in the same breath is never put", async () => {
    for (
      const handler of [
        Effect.race(ask("a"), Effect.succeed(1)),
        Effect.raceFirst(ask("a"), Effect.fail("x")),
        Effect.all([ask("a"), Effect.fail("x")], both),
        Effect.as(Effect.forkChild(ask("a"), now), 1),
        Effect.all([ask("a"), ask("a", "other")], both),
      ] as ReadonlyArray<Handler>
    ) {
      const peer = peerOf();
      await call(handler, peer);
      assertEquals([peer.asked, peer.withdrawn], [[], []]);
    }
  });

  test("G6: what is open when the handler ends is withdrawn, and a late answer changes nothing", async () => {
    const peer = patient();
    const handler = Effect.andThen(Effect.forkDetach(ask("a"), now), Effect.andThen(hostTurns(3), Effect.succeed(1)));
    assertEquals(await call(handler, peer), "ok 1");
    assertEquals([peer.asked, peer.withdrawn], [["a"], ["a"]]);
    peer.answer("a");
  });
});

describe("answers", () => {
  test("B12: an answer that is not valid is asked again at once, with the reason before the message", async () => {
    const invalid = { action: "accept", content: { v: 7 } };
    const peer = peerOf((key, times) => Effect.succeed(times < 3 ? invalid : accept(key, times)));
    assertEquals(await call(Effect.all([ask("a"), ask("b")], both), peer), 'ok ["a","b"]');
    assertEquals(peer.asked.toSorted(), ["a", "a", "a", "b", "b", "b"]);
    const messages = peer.questions.map(({ params }) => (params as { readonly message: string }).message);
    const again = (key: string) => `The last answer cannot be used: "v" must be a text\n\n? ${key}`;
    const expected = ["a", "b"].flatMap((key) => [`? ${key}`, again(key), again(key)]);
    assertEquals(messages.toSorted(), expected.toSorted());
  });

  test("maxRounds: a question whose answers are never valid is put 8 times, and the error names it (B19)", async () => {
    const peer = peerOf(() => Effect.succeed({ name: "bare" }));
    const handler = Effect.catchCause(ask("a"), () => Effect.succeed("caught"));
    assertEquals(
      await call(handler, peer),
      'broken The call reached its limit of 8 rounds; still asked: "a"',
    );
    assertEquals(peer.asked.length, 8);
  });

  test("maxRounds: counts over passes", async () => {
    const cell = Need.state("n", { schema: Schema.Number, initial: 0 });
    const peer = peerOf((key, times) => Effect.succeed(times % 2 === 1 ? "bad" : accept(key, times)));
    // Another question under the same key in each pass: three are put twice, the fourth once.
    const handler = Effect.flatMap(
      cell.get,
      (n) => Effect.andThen(ask("a", `question ${n}`), Effect.andThen(cell.set(n + 1), Need.again)),
    );
    assertEquals(
      await call(handler, peer, { live: { maxRounds: 4 } }),
      'broken The call reached its limit of 4 rounds; still asked: "a"',
    );
    assertEquals(peer.asked.length, 7);
  });

  test("rule 2: no is an answer; whoever asks again under the same key gets it again", async () => {
    const peer = peerOf(after(1, () => ({ action: "decline" })));
    assertEquals(await call(Effect.retry(ask("a"), { times: 3 }), peer), "fail Declined a");
    assertEquals(peer.asked, ["a"]);
  });

  test("B33: a client that refuses to sample is a typed outcome, remembered like an answer", async () => {
    const peer = peerOf(() => clientError(-1, "User rejected sampling request"));
    const handler = sample.pipe(
      Effect.retry({ times: 3 }),
      Effect.catchTag("Refused", ({ key, reason }) => Effect.succeed(`${key}: ${reason}`)),
    );
    const refused = "s: The client answered with error -1: User rejected sampling request";
    assertEquals(await call(handler, peer), `ok "${refused}"`);
    assertEquals(peer.asked, ["s"]);
    assertEquals(await call(Need.optional(sample), peerOf(() => clientError(-32000))), "fail Refused s");
  });

  test("B24: a client that declares elicitation and then knows no such method cannot be asked", async () => {
    const peer = () => peerOf(() => clientError(-32601, "Method not found"));
    const reason = "The client answered with error -32601: Method not found";
    const end = await Effect.runPromise(talk(Effect.catchCause(ask("a"), () => Effect.void), peer()));
    assertEquals(end, { _tag: "Unaskable", missing: [], key: "a", reason });
    const attempted = Need.attempt(ask("a").pipe(Effect.asVoid)).pipe(
      Effect.catchTag("Unanswerable", (error) => Effect.succeed(error.reason)),
    );
    assertEquals(await call(attempted, peer()), `ok "${reason}"`);
    assertEquals(await call(Effect.map(Need.optional(ask("a")), Option.isNone), peer()), "ok true");
    // Not a refusal: the client does not know how to say no to what it does not know.
    assertEquals(await call(Effect.ignore(sample), peer()), "lacks ");
  });

  test("B22: nothing but a yes confirms", async () => {
    for (
      const replies of [
        () => Effect.succeed({ action: "decline" }),
        () => Effect.succeed({ action: "cancel" }),
        () => Effect.succeed({ action: "accept", content: { ok: false } }),
        () => clientError(-32601),
        () => clientError(-32603),
        () => unreachable,
        () => Effect.succeed({ action: "accept" }),
        () => Effect.die("broken"),
      ] as ReadonlyArray<Replies>
    ) {
      let dropped = 0;
      const handler = Effect.flatMap(
        Need.confirm("drop", "Drop it?"),
        (sure) => sure ? Effect.sync(() => dropped++) : Effect.void,
      );
      const services = Context.make(References.MinimumLogLevel, "None");
      await call(Effect.catchCause(handler, () => Effect.void), peerOf(replies), { services });
      assertEquals(dropped, 0);
    }
  });
});

describe("what cannot be asked", () => {
  const path = { cannotSay: () => "There is no way to the client: it has no session" };

  test("B35: without a way to the client a call ends at once, and nobody is asked", async () => {
    const peer = peerOf(() => Effect.never, path);
    const handler = Effect.catchCause(Effect.all([ask("a"), ask("b")], both), () => Effect.void);
    assertEquals(await Effect.runPromise(talk(handler, peer)), {
      _tag: "Unaskable",
      missing: [],
      key: "a",
      reason: "There is no way to the client: it has no session",
    });
    assertEquals(peer.asked, []);
  });

  test("live: all that is in the way is named, capabilities first", async () => {
    const peer = peerOf(after(1), {
      capabilities: { elicitation: {} },
      cannotSay: ({ method }) => method === "roots/list" ? "2025-03-26 has no words for this" : undefined,
    });
    const handler = Effect.all([Need.roots(), sample, ask("a")], { concurrency: 3 });
    assertEquals(await Effect.runPromise(talk(handler, peer)), {
      _tag: "Unaskable",
      missing: ["sampling"],
      key: "roots",
      reason: "The client does not declare sampling; 2025-03-26 has no words for this",
    });
  });

  test("B35: a stream that is lost ends what waits for it, or the attempt around it", async () => {
    const attempted = Need.attempt(Effect.asVoid(ask("a"))).pipe(
      Effect.catchTag("Unanswerable", ({ message }) => Effect.succeed(message)),
    );
    assertEquals(
      await call(attempted, peerOf(() => unreachable)),
      `ok ${JSON.stringify('Cannot ask "a": The stream of the call was closed')}`,
    );
    assertEquals(await call(Effect.exit(ask("a")), peerOf(() => unreachable)), "lacks ");
  });

  test("attempt: a question without an answer interrupts what is inside, whose other questions are withdrawn", async () => {
    const seen: Array<string> = [];
    const note = (what: string) => Effect.sync(() => void seen.push(what));
    const inside = Effect.ensuring(
      Effect.all([ask("slow"), Effect.catchCause(ask("bad"), () => note("caught")), ask("bad")], { concurrency: 3 }),
      note("closed"),
    );
    const peer = peerOf((key) =>
      key === "bad" ? clientError(-32603) : key === "slow" ? Effect.never : after(1)(key, 1)
    );
    const handler = Need.attempt(inside).pipe(
      Effect.catchTag("Unanswerable", ({ key }) => Effect.map(ask("b"), (b) => `${key} ${b}`)),
    );
    assertEquals(await call(handler, peer), 'ok "bad b"');
    assertEquals([seen, peer.asked, peer.withdrawn], [["closed"], ["slow", "bad", "b"], ["slow"]]);
  });

  test("attempt: a need that got no answer is not put again", async () => {
    const peer = peerOf(() => clientError(-32603));
    const tried = Effect.map(Need.optional(Effect.asVoid(ask("a"))), Option.isNone);
    assertEquals(
      await call(Effect.all([tried, Effect.map(Need.optional(ask("a")), Option.isNone)]), peer),
      "ok [true,true]",
    );
    assertEquals(peer.asked, ["a"]);
  });

  test("supports: says what the connection can carry, not only what the client declared", async () => {
    const base = peerOf();
    const peer = { ...base, peer: { ...base.peer, supports: (capability: string) => capability === "roots" } };
    const handler = Effect.all([Need.supports("roots"), Need.supports("elicitation.form")]);
    assertEquals(await call(handler, peer), "ok [true,false]");
    assertEquals(await call(ask("a"), peer), "lacks elicitation.form");
  });

  test("live: a peer that breaks ends the question, not the server", async () => {
    const logged: Array<unknown> = [];
    const logger = Logger.make(({ message }) => logged.push(message));
    const services = Context.make(Logger.CurrentLoggers, new Set([logger]));
    const peer = peerOf(() => Effect.die(new Error("boom")));
    assertEquals(await Effect.runPromise(talk(ask("a"), peer, { services })), {
      _tag: "Unaskable",
      missing: [],
      key: "a",
      reason: "The question could not be put",
    });
    assertEquals(logged.length, 1);
  });
});
