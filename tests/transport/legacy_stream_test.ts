/** Calls of older revisions over HTTP: the stream of a call, what goes on it, and how it is taken up again. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { Call, Catalog, McpServer, Need, Tool } from "@needful/mcp";
import { meta, rpc, send as sendModern } from "./fixture.ts";
import {
  Client,
  Events,
  notification,
  outcome,
  read,
  request,
  settle,
  tool,
  withAsking,
  withHost,
} from "./legacy_kit.ts";

const text = (message: { result: { content: ReadonlyArray<{ text: string }> } }) => message.result.content[0]!.text;

describe("the reply to a call", () => {
  test("reply: is JSON where nothing is sent before it, a stream for a client that takes no JSON", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      const call = tool("number");
      const json = await client.send(call);
      assertEquals([json.streamed, json.last.id, text(json.last)], [false, call.id, "7"]);
      const streamed = await client.stream(tool("number"), { accept: "text/event-stream" });
      const [prime, event] = [await streamed.event(), await streamed.event()];
      assertEquals([prime!.message, text(event!.message)], [undefined, "7"]);
      assertEquals(await streamed.event(), undefined);
    }));

  test("reply: to a question goes over a POST of its own, and the result over the stream of the call (B19, B34, B35)", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      const call = tool("chain");
      const stream = await client.stream(call);
      const who = await stream.next();
      assertEquals([who.method, who.params.message], ["elicitation/create", "Who?"]);
      assertEquals(await client.accept(who, { name: "Ada" }), 202);
      const ok = await stream.next();
      assert(ok.id !== who.id, "Ids of questions are never used twice");
      assertEquals(await client.accept(ok, { ok: true }), 202);
      const result = await stream.next();
      assertEquals([result.id, text(result)], [call.id, "Ada: true"]);
      assertEquals(await stream.next(), undefined);
    }));

  test("reply: a question never goes over GET, neither does progress (B34)", () =>
    withAsking(async ({ change, fetch, pass }) => {
      const client = await Client.open(fetch);
      const get = await client.listen();
      const stream = await client.stream(tool("talk", { _meta: { progressToken: "p" } }));
      assertEquals((await stream.next()).method, "notifications/progress");
      await client.accept(await stream.next(), { name: "Ada" });
      assertEquals((await stream.rest()).map(({ method }) => method ?? "result"), ["notifications/progress", "result"]);
      await change(Catalog.removeTool("again"));
      await pass("100 millis");
      assertEquals((await get.next()).method, "notifications/tools/list_changed");
      await get.leave();
    }));

  test("ask: two at once are two requests, answered in any order", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("both"));
      const [who, roots] = [await stream.next(), await stream.next()];
      assertEquals([who.method, roots.method], ["elicitation/create", "roots/list"]);
      await client.answer(roots, { roots: [{ uri: "file:///a" }] });
      await client.accept(who, { name: "Ada" });
      assertEquals(text(await stream.next()), "Ada in file:///a");
    }));

  test("ask: the parameters of another connection's initialize count (B23)", () =>
    withAsking(async ({ fetch }) => {
      const without = await Client.open(fetch, { capabilities: {} });
      const { last } = await without.send(tool("ask"));
      assertEquals(last.result.isError, true);
      assertStringIncludes(text(last), "elicitation");
      const stream = await (await Client.open(fetch)).stream(tool("ask"));
      assertEquals((await stream.next()).method, "elicitation/create");
      await stream.leave();
    }));

  test("ask: a client that answers with Method not found has said nothing, and its session goes on (B24)", () =>
    withAsking(async ({ fetch }, { ran }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("drop"));
      const { id } = await stream.next();
      await client.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
      const { result } = await stream.next();
      assertEquals([result.isError, ran], [true, []]);
      assertStringIncludes(result.content[0].text, "-32601");
      assertEquals(text((await client.send(tool("number"))).last), "7");
    }));

  test("ask: a page has an elicitationId, and its end is told (B19)", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("page"));
      const { id, params } = await stream.next();
      assertEquals([params.mode, params.url], ["url", `https://example.com/${params.elicitationId}`]);
      await client.answer({ id }, { action: "accept" });
      const complete = await stream.next();
      assertEquals([complete.method, complete.params], ["notifications/elicitation/complete", {
        elicitationId: params.elicitationId,
      }]);
      assertEquals(text(await stream.next()), "done");
    }));

  test("ask: an invalid answer is asked again with the reason, 8 times at most (B19)", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("ask"));
      for (let turn = 0; turn < 8; turn++) {
        const { id, params } = await stream.next();
        assertEquals(params.message.endsWith("Who?"), true);
        assertEquals(params.message === "Who?", turn === 0);
        await client.accept({ id }, { name: 7 });
      }
      const { error } = await stream.next();
      assertEquals(error.code, -32603);
      assertStringIncludes(error.message, "who");
    }));

  test("ask: nothing is asked before the client is ready, but requests are served", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch, { ready: false });
      assertEquals(text((await client.send(tool("number"))).last), "7");
      const { last } = await client.send(tool("ask"));
      assertEquals(last.result.isError, true);
      assertStringIncludes(text(last), "notifications/initialized");
      assertEquals(text((await client.send(tool("perhaps"))).last), "nobody");
    }));

  test("ask: fails at once for a client that takes no streams, of which a JSON reply is still made (B35)", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      const { last, streamed } = await client.send(tool("ask"), { accept: "application/json" });
      assertEquals([streamed, last.result.isError], [false, true]);
      assertStringIncludes(text(last), "stream");
    }));

  test("again: rests, and starts once more", () =>
    withAsking(async ({ fetch, pass }) => {
      const client = await Client.open(fetch);
      const reply = client.send(tool("again"));
      await settle();
      await pass("250 millis");
      assertEquals(text((await reply).last), "twice");
    }));
});

describe("who answers", () => {
  test("response: 202 for whatever id, and never for the question of another session (B35, B39)", () =>
    withAsking(async ({ fetch }) => {
      const [ada, bob] = [await Client.open(fetch), await Client.open(fetch)];
      const [one, two] = [await ada.stream(tool("ask")), await bob.stream(tool("ask"))];
      const [who, other] = [await one.next(), await two.next()];
      assertEquals(who.id, other.id, "Each session counts for itself");
      for (const id of [99, "1", "nope"]) assertEquals(await ada.accept({ id }, { name: "x" }), 202);
      assertEquals(await bob.accept(who, { name: "Bob" }), 202);
      assertEquals(text(await two.next()), "Hello Bob");
      assertEquals(await ada.accept(who, { name: "Ada" }), 202);
      assertEquals(text(await one.next()), "Hello Ada");
      // Late, and twice
      assertEquals(await ada.accept(who, { name: "Eve" }), 202);
    }));

  test("request: the same id twice at a time is refused on its own response, and is free again after", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("ask", {}, 7));
      const who = await stream.next();
      assertEquals(outcome(await client.send(tool("number", {}, 7))), "400/-32600");
      assertEquals(text((await client.send(tool("number", {}, "7"))).last), "7");
      await client.accept(who, { name: "Ada" });
      assertEquals(text(await stream.next()), "Hello Ada");
      assertEquals(text((await client.send(tool("number", {}, 7))).last), "7");
    }));
});

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

describe("while a person thinks", () => {
  test("keepAlive: progress on the caller's token every 15 seconds, over what the handler reported; comments too", () =>
    withAsking(async ({ fetch, pass }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("talk", { _meta: { progressToken: 0 } }));
      assertEquals((await stream.next()).params, { progressToken: 0, progress: 1, total: 2, message: "half" });
      const who = await stream.next();
      let last = 1;
      for (let tick = 1; tick <= 20; tick++) {
        await pass("15 seconds");
        const { method, params } = await stream.next();
        assertEquals([method, params.progressToken, params.total], ["notifications/progress", 0, 2]);
        assert(params.progress > last && params.progress < 1.001);
        last = params.progress;
      }
      assertStringIncludes(stream.text, ": keep-alive\n\n");
      await client.accept(who, { name: "Ada" });
      const [half, result] = await stream.rest();
      assertEquals([half.params.progress, text(result)], [1.5, "Ada"]);
    }));

  test("keepAlive: comments for a caller without a token, which no client takes for a message", () =>
    withAsking(async ({ fetch, pass }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("ask"));
      const who = await stream.next();
      await pass("15 seconds");
      assertEquals(await stream.piece(), ": keep-alive\n\n");
      await client.accept(who, { name: "Ada" });
      assertEquals(text(await stream.next()), "Hello Ada");
    }));

  test("roundTimeout: ends the call with an error that says so, and a late answer is ignored", () =>
    withAsking(async ({ fetch, pass }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("ask"));
      const who = await stream.next();
      await pass("10 minutes");
      const withdrawn = await stream.next();
      assertEquals(withdrawn.params.requestId, who.id);
      const { result } = await stream.next();
      assertEquals(result.isError, true);
      assertStringIncludes(result.content[0].text, "timed out");
      assertEquals(await client.accept(who, { name: "Ada" }), 202);
      assertEquals(text((await client.send(tool("number"))).last), "7");
    }));

  test("options: maxRounds, roundTimeout, pacing and keepAlive are the server's to choose", () =>
    withAsking(async ({ fetch, pass }) => {
      const client = await Client.open(fetch);
      const stream = await client.stream(tool("ask", { _meta: { progressToken: 1 } }));
      const who = await stream.next();
      await pass("1 seconds");
      assertEquals((await stream.next()).method, "notifications/progress");
      await client.accept(who, {});
      assertEquals((await stream.next()).error.code, -32603);
      const late = await client.stream(tool("ask"));
      await late.next();
      await pass("2 seconds");
      assertEquals((await late.rest()).at(-1).result.isError, true);
      const again = client.send(tool("again"));
      await settle();
      await pass("5 millis");
      assertEquals(text((await again).last), "twice");
    }, { keepAlive: "1 second", legacy: { maxRounds: 1, roundTimeout: "2 seconds", pacing: 5 } }));
});

describe("the stream for changes", () => {
  test("GET: a second one takes over, the first is closed, and a message goes to exactly one (B41)", () =>
    withAsking(async ({ change, fetch, pass }) => {
      const client = await Client.open(fetch);
      let current = await client.listen();
      for (let turn = 0; turn < 5; turn++) {
        const next = await client.listen();
        assertEquals(await current.next(), undefined);
        current = next;
      }
      const call = await client.stream(tool("ask"));
      await change(Catalog.removeTool("again"));
      await pass("100 millis");
      assertEquals((await current.next()).method, "notifications/tools/list_changed");
      await client.accept(await call.next(), { name: "Ada" });
      assertEquals((await call.rest()).length, 1, "Nothing of it on the stream of the call");
      await current.leave();
    }));

  test("GET: tells of lists, and of the resources that were subscribed to", () =>
    withAsking(async ({ change, fetch }) => {
      const client = await Client.open(fetch);
      // Without a stream, changes are dropped
      await client.send(request("resources/subscribe", { uri: "note://one" }));
      await change(Catalog.resourceUpdated("note://one"));
      const get = await client.listen();
      await change(Catalog.resourceUpdated("note://one"));
      assertEquals(await get.next(), {
        jsonrpc: "2.0",
        method: "notifications/resources/updated",
        params: { uri: "note://one" },
      });
      assertEquals(outcome(await client.send(request("resources/unsubscribe", { uri: "note://one" }))), "200/ok");
      await change(Catalog.resourceUpdated("note://one"));
      assertEquals(outcome(await client.send(request("resources/subscribe", { uri: "note://no" }))), "200/-32002");
      assertEquals((await client.delete()).status, 204);
      assertEquals(await get.rest(), []);
    }));

  test("GET: takes no place from subscriptions of 2026-07-28, and needs none", () =>
    withAsking(async ({ change, fetch }) => {
      const client = await Client.open(fetch);
      await client.send(request("resources/subscribe", { uri: "note://one" }));
      const get = await client.listen();
      const params = { notifications: { toolsListChanged: true } };
      const modern = new Events(await fetch(sendModern(rpc("subscriptions/listen", { _meta: meta(), ...params }))));
      assertEquals((await modern.next()).method, "notifications/subscriptions/acknowledged");
      await change(Catalog.resourceUpdated("note://one"));
      assertEquals((await get.next()).method, "notifications/resources/updated");
      await Promise.all([get.leave(), modern.leave()]);
    }, { subscriptions: { max: 1 } }));

  test("GET: keeps a quiet stream alive with comments, and proxies from holding it back (B61)", () =>
    withAsking(async ({ fetch, pass }) => {
      const client = await Client.open(fetch, { revision: "2025-06-18" });
      const get = await client.listen();
      const { headers } = get.response;
      assertEquals([headers.get("content-type"), headers.get("x-accel-buffering")], ["text/event-stream", "no"]);
      assertStringIncludes(headers.get("cache-control")!, "no-cache");
      await pass("15 seconds");
      assertEquals(await get.piece(), ": keep-alive\n\n");
      await get.leave();
    }));

  test("GET: has to name event streams, 406, and a session (B53)", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      for (const accept of [null, "*/*", "application/json", "text/html,*/*;q=0.8", "text/event-stream;q=0"]) {
        assertEquals(outcome(await read(await client.get({ accept }))), "406/-32600", `${accept}`);
      }
      assertEquals(outcome(await read(await client.get({ "mcp-session-id": null }))), "400/-32600");
      assertEquals(outcome(await read(await client.get({ "mcp-session-id": "nope" }))), "404/-32600");
      assertEquals(outcome(await read(await client.get({ "mcp-protocol-version": "2025-06-18" }))), "400/-32600");
      assertEquals(outcome(await read(await client.get({ "mcp-protocol-version": "2026-07-28" }))), "405/-32600");
    }));
});

describe("shutdown", () => {
  test("dispose: closes streams for changes at once, lets calls finish, ends sessions", () =>
    withAsking(async ({ dispose, fetch }, { ran }) => {
      const client = await Client.open(fetch);
      const [get, call] = [await client.listen(), await client.stream(tool("ask", {}, 7))];
      await call.next();
      await settle();
      const stopped = dispose();
      assertEquals(await get.rest(), []);
      const last = (await call.rest()).at(-1);
      assertEquals([last.id, last.error.message], [7, "The server is stopping"]);
      await stopped;
      assertEquals(ran, ["interrupted"]);
      assertEquals((await fetch(new Request("http://localhost/mcp", { method: "POST" }))).status, 503);
    }));
});
