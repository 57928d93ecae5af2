/** Streams of sessions for what belongs to no call, and their end. */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { Auth, Catalog } from "@needful/mcp";
import { type Changes, meta, rpc, send as sendModern } from "./fixture.ts";
import { bare, Client, Events, outcome, read, request, settle, tool, withAsking } from "./legacy_kit.ts";

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

  test("GET: of a client that had left, or leaves while it is asked who it is, takes nothing over", async () => {
    const waiting = Deferred.makeUnsafe<void>();
    const authenticate: Auth.Authenticate = ({ header }) =>
      header("authorization") === undefined
        ? Effect.succeed(Auth.anonymous)
        : Effect.andThen(Deferred.succeed(waiting, undefined), Effect.never);
    for (const options of [{}, { authenticate }]) {
      await withAsking(async ({ change, fetch, pass }) => {
        const client = await Client.open(fetch);
        const live = await client.listen();
        const get = (signal: AbortSignal, changes: Changes = {}) =>
          fetch(new Request(bare("GET", client.headers({ accept: "text/event-stream", ...changes })), { signal }));
        assertEquals((await get(AbortSignal.abort())).status, 499);
        if (options.authenticate !== undefined) {
          const leaving = new AbortController();
          const responding = get(leaving.signal, { authorization: "slow" });
          await Effect.runPromise(Deferred.await(waiting));
          leaving.abort();
          assertEquals((await responding).status, 499);
        }
        await change(Catalog.removeTool("again"));
        await pass("100 millis");
        assertEquals((await live.next())?.method, "notifications/tools/list_changed");
        await live.leave();
      }, options);
    }
  });

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
