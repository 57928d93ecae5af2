/** Calls of older revisions over HTTP: the stream of a call, what goes on it, and how it is taken up again. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Catalog } from "@needful/mcp";
import { Client, outcome, settle, tool, withAsking } from "./legacy_kit.ts";

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
