import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Sessions from "../../../src/era/session.ts";
import { form, multipleFields, roots, url } from "../legacy/fixtures.ts";
import { ready, recorder, run } from "./help.ts";

describe("peer", () => {
  test("peer: supports what the client declared, the revision can say and the stream can carry", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make());
      const sink = recorder();
      const stream = session.stream(() => sink);
      const { supports } = Sessions.peer(session, stream, () => {});
      const all = ["elicitation.form", "elicitation.url", "sampling", "sampling.tools", "roots"] as const;
      assertEquals(all.filter(supports), ["elicitation.form", "elicitation.url", "sampling", "roots"]);
      stream.keepAlive();
      stream.lost(sink);
      assertEquals(supports("roots"), true);
      stream.forget();
      assertEquals(all.filter(supports), []);
      const unheard = Sessions.peer(session, session.stream(undefined), () => {});
      assertEquals(all.filter(unheard.supports), []);
    })));

  test("peer: says why a question cannot be put, the revision first", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make(), { revision: "2025-06-18" });
      const stream = session.stream(() => recorder());
      const { cannotSay } = Sessions.peer(session, stream, () => {});
      assertEquals([cannotSay(form({})), cannotSay(roots)], [undefined, undefined]);
      stream.lost(undefined);
      const revision = "Protocol revision 2025-06-18 has no";
      assertEquals(cannotSay(url), `${revision} elicitation by URL`);
      assertEquals(cannotSay(form(multipleFields)), `${revision} multiple choice, which "several" is`);
      assertEquals(cannotSay(roots), "There is no open stream to the client");
      session.close();
      assertEquals(cannotSay(roots), "The session has ended");
    })));

  test("peer: asks, completes and disconnects on the stream of its call", () =>
    run(Effect.gen(function* () {
      const session = yield* ready(yield* Sessions.make({ retry: "2 seconds" }));
      const sink = recorder();
      let alive = 0;
      const stream = session.stream(() => sink);
      const peer = Sessions.peer(session, stream, () => alive++);
      const fiber = yield* Effect.tap(Effect.forkChild(peer.ask(roots, "key")), () => Effect.yieldNow);
      session.answer({ id: 1, reply: { _tag: "Result", result: 1 } });
      assertEquals(yield* Effect.exit(Fiber.join(fiber)), Exit.succeed<unknown>(1));
      peer.complete("interaction-1");
      peer.alive();
      yield* peer.disconnect;
      const shown = sink.log.map((text) => text.startsWith("{") ? JSON.parse(text).method : text);
      const notice = "notifications/elicitation/complete";
      assertEquals(shown, ["prime", "roots/list", notice, "retry 2000", "close"]);
      assertEquals(alive, 1);
    })));

  test("unreachable: cannot be asked anything, and says why (B35)", () =>
    run(Effect.gen(function* () {
      const peer = Sessions.unreachable("There are no sessions");
      assertEquals([peer.supports("roots"), peer.cannotSay(roots)], [false, "There are no sessions"]);
      const exit = yield* Effect.exit(peer.ask(roots, "key"));
      assertEquals(exit, Exit.fail({ _tag: "Unreachable", reason: "There are no sessions" }));
      peer.complete("i");
      yield* peer.disconnect;
    })));
});
