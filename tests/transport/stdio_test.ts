/** One channel of lines for all requests of a modern client (2026-07-28, basic/transports, stdio; cases B01, B50, B56, B59). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import * as TestClock from "effect/testing/TestClock";
import { Call, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { settings } from "../../src/transport/stdio_options.ts";
import { fixture, post, type Wire, withHandler } from "./fixture.ts";
import { call, cancelled, legacy, modern, notification, textOf, withLine } from "./stdio_kit.ts";

const coded = ({ error, id }: Wire): readonly [unknown, unknown] => [id, error?.code];

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

  test("serve: takes flows of all methods through their rounds, with the results of the web transport (B01)", async () => {
    const who = Need.elicit("who", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) });
    let runs = 0;
    const greeting = Effect.andThen(
      Effect.sync(() => runs++),
      Effect.map(who, ({ name }) => `Hello ${name}`),
    );
    const server = McpServer.make({
      name: "asking",
      version: "1",
      tools: [Tool.make("ask", { description: "Asks", handler: () => greeting })],
      resources: [Resource.make("ask://name", { name: "ask", handler: () => greeting })],
      prompts: [Prompt.make("ask", { handler: () => greeting })],
    });
    const requests = [
      modern(1, "tools/call", { name: "ask", arguments: {} }, {}, { elicitation: {} }),
      modern(1, "resources/read", { uri: "ask://name" }, {}, { elicitation: {} }),
      modern(1, "prompts/get", { name: "ask" }, {}, { elicitation: {} }),
    ];
    const answered = (request: Wire, state: string): Wire => ({
      ...request,
      id: 2,
      params: {
        ...request.params,
        requestState: state,
        inputResponses: { who: { action: "accept", content: { name: "Ada" } } },
      },
    });
    // On both sides it is the same time, which stands still
    const clock = await Effect.runPromise(Effect.scoped(TestClock.make()));
    await withHandler(
      server,
      (fetch) =>
        withLine(server, async ({ next, send }) => {
          const ask = async (message: Wire): Promise<readonly [Wire, Wire]> => {
            send(message);
            const response = await fetch(post(JSON.stringify(message), message));
            return [await next(), await response.json()];
          };
          for (const request of requests) {
            const asked = await ask(request);
            const states = asked.map(({ result }) => result.requestState);
            for (const { result } of asked) delete result.requestState;
            assertEquals(asked[0], asked[1]);
            assertEquals(Object.keys(asked[0].result.inputRequests), ["who"]);
            // Each goes on over the other transport: the state is all that a flow consists of
            const [over, web] = await ask(answered(request, states[1]));
            assertEquals(over, web);
            assertStringIncludes(JSON.stringify(over.result), "Hello Ada");
            const [refused] = await ask(answered(request, `${states[0]}A`));
            assertEquals([refused.error.code, refused.error.message], [-32602, "Invalid request state"]);
          }
          assertEquals(runs, 3 * 4);
        }),
      {},
      Layer.succeed(Clock.Clock, clock),
    );
  });

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
