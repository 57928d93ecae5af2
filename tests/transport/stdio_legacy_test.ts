/** The conversation of older revisions over a channel of lines (2025-11-25, basic; DESIGN section 9; B18, B19, B20, B22, B24, B33, B56, B59, B60). */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import { Catalog, Resource } from "@needful/mcp";
import type { Wire } from "./fixture.ts";
import { accept, all, answer, initialize, opened, tool, withAsking } from "./stdio_asking.ts";
import { call, cancelled, legacy, modern, notification, textOf } from "./stdio_kit.ts";

describe("initialize", () => {
  test("serve: speaks the revision that is asked for, or else the newest that has initialize (B20)", async () => {
    for (
      const [asked, spoken] of [
        ["2025-11-25", "2025-11-25"],
        ["2025-06-18", "2025-06-18"],
        ["2025-03-26", "2025-03-26"],
        ["2024-11-05", "2024-11-05"],
        ["2026-07-28", "2025-11-25"],
        ["1900-01-01", "2025-11-25"],
      ] as const
    ) {
      await withAsking(async (line) => {
        const result = await opened(line, asked);
        assertEquals(result.protocolVersion, spoken, asked);
        assertEquals(Object.keys(result).sort(), ["capabilities", "protocolVersion", "serverInfo"]);
        assertEquals(result.capabilities.resources, { listChanged: true, subscribe: true });
        // No member of 2026-07-28 in anything
        line.send(legacy(1, "tools/list"), tool(2, "number"), legacy(3, "resources/read", { uri: "note://one" }));
        for (const message of await line.take(3)) {
          for (const member of ["resultType", "ttlMs", "cacheScope", "_meta"]) {
            assertEquals(Object.hasOwn(message.result, member), false, `${asked} ${member}`);
          }
        }
      });
    }
  });

  test("serve: opens one conversation, which modern requests do not belong to", () =>
    withAsking(async (line) => {
      await opened(line);
      line.send(initialize("2025-06-18", all, 9), modern(1, "tools/list"), legacy(2, "ping"), legacy(3, "nope"));
      const [again, list, ping, nope] = await line.take(4);
      assertEquals([again.id, again.error.code], [9, -32600]);
      assertEquals([list.result.resultType, ping.result, nope.error.code], ["complete", {}, -32601]);
      // What the one era was told is of no concern to the other
      line.send(call(4, "ask"));
      assertEquals((await line.next()).result.resultType, "input_required");
      line.send(modern(5, "tools/call", { name: "ask" }));
      assertEquals((await line.next()).error.code, -32021);
    }));

  test("serve: refuses an initialize that does not say what it speaks", () =>
    withAsking(async (line) => {
      line.send(legacy(1, "initialize", { capabilities: {} }), legacy(2, "tools/list"));
      const [refused, before] = await line.take(2);
      assertEquals([refused.error.code, before.error.code], [-32602, -32602]);
    }));
});

describe("asks", () => {
  test("serve: asks with requests of its own, whose ids are fresh, while the call waits (B19)", () =>
    withAsking(async (line) => {
      await opened(line);
      line.send(tool(1, "chain"), tool(2, "ask"));
      const [first, second] = await line.take(2);
      assertEquals([first.method, second.method], ["elicitation/create", "elicitation/create"]);
      assertEquals(first.params.requestedSchema.properties, { name: { type: "string" } });
      // Out of order, and the ids of the two directions may be the same
      line.send(accept(second, { name: "Bob" }), accept(first, { name: "Ada" }));
      const [done, third] = await line.take(2);
      assertEquals([done.id, textOf(done)], [2, "Hello Bob"]);
      assertEquals(new Set([first.id, second.id, third.id]).size, 3);
      line.send(accept(third, { ok: true }));
      assertEquals(textOf(await line.next()), "Ada: true");
    }));

  test("serve: puts several questions at a time, of all kinds", () =>
    withAsking(async (line) => {
      await opened(line);
      line.send(tool(1, "both"));
      const questions = await line.take(2);
      assertEquals(questions.map(({ method }) => method), ["elicitation/create", "roots/list"]);
      line.send(answer(questions[1], { roots: [{ uri: "file:///a" }] }), accept(questions[0], { name: "Ada" }));
      assertEquals(textOf(await line.next()), "Ada in file:///a");
      line.send(tool(2, "poem"));
      const poem = await line.next();
      assertEquals(poem.method, "sampling/createMessage");
      line.send(answer(poem, { role: "assistant", model: "m", content: { type: "text", text: "x" } }));
      assertEquals(textOf(await line.next()), "text");
      line.send(legacy(3, "prompts/get", { name: "greet" }));
      line.send(accept(await line.next(), { name: "Ada" }));
      assertEquals((await line.next()).result.messages[0].content.text, "Greet Ada");
    }));

  test("serve: gives a page of 2025-11-25 an elicitationId, and tells when it is finished (B19)", () =>
    withAsking(async (line) => {
      await opened(line);
      line.send(tool(1, "page"));
      const question = await line.next();
      const { elicitationId, mode, url } = question.params;
      assertEquals([mode, url], ["url", `https://example.com/${elicitationId}`]);
      line.send(answer(question, { action: "accept" }));
      const [complete, done] = await line.take(2);
      assertEquals([complete.method, complete.params], ["notifications/elicitation/complete", { elicitationId }]);
      assertEquals(textOf(done), "done");
    }));

  test("serve: starts again within the call", () =>
    withAsking(async (line) => {
      await opened(line);
      line.send(tool(1, "again"), tool(2, "number"));
      assertEquals((await line.next()).id, 2);
      await line.pass("1 seconds");
      assertEquals(textOf(await line.next()), "twice");
    }));

  test("serve: asks again where an answer is not valid, and takes only a yes for a yes (B22)", () =>
    withAsking(async (line, { ran }) => {
      await opened(line);
      const tried = [{ action: "decline" }, { action: "cancel" }, { action: "accept", content: { ok: false } }];
      for (const [index, result] of tried.entries()) {
        line.send(tool(index, "drop"));
        line.send(answer(await line.next(), result));
        assertEquals(textOf(await line.next()), "Kept");
      }
      line.send(tool("x", "drop"));
      line.send(accept(await line.next(), { ok: "yes" }));
      const again = await line.next();
      assertEquals(again.method, "elicitation/create");
      assertEquals(ran, []);
      line.send(accept(again, { ok: true }));
      assertEquals(textOf(await line.next()), "Dropped");
      assertEquals(ran, ["dropped"]);
    }));

  test("serve: ends the call with an error result where the client cannot be asked after all (B22, B24)", () =>
    withAsking(async (line, { ran }) => {
      await opened(line);
      for (const name of ["ask", "drop", "poem"]) {
        line.send(tool(name, name));
        const { id } = await line.next();
        line.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
        const { result } = await line.next();
        assertEquals(result.isError, true, name);
        assertStringIncludes(result.content[0].text, "-32601", name);
      }
      line.send(tool(1, "perhaps"));
      const { id } = await line.next();
      line.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
      assertEquals(textOf(await line.next()), "nobody");
      assertEquals(ran.includes("dropped"), false);
      // The conversation is as good as before
      line.send(tool(2, "ask"));
      line.send(accept(await line.next(), { name: "Ada" }));
      assertEquals(textOf(await line.next()), "Hello Ada");
    }));

  test("serve: does not ask for what the client did not declare, or the revision cannot say (B18)", async () => {
    const cases: ReadonlyArray<readonly [string, unknown, string, string]> = [
      ["2025-11-25", {}, "ask", "elicitation.form"],
      ["2025-11-25", { elicitation: {} }, "page", "elicitation.url"],
      ["2025-11-25", { elicitation: {} }, "poem", "sampling"],
      ["2025-06-18", all, "page", "2025-06-18"],
      ["2025-03-26", all, "ask", "2025-03-26"],
      ["2024-11-05", all, "ask", "2024-11-05"],
    ];
    for (const [revision, capabilities, name, reason] of cases) {
      await withAsking(async (line) => {
        await opened(line, revision, capabilities);
        line.send(tool(1, name));
        const { id, result } = await line.next();
        assertEquals([id, result.isError], [1, true], `${revision} ${name}`);
        assertStringIncludes(result.content[0].text, reason, `${revision} ${name}`);
        line.send(tool(2, "perhaps"));
        if (name === "ask") assertEquals(textOf(await line.next()), "nobody");
      });
    }
  });

  test("serve: asks nothing before notifications/initialized, but serves requests", () =>
    withAsking(async (line) => {
      line.send(initialize("2025-11-25"), tool(1, "number"), tool(2, "ask"));
      const [, number, refused] = await line.take(3);
      assertEquals(textOf(number), "7");
      assertEquals([refused.id, refused.result.isError], [2, true]);
    }));

  test("serve: ignores answers to nothing, malformed ones, and ones that come late", () =>
    withAsking(async (line) => {
      await opened(line);
      line.send({ jsonrpc: "2.0", id: 77, result: {} }, { jsonrpc: "2.0", result: {} });
      line.send(tool(1, "ask"));
      const question = await line.next();
      line.send({ jsonrpc: "2.0", id: String(question.id), result: { action: "accept", content: { name: "no" } } });
      line.send({ jsonrpc: "2.0", id: null, result: { action: "decline" } });
      line.send(accept(question, { name: "Ada" }), accept(question, { name: "Bob" }));
      assertEquals(textOf(await line.next()), "Hello Ada");
      line.send(legacy(2, "ping"));
      assertEquals((await line.next()).id, 2);
    }));

  test("serve: gives up on a person after roundTimeout, and ignores a late answer (B32)", () =>
    withAsking(async (line) => {
      await opened(line);
      line.send(tool(1, "ask"));
      const question = await line.next();
      await line.pass("2 minutes");
      // The question is withdrawn first, as nobody waits for its answer any more
      const [withdrawn, { result }] = await line.take(2);
      assertEquals([withdrawn.method, withdrawn.params.requestId], ["notifications/cancelled", question.id]);
      assertEquals(result.isError, true);
      assertStringIncludes(result.content[0].text, "timed out");
      line.send(accept(question, { name: "late" }), legacy(2, "ping"));
      assertEquals((await line.next()).id, 2);
    }, { legacy: { roundTimeout: "2 minutes" } }));

  test("serve: shows a caller that gave a token that its call lives while a person is asked", () =>
    withAsking(async (line) => {
      await opened(line);
      line.send(tool(1, "talk", { _meta: { progressToken: "t" } }));
      const [first, question] = await line.take(2);
      assertEquals(first.params, { progressToken: "t", progress: 1, total: 2, message: "half" });
      await line.pass("30 seconds");
      await line.pass("30 seconds");
      const signs = await line.take(2);
      line.send(accept(question, { name: "Ada" }));
      const [last, done] = await line.take(2);
      assertEquals(last.params.progress, 1.5);
      assertEquals(textOf(done), "Ada");
      const values = [first, ...signs, last].map(({ params }) => params.progress);
      assertEquals(values, [...values].sort((a, b) => a - b));
      assertEquals(new Set(values).size, 4);
      assertEquals(signs.map(({ params }) => [params.progressToken, params.total, Math.round(params.progress * 1e6)]), [
        ["t", 2, 1e6],
        ["t", 2, 1e6],
      ]);
    }, { keepAlive: "30 seconds" }));
});

describe("cancellation (B56)", () => {
  test("serve: withdraws the question of a cancelled call, interrupts its handler, and sends no reply", () =>
    withAsking(async (line, { ran }) => {
      await opened(line);
      line.send(tool(7, "ask"));
      const question = await line.next();
      line.send(cancelled("7"), cancelled(7));
      const { method, params } = await line.next();
      assertEquals([method, params.requestId], ["notifications/cancelled", question.id]);
      line.send(accept(question, { name: "late" }), legacy(8, "ping"));
      assertEquals((await line.next()).id, 8);
      assertEquals([ran, line.rest()], [["interrupted"], []]);
    }));

  test("serve: fails pending questions when the input ends, and replies (B67)", () =>
    withAsking(async (line) => {
      await opened(line);
      line.send(tool(1, "ask"), tool(2, "perhaps"));
      await line.take(2);
      line.end();
      const replies = await line.take(2);
      assertEquals(replies.map(({ id, result }) => [id, result.isError]).sort(), [[1, true], [2, undefined]]);
      assertEquals((await line.ended)._tag, "Success");
      assertEquals(line.rest(), []);
    }));

  test("serve: interrupts calls and withdraws nothing twice when it is stopped", () =>
    withAsking(async (line, { ran, waiting }) => {
      await opened(line);
      line.send(tool(1, "wait"), tool(2, "ask"));
      await line.next();
      await Effect.runPromise(Deferred.await(waiting));
      line.stop();
      const replies = [];
      for (let message = await line.next(); message !== undefined; message = await line.next()) replies.push(message);
      assertEquals(replies.map(({ id }) => id).sort(), [1, 2]);
      assertEquals(ran, ["interrupted", "interrupted"]);
    }));
});

describe("notices", () => {
  test("serve: sends log messages from the level that was set, and none before (B59)", () =>
    withAsking(async (line) => {
      await opened(line, "2025-11-25", {});
      const talk = async (id: number): Promise<ReadonlyArray<string>> => {
        line.send(tool(id, "talk"));
        const levels: Array<string> = [];
        for (let message = await line.next(); message.id !== id; message = await line.next()) {
          levels.push(message.params.level);
        }
        return levels;
      };
      assertEquals(await talk(1), []);
      line.send(legacy(2, "logging/setLevel", { level: "warning" }), legacy(3, "logging/setLevel", { level: "bogus" }));
      const [set, refused] = await line.take(2);
      assertEquals([set.result, refused.error.code], [{}, -32602]);
      assertEquals(await talk(4), ["error"]);
      line.send(legacy(5, "logging/setLevel", { level: "debug" }));
      await line.next();
      assertEquals(await talk(6), ["info", "error"]);
    }));

  test("serve: tells of changed lists after initialized, and of resources that were subscribed to (B60)", () =>
    withAsking(async (line) => {
      line.send(initialize("2025-11-25"));
      await line.next();
      await line.change(Catalog.removeTool("number"));
      await line.pass("100 millis");
      line.send(notification("initialized"), notification("initialized"), legacy(1, "ping"));
      assertEquals((await line.next()).id, 1);
      await line.change(Catalog.removeTool("again"));
      // A subscription in between does not lose the change that waits to be told
      line.send(legacy(2, "resources/subscribe", { uri: "note://one" }));
      assertEquals((await line.next()).result, {});
      await line.change(Catalog.resourceUpdated("note://one"));
      await line.pass("100 millis");
      assertEquals(await line.take(2), [
        notification("resources/updated", { uri: "note://one" }),
        notification("tools/list_changed"),
      ]);
      line.send(legacy(3, "resources/unsubscribe", { uri: "note://one" }));
      await line.next();
      await line.change(Catalog.resourceUpdated("note://one"));
      line.send(legacy(4, "resources/subscribe", { uri: "note://none" }), legacy(5, "resources/subscribe", {}));
      const [unknown, malformed] = await line.take(2);
      assertEquals([unknown.error.code, malformed.error.code], [-32002, -32602]);
      assertEquals(line.rest(), []);
    }));
});

describe("bounds", () => {
  test("serve: lets a conversation subscribe to as many resources as the options say", () =>
    withAsking(async (line) => {
      await opened(line);
      await line.change(
        Catalog.addResource(Resource.make("note://two", { name: "2", handler: () => Effect.succeed("2") })),
      );
      const subscribe = (id: number, uri: string) => legacy(id, "resources/subscribe", { uri });
      line.send(subscribe(1, "note://one"), subscribe(2, "note://one"), subscribe(3, "note://two"));
      const replies = await line.take(3);
      assertEquals(replies.map(({ error, id }) => [id, error?.code]), [[1, undefined], [2, undefined], [3, -32603]]);
    }, { legacy: { maxSubscriptions: 1 } }));
});

describe("batches", () => {
  test("serve: takes batches in a conversation of 2025-03-26, and answers them with one line", () =>
    withAsking(async (line) => {
      await opened(line, "2025-03-26");
      line.send([
        legacy(1, "ping"),
        tool("t", "number"),
        notification("cancelled", { requestId: 5 }),
        { jsonrpc: "2.0", id: 2 },
        legacy(1, "tools/list"),
        legacy(3, "nope"),
      ]);
      const replies: ReadonlyArray<Wire> = await line.next();
      assertEquals(replies.map(({ error, id }) => [id, error?.code]), [
        [1, undefined],
        ["t", undefined],
        [2, -32600],
        [1, undefined],
        [3, -32601],
      ]);
      line.send([notification("initialized")], [], [initialize("2025-03-26")], [modern(1, "tools/list")]);
      const refused = await line.take(3);
      // A session of 2025-06-18 or older is told so with the id null
      assertEquals(refused.map(({ error, id }) => [id, error.code]), [[null, -32600], [null, -32600], [null, -32600]]);
      assertEquals(line.rest(), []);
    }));

  test("serve: lets a call of a batch be cancelled, and answers with what is left", () =>
    withAsking(async (line, { waiting }) => {
      await opened(line, "2025-03-26");
      line.send([tool(1, "wait"), legacy(2, "ping")], [tool(3, "wait")]);
      await Effect.runPromise(Deferred.await(waiting));
      line.send(cancelled(3), cancelled(1), legacy(4, "ping"));
      const [left, next] = await line.take(2);
      assertEquals([left.map(({ id }: Wire) => id), next.id], [[2], 4]);
      assertEquals(line.rest(), []);
    }));

  test("serve: refuses batches in all other conversations, and before one", async () => {
    for (const revision of [undefined, "2025-11-25", "2025-06-18", "2024-11-05"]) {
      await withAsking(async (line) => {
        if (revision !== undefined) await opened(line, revision);
        line.send([legacy(1, "ping")], [call(2, "number")]);
        const refused = await line.take(2);
        assertEquals(refused.map(({ error }) => error.code), [-32600, -32600], revision);
        const id = revision === "2025-06-18" || revision === "2024-11-05" ? null : undefined;
        assertEquals(refused.map((message) => message.id), [id, id], revision);
      });
    }
  });
});
