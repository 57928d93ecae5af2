import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as TestClock from "effect/testing/TestClock";
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Sessions from "../../../src/era/session.ts";
import type { Change } from "../../../src/model/change.ts";
import { isFault } from "../../../src/model/fault.ts";
import { anonymous } from "../../../src/model/principal.ts";
import { form, url } from "../legacy/fixtures.ts";
import { ask, asking, conversation, ready, recorder, run } from "./help.ts";

const result = (id: string | number, value: unknown = { roots: [] }) =>
  ({ id, reply: { _tag: "Result", result: value } }) as const;

const lostStream = { _tag: "Unreachable", reason: "The stream to the client is lost" } as const;
const listChanged: Change = { _tag: "ListChanged", kind: "tools" };

describe("ask", () => {
  test("ask: goes out on the stream of its call, and gives what the client replies (B34)", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const [post, get] = [recorder(), recorder()];
      session.listen(get);
      const stream = session.stream(() => post);
      const fiber = yield* asking(session, stream);
      assertEquals(get.log, ["prime"]);
      assertEquals(post.log.map((text) => text.slice(0, 1)), ["p", "{"]);
      assertEquals(JSON.parse(post.log[1]!), { jsonrpc: "2.0", id: 1, method: "roots/list" });
      assert(session.answer(result(1)));
      assertEquals(yield* Fiber.join(fiber), { result: { roots: [] } });
    })));

  test("ask: has ids of its own, several at a time, each with its own reply", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const sink = recorder();
      const stream = session.stream(() => sink);
      const fibers = [yield* asking(session, stream), yield* asking(session, stream), yield* asking(session, stream)];
      assertEquals(sink.log.slice(1).map((text) => JSON.parse(text).id), [1, 2, 3]);
      for (const id of [3, 1, 2]) assert(session.answer(result(id, id)));
      const replies = yield* Effect.forEach(fibers, Fiber.join);
      assertEquals(replies, [1, 2, 3].map((id) => ({ result: id })));
    })));

  test("answer: knows the ids that wait, by their type, once, and not those of other sessions (B35)", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      const [session, other] = [yield* ready(sessions), yield* ready(sessions)];
      const sink = recorder();
      const fiber = yield* asking(session, session.stream(() => sink));
      assertEquals([session.answer(result("1")), session.answer(result(2)), other.answer(result(1))], [
        false,
        false,
        false,
      ]);
      assertEquals([session.answer(result(1)), session.answer(result(1))], [true, false]);
      assertEquals(yield* Fiber.join(fiber), { result: { roots: [] } });
    })));

  test("answer: gives an error of the client's as that", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const fiber = yield* asking(session, session.stream(() => recorder()));
      session.answer({ id: 1, reply: { _tag: "Error", code: -32601, message: "Method not found" } });
      assertEquals(yield* Fiber.join(fiber), { _tag: "ClientError", code: -32601, message: "Method not found" });
    })));

  const refused = (
    revision: string,
    prepare: (session: Sessions.Session) => Sessions.Stream,
    question = form({}),
  ): Effect.Effect<unknown> =>
    Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make(), { revision });
      const answer = yield* ask(session, prepare(session), question);
      return "reason" in answer ? answer.reason : answer;
    });

  test("ask: fails at once where there is no way to the client (B35)", () =>
    run(Effect.gen(function* () {
      const none = "There is no open stream to the client";
      assertEquals(yield* refused("2025-11-25", (session) => session.stream(undefined)), none);
      const left = yield* refused("2025-06-18", (session) => {
        const sink = recorder();
        const stream = session.stream(() => sink);
        stream.offer("a");
        stream.lost(sink);
        return stream;
      });
      assertEquals(left, none);
      const early = yield* refused("2025-11-25", (session) => {
        const stream = session.stream(() => recorder());
        stream.lost(undefined);
        return stream;
      });
      assertEquals(early, none);
    })));

  test("ask: fails at once in a revision that cannot say it, and sends nothing", () =>
    run(Effect.gen(function* () {
      const sink = recorder();
      const reason = yield* refused("2025-03-26", (session) => session.stream(() => sink));
      assertEquals([reason, sink.log], ["Protocol revision 2025-03-26 has no elicitation", []]);
    })));

  test("ask: waits for nobody that is not ready (design, section 9)", () =>
    run(Effect.gen(function* () {
      const session = yield* (yield* Sessions.make()).open(conversation(), anonymous);
      assert(!isFault(session));
      const sink = recorder();
      const stream = session.stream(() => sink);
      const reason = "The client has not sent notifications/initialized yet";
      assertEquals(yield* ask(session, stream, form({})), { _tag: "Unreachable", reason });
      assertEquals(sink.log, []);
      session.initialized();
      yield* asking(session, stream);
      assertEquals(sink.log.length, 2);
    })));

  test("ask: is withdrawn by an interruption, and a late reply is ignored", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const sink = recorder();
      const fiber = yield* asking(session, session.stream(() => sink));
      yield* Fiber.interrupt(fiber);
      const { method, params } = JSON.parse(sink.log[2]!);
      assertEquals([method, params.requestId], ["notifications/cancelled", 1]);
      assertEquals(session.answer(result(1)), false);
    })));

  test("ask: outlives its connection for resumeWithin, and is put again to a client that comes back", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const first = recorder();
      const stream = session.stream(() => first);
      const early = yield* asking(session, stream);
      stream.lost(first);
      const late = yield* asking(session, stream);
      yield* TestClock.adjust("59 seconds");
      const second = recorder();
      session.resume(first.ids[0]!, second);
      assertEquals(second.log.map((text) => JSON.parse(text).id), [1, 2]);
      session.answer(result(1, "a"));
      session.answer(result(2, "b"));
      assertEquals(yield* Effect.forEach([early, late], Fiber.join), [
        { result: "a" },
        { result: "b" },
      ]);
    })));

  test("ask: is lost when its stream is, after resumeWithin or at once without ids; others are not", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      for (const [revision, within] of [["2025-11-25", "60 seconds"], ["2025-06-18", 0]] as const) {
        const session = yield* ready(sessions, { revision });
        const sinks = [recorder(), recorder()];
        const [gone, kept] = sinks.map((sink) => session.stream(() => sink));
        const [lost, waiting] = [yield* asking(session, gone!), yield* asking(session, kept!)];
        gone!.lost(sinks[0]);
        yield* TestClock.adjust(within);
        assertEquals(yield* Fiber.join(lost), lostStream);
        session.answer(result(2));
        assertEquals(yield* Fiber.join(waiting), { result: { roots: [] } });
      }
    })));

  test("elicitationComplete: tells the client that has a word for it", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      for (const revision of ["2025-11-25", "2025-06-18"]) {
        const session = yield* ready(sessions, { revision });
        const sink = recorder();
        const stream = session.stream(() => sink);
        if (revision === "2025-11-25") {
          const fiber = yield* asking(session, stream, url);
          session.answer(result(1, { action: "accept" }));
          yield* Fiber.join(fiber);
        }
        session.elicitationComplete(stream, "interaction-1");
        const methods = sink.log.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text).method);
        const expected = ["elicitation/create", "notifications/elicitation/complete"];
        assertEquals(methods, revision === "2025-11-25" ? expected : []);
      }
    })));
});

describe("requests", () => {
  test("begin: refuses an id that is in use, by its type (design, section 9)", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const cancel = (): void => {};
      assertEquals([session.begin(1, cancel), session.begin(1, cancel), session.begin("1", cancel)], [
        true,
        false,
        true,
      ]);
      session.finish(1);
      assertEquals(session.begin(1, cancel), true);
    })));

  test("cancel: reaches the request with the id, by its type, once (B56)", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      let cancelled = 0;
      session.begin(7, () => cancelled++);
      for (const id of ["7", 8, 6]) session.cancel(id);
      assertEquals(cancelled, 0);
      session.cancel(7);
      session.cancel(7);
      assertEquals(cancelled, 1);
      session.finish(7);
      session.cancel(7);
      assertEquals([cancelled, session.busy], [1, false]);
    })));
});

describe("listen", () => {
  test("listen: takes over from the stream before, and each change goes to one (B41)", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      assertEquals(session.change(listChanged), false);
      const sinks = [recorder(), recorder(), recorder()];
      for (const sink of sinks) session.listen(sink);
      assert(session.change(listChanged));
      const message = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      assertEquals(sinks.map(({ log }) => log), [["prime", "close"], ["prime", "close"], ["prime", message]]);
      const [last] = [...sinks].reverse();
      session.listen(recorder());
      assertEquals(last!.log.at(-1), "close");
      assertEquals(new Set(sinks.flatMap(({ ids }) => ids)).size, 4);
    })));

  test("listen: is taken up again after its last event, however late", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make({ idle: "1 day" }));
      const first = recorder();
      const stream = session.listen(first);
      stream.lost(first);
      assert(session.change(listChanged));
      yield* TestClock.adjust("10 seconds");
      const second = recorder();
      assert(session.resume(first.ids[0]!, second) === stream);
      assertEquals(second.log.length, 1);
      stream.lost(second);
      yield* TestClock.adjust("1 hour");
      assertEquals(session.change(listChanged), false);
      const third = recorder();
      assert(session.resume(second.ids[0]!, third) === stream);
      assertEquals([third.log, third.ids], [["prime"], second.ids]);
      assert(session.change(listChanged));
    })));

  test("watch: lasts as long as there is a stream for changes", () =>
    run(Effect.gen(function* () {
      const events: Array<string> = [];
      const watch = (session: Sessions.Session): Sessions.Watch => {
        events.push("watch");
        return {
          subscribed: () => events.push([...session.subscriptions].join(" ")),
          close: () => events.push("close"),
        };
      };
      const session = yield* ready(yield* Sessions.make({ watch, maxSubscriptions: 2 }));
      assert(session.subscribe("a:1"));
      assertEquals(events, []);
      const sinks = [recorder(), recorder()];
      session.listen(sinks[0]!);
      const stream = session.listen(sinks[1]!);
      assertEquals(events, ["watch"]);
      assertEquals([session.subscribe("a:2"), session.subscribe("a:2"), session.subscribe("a:3")], [true, true, false]);
      session.unsubscribe("a:1");
      session.unsubscribe("a:1");
      stream.lost(sinks[1]);
      assertEquals(events, ["watch", "a:1 a:2", "a:2"]);
      yield* TestClock.adjust("60 seconds");
      assertEquals(events.at(-1), "close");
      session.listen(recorder());
      session.close();
      assertEquals(events.slice(3), ["close", "watch", "close"]);
    })));
});

describe("close", () => {
  test("close: cancels requests, loses questions, closes streams, once", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      const session = yield* ready(sessions);
      const [get, post, unopened] = [recorder(), recorder(), recorder()];
      let cancelled = 0;
      session.begin(1, () => cancelled++);
      session.listen(get);
      const fiber = yield* asking(session, session.stream(() => post));
      const late = session.stream(() => unopened);
      session.close();
      session.close();
      assertEquals(yield* Fiber.join(fiber), { _tag: "Unreachable", reason: "The session has ended" });
      assertEquals([cancelled, get.log.at(-1), post.log.at(-1)], [1, "close", "close"]);
      assertEquals([session.closed, session.begin(2, () => {}), late.offer("a"), unopened.log], [
        true,
        false,
        false,
        [],
      ]);
      session.finish(1);
      assertEquals(sessions.size, 0);
    })));
});

describe("alone", () => {
  test("alone: holds a conversation on one channel that no stream closes", () =>
    run(Effect.gen(function* () {
      const sent: Array<string> = [];
      const session = Sessions.alone(conversation("2024-11-05"));
      const sink = Sessions.channel((message) => sent.push(message) > 0);
      session.initialized();
      session.listen(sink);
      const streams = [session.stream(() => sink), session.stream(() => sink)];
      const fibers = yield* Effect.forEach(streams, (stream) => asking(session, stream));
      session.answer(result(2));
      streams[1]!.end("reply 2");
      session.answer(result(1));
      streams[0]!.end("reply 1");
      session.change(listChanged);
      yield* Effect.forEach(fibers, Fiber.join);
      assertEquals(sent.map((text) => text.startsWith("{") ? JSON.parse(text).method : text), [
        "roots/list",
        "roots/list",
        "reply 2",
        "reply 1",
        "notifications/tools/list_changed",
      ]);
      session.close();
    })));
});
