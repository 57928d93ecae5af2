import * as Effect from "effect/Effect";
import * as TestClock from "effect/testing/TestClock";
import { describe, test } from "node:test";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import * as EventId from "../../../src/era/session/event_id.ts";
import * as Sessions from "../../../src/era/session.ts";
import { ready, recorder, run } from "./help.ts";

/** 2025-11-25, basic/transports, "Sending Messages to the Server" and "Resumability and Redelivery". */
describe("stream", () => {
  test("stream: is not opened until something is sent, and begins with an id (2025-11-25)", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const sink = recorder();
      const stream = session.stream(() => sink);
      assertEquals([stream.opened, sink.log], [false, []]);
      assert(stream.offer("a"));
      assert(stream.end("b"));
      assertEquals([stream.opened, sink.log], [true, ["prime", "a", "b", "close"]]);
    })));

  test("stream: has no ids before 2025-11-25", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      for (const revision of ["2025-06-18", "2025-03-26"]) {
        const session = yield* ready(sessions, { revision });
        const sink = recorder();
        const stream = session.stream(() => sink);
        stream.offer("a");
        stream.disconnect();
        stream.end("b");
        assertEquals([sink.log, sink.ids], [["- a", "- b", "close"], []]);
      }
    })));

  test("end: without anything sent leaves the reply to the transport", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const sink = recorder();
      const stream = session.stream(() => sink);
      assert(stream.end());
      assertEquals(sink.log, []);
      assertEquals([stream.offer("a"), stream.write("a"), stream.end("a")], [false, false, false]);
      assertEquals(session.busy, false);
    })));

  test("stream: to a client that takes none sends nothing", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const stream = session.stream(undefined);
      stream.keepAlive();
      assertEquals([stream.offer("a"), stream.write("a"), stream.opened], [false, false, false]);
    })));

  test("keepAlive: opens the stream", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const sink = recorder();
      session.stream(() => sink).keepAlive();
      assertEquals(sink.log, ["prime", "alive"]);
    })));

  test("offer: drops what a client far behind would have to wait for; write does not", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const sink = recorder();
      const stream = session.stream(() => sink);
      sink.behind = true;
      assertEquals([stream.offer("a"), stream.write("b"), stream.offer("c")], [false, true, false]);
      assertEquals(sink.log, ["prime", "b"]);
      // What was dropped is not kept for later either
      const later = recorder();
      assert(session.resume(sink.ids[0]!, later) === stream);
      assertEquals(later.log, ["b"]);
    })));
});

describe("resume", () => {
  test("resume: sends what came after the event, and goes on", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const first = recorder();
      const stream = session.stream(() => first);
      for (const message of ["a", "b", "c"]) stream.offer(message);
      stream.lost(first);
      assert(stream.offer("d"));
      const second = recorder();
      assert(session.resume(first.ids[1]!, second) === stream);
      stream.end("e");
      assertEquals(second.log, ["b", "c", "d", "e", "close"]);
      assertEquals(second.ids.slice(0, 2), first.ids.slice(2));
    })));

  test("resume: gives the reply of a call that ended meanwhile, and closes", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const first = recorder();
      const stream = session.stream(() => first);
      stream.disconnect();
      assertEquals(first.log, ["prime", "retry 1000", "close"]);
      stream.end("reply");
      for (const _ of [1, 2]) {
        const again = recorder();
        assert(session.resume(first.ids[0]!, again) === stream);
        assertEquals(again.log, ["reply", "close"]);
      }
      assertEquals(session.busy, false);
    })));

  test("resume: takes over from a connection that is not known to be lost", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const first = recorder();
      const stream = session.stream(() => first);
      stream.offer("a");
      const second = recorder();
      session.resume(first.ids[0]!, second);
      stream.lost(first);
      stream.offer("b");
      assertEquals(first.log, ["prime", "a", "close"]);
      assertEquals(second.log, ["a", "b"]);
    })));

  test("resume: is possible for resumeWithin, and then is not", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make({ resumeWithin: "60 seconds" }));
      const open = () => {
        const sink = recorder();
        const stream = session.stream(() => sink);
        stream.offer("a");
        stream.lost(sink);
        return { stream, id: sink.ids[0]! };
      };
      const { id, stream } = open();
      yield* TestClock.adjust("59 seconds");
      const sink = recorder();
      assert(session.resume(id, sink) === stream);
      yield* TestClock.adjust("10 minutes");
      assert(stream.offer("b"));
      stream.lost(sink);
      yield* TestClock.adjust("61 seconds");
      assertEquals(session.resume(id, recorder()), undefined);
      assertEquals([stream.offer("c"), stream.write("c")], [false, false]);
    })));

  test("resume: keeps to the session and the stream that the id was made for", () =>
    run(Effect.gen(function* () {
      const sessions = yield* Sessions.make();
      const [one, other] = [yield* ready(sessions), yield* ready(sessions)];
      const sinks = [recorder(), recorder()];
      const streams = sinks.map((sink) => one.stream(() => sink));
      streams.forEach((stream, index) => stream.offer(`for ${index}`));
      const foreign = recorder();
      other.stream(() => foreign).offer("foreign");
      streams.forEach((stream, index) => stream.lost(sinks[index]));
      assertEquals(other.resume(sinks[0]!.ids[0]!, recorder()), undefined);
      const again = recorder();
      assert(one.resume(sinks[1]!.ids[0]!, again) === streams[1]);
      assertEquals(again.log, ["for 1"]);
      const all = [...sinks, foreign].flatMap(({ ids }) => ids);
      assertEquals(new Set(all).size, all.length);
    })));

  test("resume: refuses ids that were never given out", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const sink = recorder();
      const stream = session.stream(() => sink);
      stream.offer("a");
      const { tag } = session;
      assert(tag !== undefined);
      const wrong = [
        "",
        "x",
        tag,
        `${tag}.1`,
        `${tag}.1.1.1`,
        `${tag}.1.99`,
        `${tag}.2.1`,
        `${tag}.01.1`,
        `${tag}.1.-1`,
        `x.1.1`,
      ];
      for (const id of wrong) assertEquals(session.resume(id, recorder()), undefined, id);
    })));

  test("store: forgets streams that have ended, and then the oldest notices, but nothing that must arrive", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make({ maxStored: 1_000 }));
      const [ended, running] = [recorder(), recorder()];
      session.stream(() => ended).end("x".repeat(300));
      const stream = session.stream(() => running);
      stream.write("ask");
      for (let index = 0; index < 10; index++) stream.offer(`${index}`.padEnd(100, "."));
      assertEquals(session.resume(ended.ids[0]!, recorder()), undefined);
      stream.lost(running);
      stream.end("reply".padEnd(2_000, "!"));
      const again = recorder();
      session.resume(running.ids[0]!, again);
      // 1,000 characters, of which each message costs its own and 100 more: the reply alone has more
      assertEquals(again.log.map((message) => message.slice(0, 5)), ["ask", "reply", "close"]);
    })));

  test("store: keeps as many notices as fit", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make({ maxStored: 1_000 }));
      const sink = recorder();
      const stream = session.stream(() => sink);
      for (let index = 0; index < 100; index++) stream.offer(`${index}`.padEnd(100, "."));
      const again = recorder();
      session.resume(sink.ids[0]!, again);
      assertEquals(again.log.map((message) => Number.parseInt(message)), [95, 96, 97, 98, 99]);
    })));
});

describe("event id", () => {
  test("event id: is read back, and only in its own session", () => {
    const place = { stream: 35, event: 1_000_000 };
    const id = EventId.make("tag-_1", place);
    assertEquals(EventId.read("tag-_1", id), place);
    assertEquals(EventId.read("tag-_2", id), undefined);
    assertNotEquals(EventId.make("tag-_1", { ...place, event: 1 }), id);
    // A header can hold it (RFC 9110, section 5.5)
    assert(/^[\x21-\x7e]+$/.test(id));
  });
});
