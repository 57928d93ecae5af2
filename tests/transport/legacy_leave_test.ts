/** Clients of older revisions that leave, come back, or want no answer any more. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { Call, McpServer, Need, Tool } from "@needful/mcp";
import { Client, notification, outcome, read, settle, tool, withAsking, withHost } from "./legacy_kit.ts";

const text = (message: { result: { content: ReadonlyArray<{ text: string }> } }) => message.result.content[0]!.text;

describe("the client goes", () => {
  test("disconnect: of a stream lets the call run on, and it is taken up again behind the last event (B57)", () =>
    withAsking(async ({ fetch }, { ran }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("chain"));
      const [prime, asked] = [await stream.event(), await stream.event()];
      assertEquals(prime!.message, undefined);
      await stream.leave();
      assertEquals(await client.accept(asked!.message, { name: "Ada" }), 202);
      await settle();
      assertEquals(ran, []);
      // What was asked meanwhile is there, and what was seen is not sent again
      const resumed = await client.listen(asked!.id);
      const ok = await resumed.event();
      assertEquals(ok!.message.params.message, "Is it Ada?");
      await client.accept(ok!.message, { ok: true });
      assertEquals(text(await resumed.next()), "Ada: true");
      assertEquals(await resumed.next(), undefined);
      // From the beginning: all of it, for as long as it is kept
      const again = await client.listen(prime!.id);
      assertEquals((await again.rest()).length, 3);
    }));

  test("disconnect: of a connection that waits for JSON lets the handler run on, but nobody can be asked (B35, B57)", () =>
    withHost(leaving.server, async ({ fetch }) => {
      const client = await Client.open(fetch);
      const gone = new AbortController();
      const response = client.post(tool("leave"), {}, gone.signal).then(read).catch(() => undefined);
      await Effect.runPromise(Deferred.await(leaving.begun));
      gone.abort();
      await settle();
      await Effect.runPromise(Deferred.succeed(leaving.go, undefined));
      await response;
      assertEquals(await Effect.runPromise(Deferred.await(leaving.end)), "cannot ask");
    }));

  test("disconnect: before 2025-11-25 no stream can be taken up again, so that its questions fail at once (B35)", () =>
    withAsking(async ({ fetch }, { ran }) => {
      const client = await Client.open(fetch, { revision: "2025-06-18" });
      const stream = await client.stream(tool("ask"));
      const event = await stream.event();
      assertEquals(event!.id, undefined);
      await stream.leave();
      await settle();
      assertEquals(ran, ["interrupted"]);
      assertEquals(await client.accept(event!.message, { name: "Ada" }), 202);
      assertEquals(text((await client.send(tool("number"))).last), "7");
    }));

  test("disconnect: what is not taken up again within a minute is given up", () =>
    withAsking(async ({ fetch, pass }, { ran }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("ask"));
      const [, asked] = [await stream.event(), await stream.event()];
      await stream.leave();
      await settle();
      await pass("59 seconds");
      const back = await client.listen(asked!.id);
      await back.leave();
      await settle();
      assertEquals(ran, []);
      await pass("60 seconds");
      assertEquals(outcome(await read(await client.get({ "last-event-id": asked!.id! }))), "400/-32600");
      assertEquals(ran, ["interrupted"]);
    }));

  test("resume: tells a client where it is until something comes, and not to come back once all is said: 204", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("ask"));
      const [, asked] = [await stream.event(), await stream.event()];
      await stream.leave();
      await settle();
      const resumed = await client.listen(asked!.id);
      assertEquals(await resumed.event(), { id: asked!.id, retry: undefined, message: undefined });
      await client.accept(asked!.message, { name: "Ada" });
      const last = await resumed.event();
      assertEquals(await resumed.event(), undefined);
      // What official clients do after a response that is an error: they count results alone
      assertEquals(outcome(await read(await client.get({ "last-event-id": last!.id! }))), "204/empty");
      const cancelled = await client.stream(tool("ask", {}, 7));
      await cancelled.next();
      await client.cancel(7);
      const withdrawn = await cancelled.event();
      assertEquals(outcome(await read(await client.get({ "last-event-id": withdrawn!.id! }))), "204/empty");
    }));

  test("resume: takes nothing but events of this session, and one connection at a time", () =>
    withAsking(async ({ fetch }) => {
      const [ada, bob] = [await Client.open(fetch), await Client.open(fetch)];
      const stream = await ada.stream(tool("ask"));
      const [, asked] = [await stream.event(), await stream.event()];
      const id = asked!.id!;
      for (const behind of [id.replace(/.$/, "9"), `${id}x`, "1", "x.y.z", ".1.1"]) {
        assertEquals(outcome(await read(await ada.get({ "last-event-id": behind }))), "400/-32600", behind);
      }
      assertEquals(outcome(await read(await bob.get({ "last-event-id": id }))), "400/-32600");
      const second = await ada.listen(id);
      assertEquals(await stream.next(), undefined, "The older connection is closed");
      await ada.accept(asked!.message, { name: "Ada" });
      assertEquals(text(await second.next()), "Hello Ada");
    }));

  test("Call.disconnect: primes, tells when to come back, closes, and runs on (2025-11-25, SEP-1699)", () =>
    withHost(polling, async ({ fetch, pass }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("poll"));
      const [prime, retry] = [await stream.event(), await stream.event()];
      assertEquals([prime!.message, retry!.retry], [undefined, 1000]);
      assertEquals(await stream.event(), undefined);
      const resumed = await client.listen(prime!.id);
      await pass("1 seconds");
      assertEquals(text(await resumed.next()), "polled");
    }));

  test("Call.disconnect: does nothing in older revisions, for clients that take no streams and without sessions", async () => {
    await withHost(polling, async ({ fetch, pass }) => {
      for (
        const [speech, accept] of [
          [{ revision: "2025-06-18" }, "application/json, text/event-stream"],
          [{ revision: "2025-11-25" }, "application/json"],
        ] as const
      ) {
        const reply = (await Client.open(fetch, speech)).send(tool("poll"), { accept });
        await settle();
        await pass("1 seconds");
        assertEquals([(await reply).streamed, text((await reply).last)], [false, "polled"]);
      }
    });
  });
});

const leaving = (() => {
  const [begun, go] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()];
  const end = Deferred.makeUnsafe<string>();
  const handler = Effect.fnUntraced(function* () {
    yield* Deferred.succeed(begun, undefined);
    yield* Deferred.await(go);
    const sure = yield* Need.optional(Need.confirm("sure", "Sure?"));
    yield* Deferred.succeed(end, sure._tag === "None" ? "cannot ask" : "asked");
    return "";
  });
  const tools = [Tool.make("leave", { description: "Asks late", handler })];
  return { begun, go, end, server: McpServer.make({ name: "leaving", version: "1", tools }) };
})();

const polling = McpServer.make({
  name: "polling",
  version: "1",
  tools: [
    Tool.make("poll", {
      description: "Lets its client go",
      handler: () => Call.disconnect.pipe(Effect.andThen(Effect.sleep("1 second")), Effect.as("polled")),
    }),
  ],
});

describe("cancelled", () => {
  test("cancel: of a running call interrupts it, and it is not answered (B56)", () =>
    withAsking(async ({ fetch }, { ran, waiting }) => {
      const client = await Client.open(fetch);
      const reply = client.send(tool("wait", {}, 7));
      await Effect.runPromise(Deferred.await(waiting));
      for (const id of ["7", 8, null, 7.5]) assertEquals(await client.cancel(id), 202);
      assertEquals((await client.send(notification("cancelled", "x"))).status, 400);
      await settle();
      assertEquals(ran, []);
      assertEquals(await client.cancel(7), 202);
      const { messages, status } = await reply;
      assertEquals([status, messages, ran], [200, [], ["interrupted"]]);
      assertEquals(await client.cancel(7), 202);
      assertEquals(text((await client.send(tool("number", {}, 7))).last), "7");
    }));

  test("cancel: of a call that asks withdraws the question on the same stream, and ends it (B19, B56)", () =>
    withAsking(async ({ fetch }, { ran }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("ask", {}, 7));
      const who = await stream.next();
      assertEquals(await client.cancel(7), 202);
      const withdrawn = await stream.next();
      assertEquals([withdrawn.method, withdrawn.params.requestId], ["notifications/cancelled", who.id]);
      assertEquals([await stream.next(), ran], [undefined, ["interrupted"]]);
      assertEquals(await client.accept(who, { name: "Ada" }), 202);
      assertEquals(text((await client.send(tool("number", {}, 7))).last), "7");
    }));

  test("cancel: is of one session, and of one call among many", () =>
    withAsking(async ({ fetch }) => {
      const [ada, bob] = [await Client.open(fetch), await Client.open(fetch)];
      const [one, two, three] = [
        await ada.stream(tool("ask", {}, 1)),
        await ada.stream(tool("ask", {}, 2)),
        await bob.stream(tool("ask", {}, 1)),
      ];
      const [, second, third] = [await one.next(), await two.next(), await three.next()];
      await ada.cancel(1);
      assertEquals((await one.rest()).length, 1);
      await ada.accept(second, { name: "Ada" });
      await bob.accept(third, { name: "Bob" });
      assertEquals([text(await two.next()), text(await three.next())], ["Hello Ada", "Hello Bob"]);
    }));

  test("DELETE: in the middle of a call interrupts it and closes its stream (B19)", () =>
    withAsking(async ({ fetch }, { ran }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("ask", {}, 7));
      await stream.next();
      const waiting = client.send(tool("wait"));
      await settle();
      assertEquals((await client.delete()).status, 204);
      const [withdrawn, ended] = await stream.rest();
      assertEquals([withdrawn.method, ended.id, ended.error.code], ["notifications/cancelled", 7, -32600]);
      assertEquals(outcome(await waiting), "404/-32600");
      assertEquals(ran, ["interrupted", "interrupted"]);
    }));
});
