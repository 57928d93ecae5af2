/** Live calls from their start to their end: rounds and passes, and the caller (DESIGN.md, section 5). */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Call from "../../src/need/call.ts";
import * as Need from "../../src/need/mod.ts";
import { start } from "../../src/run/journal.ts";
import { ask } from "./ask.ts";
import { type Handler, told } from "./kit.ts";
import { begin, call, patient, peerOf, talk } from "./live_kit.ts";
import { hostTurns } from "./time.ts";

const both = { concurrency: 2 } as const;
const now = { startImmediately: true } as const;

describe("caps and passes", () => {
  test("maxRounds of a flow: a chain of 15 questions is answered, the 16th ends the call and is named", async () => {
    const chain = (length: number) => Effect.forEach(Array.from({ length }, (_, i) => `k${i}`), (key) => ask(key));
    const peer = peerOf();
    assertEquals((await call(chain(15), peer)).slice(0, 7), 'ok ["k0');
    assertEquals(
      await call(Effect.exit(chain(16)), peerOf()),
      'broken The call reached its limit of 16 rounds; still asked: "k15"',
    );
  });

  test("maxRounds of a flow: questions that are open at the same time count as one", async () => {
    const many = (length: number) => Array.from({ length }, (_, i) => ask(`k${i}`));
    assertEquals((await call(Effect.all(many(50), { concurrency: "unbounded" }), peerOf())).slice(0, 3), "ok ");
    // One after the other out of a branch that holds a round open is one round too.
    const branch = Effect.forEach(Array.from({ length: 20 }, (_, i) => `b${i}`), (key) => ask(key));
    const held = Need.all([branch, Effect.andThen(hostTurns(100), ask("late"))]);
    assertEquals((await call(held, peerOf())).slice(0, 3), "ok ");
  });

  test("flow: its round counts as in a flow that suspends", async () => {
    const round = Effect.map(Need.flow, ({ round }) => round);
    const cell = Need.state("n", { schema: Schema.Number, initial: 0 });
    const handler = Effect.gen(function* () {
      const rounds = [yield* round];
      yield* Effect.all([ask("a"), ask("b")], both);
      rounds.push(yield* round);
      yield* ask("c");
      rounds.push(yield* round);
      const n = yield* cell.get;
      if (n === 0) return yield* Effect.andThen(cell.set(1), Need.again);
      return rounds;
    });
    assertEquals(await call(handler, peerOf()), "ok [4,4,4]");
  });

  test("maxPasses: a handler starts again 8 times, not 9", async () => {
    const counted = (times: number) => {
      const cell = Need.state("n", { schema: Schema.Number, initial: 0 });
      return Effect.flatMap(
        cell.get,
        (n): Handler => n === times ? Effect.succeed(n) : Effect.andThen(cell.set(n + 1), Need.again),
      );
    };
    assertEquals(await call(counted(8), peerOf()), "ok 8");
    assertEquals(
      await call(counted(9), peerOf()),
      "broken The call reached its limit: a handler may start again 8 times",
    );
  });

  test("again: takes effect when no question is open and no step runs, and keeps the answers", async () => {
    const peer = patient();
    const cell = Need.state("n", { schema: Schema.Number, initial: 0 });
    const step = Deferred.makeUnsafe<void>();
    const passes: Array<number> = [];
    const handler = Effect.gen(function* () {
      const n = yield* cell.get;
      passes.push(n);
      const restart = n === 1 ? Effect.succeed("end") : Effect.andThen(cell.set(n + 1), Need.again);
      return yield* Effect.all([ask("a"), Need.once("step", Deferred.await(step), Schema.Void), restart], {
        concurrency: 3,
      });
    });
    const end = await Effect.runPromise(Effect.gen(function* () {
      const call = yield* begin(handler, peer);
      peer.answer("a");
      yield* hostTurns(5);
      assertEquals(passes, [0]);
      Deferred.doneUnsafe(step, Effect.void);
      return yield* Fiber.join(call);
    }));
    assert(end._tag === "Complete");
    assertEquals([told(end.exit), passes, peer.asked], ['ok ["a",null,"end"]', [0, 1], ["a"]]);
  });

  test("live: a journal with answers, cells and steps is taken up where it stands", async () => {
    const peer = peerOf();
    const journal = {
      ...start("flow"),
      round: 3,
      steps: new Map([["s", { _tag: "Success", value: "kept" } as const]]),
    };
    const handler = Effect.all([
      Need.once("s", Effect.succeed("new"), Schema.String),
      Effect.map(Need.flow, ({ id, round }) => `${id} ${round}`),
    ]);
    assertEquals(await call(handler, peer, { journal }), 'ok ["kept","flow 3"]');
  });
});

describe("the caller", () => {
  test("B56: a cancelled call withdraws its questions and runs the handler's finalizers before it is over", async () => {
    const seen: Array<string> = [];
    const note = (what: string) => Effect.sync(() => void seen.push(what));
    const peer = patient();
    const handler = Effect.ensuring(
      Effect.catchCause(Effect.all([ask("a"), Effect.uninterruptible(ask("b"))], both), () => note("caught")),
      Effect.andThen(hostTurns(2), Effect.flatMap(Need.isSuspending, (is) => note(`closed ${is}`))),
    );
    await Effect.runPromise(Effect.gen(function* () {
      const call = yield* begin(handler, peer);
      yield* Fiber.interrupt(call);
      assertEquals(seen, ["closed false"]);
    }));
    assertEquals(peer.withdrawn.toSorted(), ["a", "b"]);
    peer.answer("a");
  });

  test("live: after the end no verb acts, and nothing is put", async () => {
    const peer = patient();
    const told: Array<string> = [];
    const tail = Effect.uninterruptible(
      Effect.andThen(
        Effect.catchCause(ask("a"), () => Call.progress({ progress: 1 })),
        Effect.andThen(Call.disconnect, ask("late")),
      ),
    );
    await Effect.runPromise(Effect.gen(function* () {
      const call = yield* Effect.forkChild(talk(tail, peer, { notify: ({ _tag }) => told.push(_tag) }), now);
      yield* hostTurns(5);
      yield* Fiber.interrupt(call);
    }));
    assertEquals([told, peer.asked, peer.withdrawn, peer.signs.disconnected], [[], ["a"], ["a"], 0]);
  });

  test("Call.disconnect: is for the connection to do, and the call runs on", async () => {
    const peer = peerOf();
    assertEquals(await call(Effect.andThen(Call.disconnect, ask("a")), peer), 'ok "a"');
    assertEquals(peer.signs.disconnected, 1);
  });

  test("Call.info, progress and log: reach the client of the call", async () => {
    const told: Array<string> = [];
    const handler = Effect.gen(function* () {
      yield* Call.progress({ progress: 1 });
      yield* ask("a");
      yield* Call.log("info", "on");
      return Option.map(yield* Call.info, ({ era, revision }) => `${era} ${revision}`).pipe(Option.getOrNull);
    });
    assertEquals(await call(handler, peerOf(), { notify: ({ _tag }) => told.push(_tag) }), 'ok "legacy 2025-11-25"');
    assertEquals(told, ["Progress", "Log"]);
  });

  test("live: commits are handed out with the result, not run", async () => {
    let committed = 0;
    const handler = Effect.andThen(Need.onCommit(Effect.sync(() => committed++)), ask("a"));
    const end = await Effect.runPromise(talk(handler, peerOf()));
    assert(end._tag === "Complete" && Exit.isSuccess(end.exit));
    assertEquals([end.commits.length, committed], [1, 0]);
  });

  test("outcome: failures and defects of the handler are its own", async () => {
    assertEquals(await call(Effect.andThen(ask("a"), Effect.fail("boom")), peerOf()), "fail boom");
    assertEquals(await call(Effect.andThen(ask("a"), Effect.die("boom")), peerOf()), "die boom");
    assertEquals(await call(Effect.interrupt, peerOf()), "interrupted");
  });
});
