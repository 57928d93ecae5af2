import * as Effect from "effect/Effect";
import * as TestClock from "effect/testing/TestClock";
import { memoryUsage } from "node:process";
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Sessions from "../../../src/era/session.ts";
import { type Fault, isFault } from "../../../src/model/fault.ts";
import { anonymous, principal } from "../../../src/model/principal.ts";
import { asking, conversation, ready, recorder, run } from "./help.ts";

const status = (found: Sessions.Session | Fault): number => isFault(found) ? found.status : 200;

describe("find", () => {
  test("find: gives a session by its id; 400 without one, 404 for one that is not (B37)", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      const session = yield* ready(sessions);
      assert(sessions.find(session.id, anonymous) === session);
      const statuses = [undefined, "", "nope", `${session.id} `, "__proto__"].map((id) =>
        status(sessions.find(id, anonymous))
      );
      assertEquals(statuses, [400, 400, 404, 404, 404]);
      session.close();
      assertEquals(status(sessions.find(session.id, anonymous)), 404);
    })));

  test("find: says without an id what a client may do, in either era: the first call by hand comes here", () =>
    run(Effect.gen(function* () {
      const found = (yield* Sessions.make()).find(undefined, anonymous);
      assertEquals(
        isFault(found) && found.message,
        "The header Mcp-Session-Id is missing: begin with initialize, or speak 2026-07-28 and name it in the _meta of every " +
          "request (io.modelcontextprotocol/protocolVersion)",
      );
    })));

  test("find: gives a session to whom it belongs only, whatever their token is (B43)", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      const session = yield* ready(sessions, { principal: principal("a", { token: 1 }) });
      const open = yield* ready(sessions);
      const others = [principal("b"), anonymous, { ...principal("a"), authenticated: false }];
      assertEquals(others.map((other) => status(sessions.find(session.id, other))), [404, 404, 404]);
      assertEquals(status(sessions.find(open.id, principal("anonymous"))), 404);
      assert(sessions.find(session.id, principal("a", { token: 2 })) === session);
    })));

  test("open: makes ids that nobody can guess, of visible ASCII (2025-11-25, basic/transports)", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      const all = yield* Effect.forEach(Array.from({ length: 1_000 }), () => ready(sessions));
      assertEquals(new Set(all.map(({ id }) => id)).size, 1_000);
      // 144 bits, as base64url
      assert(all.every(({ id }) => /^[\w-]{24}$/.test(id)));
      assertEquals(new Set(all.map(({ tag }) => tag)).size, 1_000);
    })));

  test("open: shares nothing between sessions", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      const [one, other] = [yield* ready(sessions), yield* ready(sessions, { revision: "2025-06-18" })];
      one.level = "debug";
      one.subscribe("a:b");
      one.begin(1, () => {});
      assertEquals([other.level, other.subscriptions.size, other.busy, other.begin(1, () => {})], [
        undefined,
        0,
        false,
        true,
      ]);
      assertEquals([one.revision.name, other.revision.name], ["2025-11-25", "2025-06-18"]);
    })));
});

describe("idle", () => {
  const idle = "30 minutes";

  test("idle: ends a session that is not used, from its last use on", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make({ idle });
      const [used, unused] = [yield* ready(sessions), yield* ready(sessions)];
      yield* TestClock.adjust("20 minutes");
      sessions.find(used.id, anonymous);
      yield* TestClock.adjust("10 minutes");
      assertEquals([used.closed, unused.closed, sessions.size], [false, true, 1]);
      assertEquals(status(sessions.find(unused.id, anonymous)), 404);
      yield* TestClock.adjust("20 minutes");
      assertEquals([used.closed, sessions.size], [true, 0]);
    })));

  test("idle: is not prolonged by others who try the id", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make({ idle });
      const session = yield* ready(sessions, { principal: principal("a") });
      yield* TestClock.adjust("20 minutes");
      sessions.find(session.id, principal("b"));
      yield* TestClock.adjust("10 minutes");
      assertEquals(session.closed, true);
    })));

  test("idle: is no session with a stream, a request or a question (B38)", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make({ idle });
      const [streaming, running, asks] = [yield* ready(sessions), yield* ready(sessions), yield* ready(sessions)];
      const sink = recorder();
      const stream = streaming.listen(sink);
      running.begin(1, () => {});
      const call = recorder();
      const fiber = yield* asking(asks, asks.stream(() => call));
      yield* TestClock.adjust("1 day");
      assertEquals([streaming.closed, running.closed, asks.closed], [false, false, false]);
      stream.lost(sink);
      running.finish(1);
      yield* TestClock.adjust("29 minutes");
      assertEquals([streaming.closed, running.closed], [false, false]);
      yield* TestClock.adjust("1 minute");
      assertEquals([streaming.closed, running.closed, asks.closed], [true, true, false]);
      fiber.interruptUnsafe();
    })));

  test("idle: ends sessions that were never said to be ready too", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make({ idle });
      yield* sessions.open(conversation(), anonymous);
      yield* TestClock.adjust("30 minutes");
      assertEquals(sessions.size, 0);
    })));
});

describe("max", () => {
  test("max: evicts the oldest that was never ready, then the one that is idle longest (design, section 9)", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make({ max: 4 });
      const first = yield* ready(sessions);
      const bare = [yield* sessions.open(conversation(), anonymous), yield* sessions.open(conversation(), anonymous)];
      const last = yield* ready(sessions);
      sessions.find(first.id, anonymous);
      const closed = (): ReadonlyArray<boolean> =>
        [...bare, last, first].map((session) => !isFault(session) && session.closed);
      const seen = [closed()];
      for (let opened = 0; opened < 4; opened++) {
        yield* ready(sessions);
        seen.push(closed());
      }
      assertEquals(seen, [
        [false, false, false, false],
        [true, false, false, false],
        [true, true, false, false],
        [true, true, true, false],
        [true, true, true, true],
      ]);
      assertEquals(sessions.size, 4);
    })));

  test("max: refuses with 503 where all are busy, and takes one again when one is not", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make({ max: 2 });
      const [one, other] = [yield* ready(sessions), yield* ready(sessions)];
      one.begin(1, () => {});
      other.listen(recorder());
      assertEquals(status(yield* sessions.open(conversation(), anonymous)), 503);
      one.finish(1);
      assertEquals(status(yield* sessions.open(conversation(), anonymous)), 200);
      assertEquals([one.closed, other.closed], [true, false]);
    })));

  test("max: holds under many that only begin, which cost no session that is in use (B38)", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make({ max: 100 });
      const used = yield* Effect.forEach(Array.from({ length: 50 }), () => ready(sessions));
      for (let count = 0; count < 10_000; count++) yield* sessions.open(conversation(), anonymous);
      assertEquals([sessions.size, used.filter(({ closed }) => closed).length], [100, 0]);
    })));
});

describe("cost", () => {
  test("shutdown: ends all sessions", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      const all = [yield* ready(sessions), yield* ready(sessions)];
      yield* sessions.shutdown;
      assertEquals([sessions.size, ...all.map(({ closed }) => closed)], [0, true, true]);
    })));

  test("sessions: hold no timer where there is none, so that a process can end", async () => {
    const { pending, restore } = timers();
    const holds = Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      assertEquals(pending(), 0);
      const session = yield* ready(sessions);
      assertEquals(pending(), 1);
      const sink = recorder();
      session.stream(() => sink).end("x");
      yield* sessions.shutdown;
      assertEquals(pending(), 0);
    });
    await Effect.runPromise(Effect.ensuring(holds, Effect.sync(restore)));
  });

  test("session: costs an idle server no more than 8 KiB (design, section 13)", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      const count = 5_000;
      const before = memoryUsage().heapUsed;
      for (let opened = 0; opened < count; opened++) {
        const session = yield* ready(sessions);
        const sink = recorder();
        session.begin(1, () => {});
        session.stream(() => sink).end();
        session.finish(1);
      }
      // What is not collected yet counts too
      assert((memoryUsage().heapUsed - before) / count < 8_192);
      assertEquals(sessions.size, count);
    })));
});

/** Counts the host's timers. */
const timers = (): { readonly pending: () => number; readonly restore: () => void } => {
  const { clearTimeout, setTimeout } = globalThis;
  const running = new Set<unknown>();
  globalThis.setTimeout = ((callback: () => void, millis?: number) => {
    const timer = setTimeout(() => {
      running.delete(timer);
      callback();
    }, millis);
    running.add(timer);
    return timer;
  }) as typeof setTimeout;
  globalThis.clearTimeout = ((timer: number) => {
    running.delete(timer);
    clearTimeout(timer);
  }) as typeof clearTimeout;
  return {
    pending: () => running.size,
    restore: () => void Object.assign(globalThis, { clearTimeout, setTimeout }),
  };
};
