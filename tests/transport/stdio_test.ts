/** One channel of lines for all requests of a modern client (2026-07-28, basic/transports, stdio; cases B50, B56, B59, B60, B67). */
import { describe, test } from "node:test";
import { setImmediate } from "node:timers";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Call, Catalog, McpServer, Need, Tool } from "@needful/mcp";
import { settings } from "../../src/transport/stdio_options.ts";
import { fixture, type Wire } from "./fixture.ts";
import { call, cancelled, legacy, modern, notification, textOf, withLine } from "./stdio_kit.ts";

const subscriptionId = "io.modelcontextprotocol/subscriptionId";

const listen = (id: string | number, notifications: Record<string, unknown>): Wire =>
  modern(id, "subscriptions/listen", { notifications });

const coded = ({ error, id }: Wire): readonly [unknown, unknown] => [id, error?.code];

/** One turn of the host, in which everything that is ready runs. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const extra = Tool.make("extra", { description: "Joins later", handler: () => Effect.succeed("here") });

describe("messages", () => {
  test("serve: tells what is no message, with the id where it can be read, and serves the next (B50)", () =>
    withLine(fixture().server, async ({ next, send }) => {
      const whole = { jsonrpc: "2.0", id: 7, method: "tools/list" };
      const cases: ReadonlyArray<readonly [unknown, number, (string | number)?]> = [
        ["{bad", -32700],
        ["\ufeff{", -32700],
        ['{"jsonrpc":"2.0","id":1,"method":"tools/list"', -32700],
        ["[]", -32600],
        [[whole], -32600],
        ['"x"', -32600],
        ["1", -32600],
        ["null", -32600],
        ["{}", -32600],
        [{ jsonrpc: "2.0", id: 7 }, -32600, 7],
        [{ ...whole, method: 1 }, -32600, 7],
        [{ ...whole, jsonrpc: "1.0" }, -32600, 7],
        [{ ...whole, params: [] }, -32600, 7],
        [{ ...whole, params: "x", id: "s" }, -32600, "s"],
        [{ ...whole, id: null }, -32600],
        [{ ...whole, id: 1.5 }, -32600],
        [`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, -32600],
      ];
      for (const [message, code, id] of cases) {
        send(message);
        // Section 9: an error whose request's id cannot be read has none
        const answer = await next();
        assertEquals(coded(answer), [id, code], JSON.stringify(message).slice(0, 100));
        assertEquals(Object.hasOwn(answer, "id"), id !== undefined);
      }
      send(call(1, "echo", { text: "still here" }));
      assertEquals(textOf(await next()), "still here");
    }));

  test("serve: refuses bytes that are not UTF-8, and is not confused by them afterwards (B50)", () =>
    withLine(fixture().server, async ({ next, send, write }) => {
      write(new Uint8Array([0x22, 0x97, 0x22, 0x0a]));
      assertEquals(coded(await next()), [undefined, -32700]);
      send(call(1, "echo", { text: "é" }));
      assertEquals(textOf(await next()), "é");
    }));

  test("serve: ignores blank lines, and takes a byte-order mark and CRLF (B64, B65)", () =>
    withLine(fixture().server, async ({ next, rest, send }) => {
      const one = JSON.stringify(call(1, "echo", { text: "\ufeffa\rb" }));
      send(`\ufeff${one}\r`, "", "\r", " \t", JSON.stringify(call(2, "echo", { text: "last" })));
      assertEquals(textOf(await next()), "\ufeffa\rb");
      assertEquals(textOf(await next()), "last");
      assertEquals(rest(), []);
    }));

  test("serve: refuses a line over the limit once, and serves the next", () =>
    withLine(fixture().server, async ({ next, rest, send }) => {
      send(call(1, "echo", { text: "x".repeat(2_000) }), call(2, "echo", { text: "next" }));
      const refused = await next();
      assertEquals(coded(refused), [undefined, -32600]);
      assertStringIncludes(refused.error.message, "1000 bytes");
      assertEquals(textOf(await next()), "next");
      assertEquals(rest(), []);
    }, { maxLine: 1_000 }));

  test("serve: takes what is left at the end of the input for a line", () =>
    withLine(fixture().server, async ({ end, ended, next, rest, write }) => {
      write(new TextEncoder().encode(JSON.stringify(call(1, "echo", { text: "unfinished line" }))));
      end();
      assertEquals(textOf(await next()), "unfinished line");
      await ended;
      assertEquals(rest(), []);
    }));

  test("serve: ignores notifications it does not know, and responses to nothing", () =>
    withLine(fixture().server, async ({ next, rest, send }) => {
      send(
        notification("nope"),
        notification("initialized"),
        { jsonrpc: "2.0", id: 1, result: {} },
        { jsonrpc: "2.0", id: 1, error: { code: -1, message: "no" } },
        call(1, "echo", { text: "next" }),
      );
      assertEquals(textOf(await next()), "next");
      assertEquals(rest(), []);
    }));
});

describe("era (section 9, stdio)", () => {
  test("serve: before initialize answers only ping without a claim, and names _meta for the rest", () =>
    withLine(fixture().server, async ({ next, send }) => {
      send(legacy("p", "ping"));
      assertEquals(await next(), { jsonrpc: "2.0", id: "p", result: {} });
      for (const method of ["tools/list", "server/discover", "logging/setLevel", "nope"]) {
        send(legacy(1, method));
        const refused = await next();
        assertEquals(coded(refused), [1, -32602], method);
        assertStringIncludes(refused.error.message, "_meta");
        assertStringIncludes(refused.error.message, "io.modelcontextprotocol/protocolVersion");
      }
    }));

  test("serve: takes a claim as modern, initialize and ping included (B55)", () =>
    withLine(fixture().server, async ({ next, send }) => {
      for (const method of ["ping", "initialize", "logging/setLevel", "nope/nope"]) {
        send(modern(1, method));
        assertEquals(coded(await next()), [1, -32601], method);
      }
      send({ ...modern(2, "server/discover"), params: { _meta: { ...modern(2, "x").params._meta } } });
      assertEquals((await next()).result.supportedVersions, ["2026-07-28"]);
      const wrong = modern(3, "server/discover");
      wrong.params._meta["io.modelcontextprotocol/protocolVersion"] = "2025-11-25";
      send(wrong);
      const refused = await next();
      assertEquals([refused.error.code, refused.error.data], [-32022, {
        supported: ["2026-07-28"],
        requested: "2025-11-25",
      }]);
      delete wrong.params._meta["io.modelcontextprotocol/clientCapabilities"];
      wrong.params._meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
      send(wrong);
      assertEquals(coded(await next()), [3, -32602]);
    }));

  test("serve: names what it speaks to clients of older revisions where they are refused (B55)", () =>
    withLine(fixture().server, async ({ next, send }) => {
      send(legacy(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {} }));
      const refused = await next();
      assertEquals(refused.error.code, -32022);
      assertEquals(refused.error.data, { supported: ["2026-07-28"], requested: "2025-11-25" });
      assertStringIncludes(refused.error.message, "2026-07-28");
      send(legacy(2, "ping"), legacy(3, "tools/list"));
      assertEquals(coded(await next()), [2, -32602]);
      assertEquals(coded(await next()), [3, -32602]);
      send(modern(4, "tools/list"));
      assertEquals((await next()).id, 4);
    }, { legacy: { mode: "off" } }));

  test("serve: has no headers to compare with, and nothing in a handler's either", () => {
    const seen: Array<unknown> = [];
    const tool = Tool.make("look", {
      description: "Looks at headers",
      input: Schema.Struct({ region: Schema.String.pipe(Tool.header("Region")) }),
      handler: () =>
        Effect.map(Call.info, (info) => {
          seen.push(info._tag === "Some" && info.value.header("mcp-method"));
          return "looked";
        }),
    });
    return withLine(
      McpServer.make({ name: "look", version: "1", tools: [tool] }),
      async ({ next, send }) => {
        send(call(1, "look", { region: "eu" }));
        assertEquals(textOf(await next()), "looked");
        assertEquals(seen, [undefined]);
      },
    );
  });
});

describe("requests", () => {
  test("serve: acts on requests at the same time, and replies as they come to their ends", () => {
    const { release, server, waiting } = fixture();
    return withLine(server, async ({ next, send }) => {
      send(call("first", "wait"), call("second", "echo", { text: "b" }), modern("third", "tools/list"));
      await Effect.runPromise(Deferred.await(waiting));
      assertEquals((await next()).id, "second");
      assertEquals((await next()).id, "third");
      await Effect.runPromise(Deferred.succeed(release, undefined));
      const last = await next();
      assertEquals([last.id, textOf(last)], ["first", "released"]);
    });
  });

  test("serve: gives ids back as they came", () =>
    withLine(fixture().server, async ({ next, send }) => {
      for (const id of [0, -1, 7, "7", "", "é", Number.MAX_SAFE_INTEGER]) {
        send(call(id, "echo", { text: "x" }));
        assertEquals((await next()).id, id);
      }
    }));

  test('serve: refuses a second request with the id of one in flight, and does not take 7 for "7"', () => {
    const { events, release, server } = fixture();
    return withLine(server, async ({ next, send }) => {
      send(call(7, "wait"), call(7, "echo", { text: "crossed" }), call("7", "echo", { text: "other" }));
      assertEquals(coded(await next()), [7, -32600]);
      const other = await next();
      assertEquals([other.id, textOf(other)], ["7", "other"]);
      await Effect.runPromise(Deferred.succeed(release, undefined));
      assertEquals(textOf(await next()), "released");
      assertEquals(events.filter((event) => event === "echo").length, 1);
      // The id is free again
      send(call(7, "echo", { text: "again" }));
      assertEquals(textOf(await next()), "again");
    });
  });

  test("serve: takes a flow through its rounds (B01)", () =>
    withLine(fixture().server, async ({ next, send }) => {
      send(call(1, "ask"));
      const { result } = await next();
      assertEquals([result.resultType, Object.keys(result.inputRequests)], ["input_required", ["who"]]);
      const again = call(2, "ask");
      again.params.requestState = result.requestState;
      again.params.inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
      send(again);
      assertEquals(textOf(await next()), "Hello Ada");
      again.params.requestState = `${result.requestState}A`;
      send(again);
      const refused = await next();
      assertEquals([refused.error.code, refused.error.message], [-32602, "Invalid request state"]);
    }));

  test("serve: sends progress and log messages to who asked for them (B59)", () => {
    const { release, server } = fixture();
    return withLine(server, async ({ next, rest, send }) => {
      const level = (lowest: string) => ({ "io.modelcontextprotocol/logLevel": lowest });
      send(call(1, "progress", {}, { progressToken: "p" }), call(2, "log"), call(3, "log", {}, level("alert")));
      const seen: Array<Wire> = [];
      for (let message = await next(); message.id !== 3; message = await next()) seen.push(message);
      assertEquals(seen.map(({ id, method, params }) => id ?? [method, params.progressToken ?? params.level]), [
        ["notifications/progress", "p"],
        ["notifications/progress", "p"],
        ["notifications/progress", "p"],
        2,
        ["notifications/message", "alert"],
        ["notifications/message", "emergency"],
      ]);
      await Effect.runPromise(Deferred.succeed(release, undefined));
      assertEquals((await next()).id, 1);
      assertEquals(rest(), []);
    });
  });

  test("serve: says that a handler broke, in general words (B72)", () =>
    withLine(fixture().server, async ({ next, send }) => {
      for (const how of ["throw", "reject", "circular", "unwritable", "interrupt"]) {
        send(call(1, "boom", { how }));
        const message = await next();
        assertEquals(message.id, 1, how);
        assert(message.error !== undefined || message.result.isError === true, how);
        assert(!JSON.stringify(message).includes("SECRET"), how);
      }
    }));
});

describe("notifications/cancelled (B56)", () => {
  test("serve: interrupts the handler of a cancelled request, and sends nothing more for it", () => {
    const { events, server, waiting } = fixture();
    return withLine(server, async ({ end, ended, next, rest, send }) => {
      send(call(7, "progress", {}, { progressToken: 1 }));
      await Effect.runPromise(Deferred.await(waiting));
      for (let i = 0; i < 3; i++) assertEquals((await next()).method, "notifications/progress");
      send(cancelled(7), cancelled(7), call(8, "echo", { text: "next" }));
      assertEquals((await next()).id, 8);
      assertEquals(events, ["interrupted", "echo"]);
      end();
      await ended;
      assertEquals(rest(), []);
    });
  });

  test("serve: ignores what cancels nothing: other types, unknown and finished requests, malformed", () => {
    const { events, release, server } = fixture();
    return withLine(server, async ({ next, rest, send }) => {
      send(call(1, "echo", { text: "done" }), call(7, "wait"));
      await next();
      for (const id of ["7", 1, 99, null, 7.5, {}, [7]]) send(cancelled(id));
      send(notification("cancelled"), { jsonrpc: "2.0", method: "cancelled", params: { requestId: 7 } });
      await Effect.runPromise(Deferred.succeed(release, undefined));
      assertEquals(textOf(await next()), "released");
      assertEquals(events, ["echo"]);
      assertEquals(rest(), []);
    });
  });
});

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

  const settle = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await turn();
  };

  test("serve: is written to a slow reader as long as it reads", () =>
    withLine(server, async ({ end, ended, hold, next, pass, send }) => {
      hold(true);
      send(call(1, "long"));
      end();
      await settle();
      for (let i = 0; i < 45; i++) {
        await pass("4 seconds");
        hold(false);
        hold(true);
        await settle();
      }
      assertEquals(textOf(await next()).length, 40 * 65_536);
      assertEquals((await ended)._tag, "Success");
    }));

  test("serve: is given up when its reader does not read for `drainWithin`", () =>
    withLine(server, async ({ end, ended, hold, pass, rest, send }) => {
      hold(true);
      send(call(1, "long"));
      end();
      await settle();
      await pass("5 seconds");
      await settle();
      await pass("1 seconds");
      assertEquals((await ended)._tag, "Success");
      assertEquals(rest(), []);
    }));
});

describe("settings", () => {
  test("settings: refuses limits that are not positive", () => {
    assertThrows(() => settings({ maxLine: 0 }), "must be positive");
    assertThrows(() => settings({ maxLine: Number.NaN }), "must be positive");
    assertThrows(() => settings({ legacy: { maxSubscriptions: 0 } }), "must be positive");
  });
});

describe("principal", () => {
  test("serve: makes all calls on behalf of the principal of the options", () => {
    const who = Tool.make("who", {
      description: "Says who",
      handler: () => Effect.map(Need.flow, ({ principal }) => principal.subject),
    });
    const server = McpServer.make({ name: "who", version: "1", tools: [who] });
    return withLine(server, async ({ next, send }) => {
      send(call(1, "who"));
      assertEquals(textOf(await next()), "ada");
    }, { principal: { subject: "ada", authenticated: true, claims: {} } });
  });
});
