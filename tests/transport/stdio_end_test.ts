/** Subscriptions over a channel of lines, the end of its two directions, and a client that does not read (B60, B67). */
import { describe, test } from "node:test";
import { setImmediate } from "node:timers";
import { assert, assertEquals } from "@std/assert";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { Call, Catalog, McpServer, Tool } from "@needful/mcp";
import { fixture, type Wire } from "./fixture.ts";
import { call, cancelled, modern, textOf, withLine } from "./stdio_kit.ts";

const subscriptionId = "io.modelcontextprotocol/subscriptionId";

const listen = (id: string | number, notifications: Record<string, unknown>): Wire =>
  modern(id, "subscriptions/listen", { notifications });

/** One turn of the host, in which everything that is ready runs. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const extra = Tool.make("extra", { description: "Joins later", handler: () => Effect.succeed("here") });

describe("subscriptions/listen (B60)", () => {
  test("serve: tells several subscriptions of their own changes, on the one channel", () =>
    withLine(fixture().server, async ({ change, next, pass, rest, send }) => {
      send(listen(0, { toolsListChanged: true }), listen("0", { promptsListChanged: true, toolsListChanged: true }));
      for (
        const [id, notifications] of [[0, ["toolsListChanged"]], ["0", ["toolsListChanged", "promptsListChanged"]]]
      ) {
        const { method, params } = await next();
        assertEquals([method, params._meta[subscriptionId]], ["notifications/subscriptions/acknowledged", id]);
        assertEquals(Object.keys(params.notifications).sort(), [...notifications as Array<string>].sort());
      }
      await change(Catalog.replaceTool(extra));
      await change(Catalog.removePrompt("greet"));
      await pass("100 millis");
      const told = await Promise.all([next(), next(), next()]);
      assertEquals(told.map(({ method, params }) => [method, params._meta[subscriptionId]]), [
        ["notifications/tools/list_changed", 0],
        ["notifications/tools/list_changed", "0"],
        ["notifications/prompts/list_changed", "0"],
      ]);
      // The client ends one of them: nothing more is sent for it
      send(cancelled(0), modern(5, "server/discover"));
      assertEquals((await next()).id, 5);
      await change(Catalog.replaceTool(extra));
      await pass("100 millis");
      assertEquals((await next()).params._meta[subscriptionId], "0");
      assertEquals(rest(), []);
    }));

  const ends = (messages: ReadonlyArray<Wire>, id: string | number): void => {
    const [result, over] = messages;
    assertEquals([result.id, result.result.resultType, result.result._meta[subscriptionId]], [id, "complete", id]);
    assertEquals([over.method, over.params.requestId], ["notifications/cancelled", id]);
  };

  test("serve: ends subscriptions in order when the input ends: result, then notifications/cancelled", () =>
    withLine(fixture().server, async ({ end, ended, next, rest, send, take }) => {
      send(listen(1, { toolsListChanged: true }), listen("b", { toolsListChanged: true }));
      await take(2);
      end();
      ends(await take(2), 1);
      ends(await take(2), "b");
      assertEquals(await next(), undefined);
      assertEquals((await ended)._tag, "Success");
      assertEquals(rest(), []);
    }));

  test("serve: ends subscriptions in order when the server is stopped, and tells calls so", () => {
    const { events, server, waiting } = fixture();
    return withLine(server, async ({ next, send, stop, take }) => {
      send(listen(1, { toolsListChanged: true }), call(2, "wait"));
      await next();
      await Effect.runPromise(Deferred.await(waiting));
      stop();
      ends(await take(2), 1);
      const refused = await next();
      assertEquals([refused.id, refused.error.code], [2, -32603]);
      assertEquals(await next(), undefined);
      assertEquals(events, ["interrupted"]);
    });
  });

  test("serve: ends at once what nothing is honoured of, and what lived its lifetime", () =>
    withLine(fixture().server, async ({ pass, send, take }) => {
      send(listen(1, {}));
      const [acknowledged, ...rest] = await take(3);
      assertEquals(acknowledged.params.notifications, {});
      ends(rest, 1);
      send(listen(2, { toolsListChanged: true }));
      await take(1);
      await pass("1 minutes");
      ends(await take(2), 2);
    }, { subscriptions: { lifetime: "1 minute" } }));
});

describe("the end (B67)", () => {
  test("serve: lets calls in flight finish when the input ends", () => {
    const { release, server } = fixture();
    return withLine(server, async ({ end, ended, next, send }) => {
      send(modern(1, "server/discover"), call(2, "wait"));
      end();
      assertEquals((await next()).id, 1);
      await Effect.runPromise(Deferred.succeed(release, undefined));
      assertEquals(textOf(await next()), "released");
      assertEquals((await ended)._tag, "Success");
    });
  });

  test("serve: interrupts calls that do not finish within `drainWithin`, and says so", () => {
    const { events, server } = fixture();
    return withLine(server, async ({ end, ended, next, pass, rest, send }) => {
      send(call(1, "wait"), call(2, "echo", { text: "x" }));
      end();
      assertEquals((await next()).id, 2);
      await pass("2999 millis");
      assertEquals([events, rest()], [["echo"], []]);
      await pass("1 millis");
      const refused = await next();
      assertEquals([refused.id, refused.error.message], [1, "The server is stopping"]);
      assertEquals((await ended)._tag, "Success");
      assertEquals(events, ["echo", "interrupted"]);
    }, { drainWithin: "3 seconds" });
  });

  test("serve: leaves behind what does not end by being interrupted", () => {
    const stubborn = Tool.make("stubborn", {
      description: "Does not end",
      handler: () => Effect.as(Effect.uninterruptible(Effect.never), "never"),
    });
    const server = McpServer.make({ name: "stubborn", version: "1", tools: [stubborn] });
    return withLine(server, async ({ end, ended, next, pass, send }) => {
      send(call(1, "stubborn"), modern(2, "server/discover"));
      assertEquals((await next()).id, 2);
      end();
      await Effect.runPromise(Effect.yieldNow);
      await pass("5 seconds");
      assertEquals((await next()).error.message, "The server is stopping");
      await pass("1 seconds");
      await pass("1 seconds");
      assertEquals((await ended)._tag, "Success");
    });
  });

  test("serve: ends quietly, and interrupts its calls, when nobody reads what it writes", () => {
    const { events, server, waiting } = fixture();
    return withLine(server, async ({ ended, hangUp, send }) => {
      send(call(1, "wait"));
      await Effect.runPromise(Deferred.await(waiting));
      hangUp();
      send(call(2, "echo", { text: "x" }));
      assertEquals((await ended)._tag, "Success");
      assertEquals(events, ["echo", "interrupted"]);
    });
  });
});

describe("a client that does not read", () => {
  test("serve: drops notices, keeps replies, and reads no further until it is read", () => {
    const text = "x".repeat(3 * 1_048_576);
    const noisy = Tool.make("noisy", {
      description: "Logs",
      handler: () => Effect.as(Call.log("info", "noise"), text),
    });
    const server = McpServer.make({ name: "noisy", version: "1", tools: [noisy] });
    return withLine(server, async ({ hold, next, send, unread }) => {
      hold(true);
      const level = { "io.modelcontextprotocol/logLevel": "debug" };
      for (let id = 1; id <= 20; id++) {
        send(call(id, "noisy", {}, level));
        await Effect.runPromise(Effect.yieldNow);
      }
      // Each reply is as long as three million characters: six of them are more than 16 Mi
      for (let i = 0; i < 1_000 && unread() !== 14; i++) await turn();
      assertEquals(unread(), 14);
      hold(false);
      const ids: Array<unknown> = [];
      let logs = 0;
      while (ids.length < 20) {
        const message = await next();
        if (message.id === undefined) logs++;
        else ids.push(message.id);
      }
      assertEquals(ids, Array.from({ length: 20 }, (_, index) => index + 1));
      assert(logs >= 1 && logs < 20, `${logs} log messages came`);
    });
  });

  test("serve: acknowledges a subscription however far behind the client is (2026-07-28, subscriptions)", () => {
    const tool = Tool.make("long", { handler: () => Effect.succeed("x".repeat(2 * 1_048_576)) });
    const server = McpServer.make({ name: "long", version: "1", tools: [tool] });
    return withLine(server, async ({ change, hold, pass, send, take }) => {
      hold(true);
      send(call(1, "long"), listen(2, { toolsListChanged: true }), listen(3, {}), modern(4, "server/discover"));
      for (let i = 0; i < 10; i++) await turn();
      hold(false);
      const messages = await take(6);
      const acknowledged = "notifications/subscriptions/acknowledged";
      assertEquals(messages.map(({ id, method }) => id ?? method), [
        1,
        acknowledged,
        acknowledged,
        3,
        "notifications/cancelled",
        4,
      ]);
      assertEquals(messages.slice(1, 3).map(({ params }) => params._meta[subscriptionId]), [2, 3]);
      await change(Catalog.replaceTool(extra));
      await pass("100 millis");
      const [{ method, params }] = await take(1);
      assertEquals([method, params._meta[subscriptionId]], ["notifications/tools/list_changed", 2]);
    });
  });

  test("serve: ends a subscription whose changes it cannot send any more", () => {
    const text = "x".repeat(2 * 1_048_576);
    const tool = Tool.make("long", { description: "Long", handler: () => Effect.succeed(text) });
    const server = McpServer.make({ name: "long", version: "1", tools: [tool] });
    return withLine(server, async ({ change, hold, pass, send, take }) => {
      send(listen(1, { toolsListChanged: true }));
      await take(1);
      hold(true);
      send(call(2, "long"));
      for (let i = 0; i < 10; i++) await turn();
      await change(Catalog.replaceTool(extra));
      await pass("100 millis");
      hold(false);
      const messages = await take(3);
      assertEquals(messages.map(({ id, method }) => id ?? method), [2, 1, "notifications/cancelled"]);
    });
  });
});

describe("what is left to write at the end", () => {
  /** A reply of 40 pieces, whose reader takes none of them unless it is told to. */
  const long = Tool.make("long", { description: "Long", handler: () => Effect.succeed("x".repeat(40 * 65_536)) });
  const server = McpServer.make({ name: "long", version: "1", tools: [long] });

  test("serve: is written to a slow reader as long as it reads", () =>
    withLine(server, async ({ end, ended, hold, next, pass, send, waiting }) => {
      hold(true);
      send(call(1, "long"));
      end();
      await waiting();
      for (let i = 0; i < 45; i++) {
        await pass("4 seconds");
        hold(false);
        hold(true);
        await waiting();
      }
      assertEquals(textOf(await next()).length, 40 * 65_536);
      assertEquals((await ended)._tag, "Success");
    }));

  test("serve: is given up when its reader does not read for `drainWithin`", () =>
    withLine(server, async ({ end, ended, hold, pass, rest, send, waiting }) => {
      hold(true);
      send(call(1, "long"));
      end();
      await waiting();
      await pass("5 seconds");
      await turn();
      await pass("1 seconds");
      assertEquals((await ended)._tag, "Success");
      assertEquals(rest(), []);
    }));
});
