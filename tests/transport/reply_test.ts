/** What a reply looks like: kinds of body, hints for caches, discovery, errors that tell nothing. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import type * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import { McpServer, Tool } from "@needful/mcp";
import * as Effect from "effect/Effect";
import { call, fixture, forms, messages, messagesIn, meta, outcome, rpc, send, withHandler } from "./fixture.ts";

const { server } = fixture();

describe("kinds of reply (B48)", () => {
  test("reply: a single JSON body where both kinds are taken", () =>
    withHandler(server, async (fetch) => {
      for (
        const accept of [
          null,
          "*/*",
          "application/*, text/*",
          "APPLICATION/JSON, TEXT/EVENT-STREAM",
          "application/json;charset=utf-8",
        ]
      ) {
        const response = await fetch(call("echo", { text: "a" }, {}, { accept }));
        assertEquals(
          [response.status, response.headers.get("content-type")],
          [200, "application/json"],
          accept ?? "none",
        );
        const [{ id, result }] = await messages(response);
        assertEquals([id, result.content], [1, [{ type: "text", text: "a" }]]);
      }
    }));

  test("reply: an event where only streams are taken, but errors in JSON", () =>
    withHandler(server, async (fetch) => {
      for (const accept of ["text/event-stream", "application/json;q=0, text/event-stream"]) {
        const response = await fetch(call("echo", { text: "a" }, {}, { accept }));
        assertEquals(response.headers.get("content-type"), "text/event-stream");
        assertEquals(messagesIn(await response.text())[0].result.content[0].text, "a");
        const refused = await fetch(call("nope", {}, {}, { accept }));
        assertEquals([refused.headers.get("content-type"), await outcome(refused)], ["application/json", "200/-32602"]);
      }
    }));

  test("reply: never a stream to a client that refuses them: its notifications are dropped", () =>
    withHandler(server, async (fetch) => {
      const params = { _meta: meta({}, { "io.modelcontextprotocol/logLevel": "debug" }) };
      for (const accept of ["application/json", "*/*, text/event-stream;q=0"]) {
        const response = await fetch(call("log", {}, params, { accept }));
        assertEquals(response.headers.get("content-type"), "application/json");
        assertEquals((await messages(response)).length, 1);
      }
    }));

  test("reply: 406 where neither is taken", () =>
    withHandler(server, async (fetch) => {
      assertEquals(await outcome(await fetch(call("echo", { text: "a" }, {}, { accept: "text/plain" }))), "406/-32600");
    }));

  test("reply: 415 for bodies that are not plain JSON (B73)", () =>
    withHandler(server, async (fetch) => {
      for (const type of [null, "text/plain", "application/jsonx", "application/x-www-form-urlencoded"]) {
        assertEquals(await outcome(await fetch(call("echo", {}, {}, { "content-type": type }))), "415/-32600");
      }
      assertEquals(await outcome(await fetch(call("echo", {}, {}, { "content-encoding": "gzip" }))), "415/-32600");
      for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
        assertEquals(
          await outcome(await fetch(call("echo", { text: "" }, {}, { "content-type": type }))),
          "200/complete",
        );
      }
    }));

  test("reply: HEAD, PUT and PATCH are 405 with the methods that are served (B53)", async () => {
    for (const mode of ["sessions", "stateless", "off"] as const) {
      await withHandler(server, async (fetch) => {
        const allow = mode === "sessions" ? "POST, GET, DELETE, OPTIONS" : "POST, OPTIONS";
        for (const method of ["HEAD", "PUT", "PATCH", ...(mode === "sessions" ? [] : ["GET", "DELETE"])]) {
          const response = await fetch(new Request("http://localhost/mcp", { method }));
          assertEquals([response.status, response.headers.get("allow")], [405, allow], method);
        }
      }, { legacy: { mode } });
    }
  });

  test("reply: other paths are 404, or the fallback's", () =>
    withHandler(server, async (fetch) => {
      assertEquals((await fetch(new Request("http://localhost/mcp/"))).status, 404);
      assertEquals(
        await outcome(await fetch(new Request("http://localhost/mcp?a=/b", { method: "POST" }))),
        "415/-32600",
      );
    }).then(() =>
      withHandler(server, async (fetch) => {
        assertEquals(await (await fetch(new Request("http://localhost/page"))).text(), "a page");
        assertEquals(await outcome(await fetch(new Request("http://localhost/rpc", { method: "PUT" }))), "405/-32600");
      }, { path: "/rpc", fallback: () => Effect.succeed(new Response("a page")) })
    ));
});

describe("hints for caches (B03)", () => {
  const hints = ({ result }: { result: Record<string, unknown> }) => [result["ttlMs"], result["cacheScope"]];

  test("cache: interim results have none, retried ones say 0 and private whatever is configured", () =>
    withHandler(server, async (fetch) => {
      const params = { uri: "ask://name", _meta: meta(forms) };
      const [first] = await messages(await fetch(send(rpc("resources/read", params))));
      assertEquals([first.result.resultType, ...hints(first)], ["input_required", undefined, undefined]);
      const retry = {
        ...params,
        requestState: first.result.requestState,
        inputResponses: { who: { action: "accept", content: { name: "Ada" } } },
      };
      const [second] = await messages(await fetch(send(rpc("resources/read", retry, 2))));
      assertEquals([second.result.contents[0].text, ...hints(second)], ["Ada", 0, "private"]);
      const volunteered = { ...params, inputResponses: retry.inputResponses };
      assertEquals(hints((await messages(await fetch(send(rpc("resources/read", volunteered)))))[0]), [0, "private"]);
    }));

  test("cache: results that may be kept say how long and by whom; the rest says nothing", () =>
    withHandler(server, async (fetch) => {
      const uri = "note:///café/日本語";
      const read = send(rpc("resources/read", { uri }), { "mcp-name": "=?base64?bm90ZTovLy9jYWbDqS/ml6XmnKzoqp4=?=" });
      assertEquals(hints((await messages(await fetch(read)))[0]), [60_000, "public"]);
      for (
        const method of ["server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"]
      ) {
        assertEquals(hints((await messages(await fetch(send(rpc(method)))))[0]), [0, "private"], method);
      }
      assertEquals(hints((await messages(await fetch(call("echo", { text: "" }))))[0]), [undefined, undefined]);
      const prompt = send(rpc("prompts/get", { name: "greet", arguments: { name: "Ada" } }));
      assertEquals(hints((await messages(await fetch(prompt)))[0]), [undefined, undefined]);
    }));
});

describe("discovery (B55)", () => {
  test("discover: names itself, the revision, and what is served", () =>
    withHandler(server, async (fetch) => {
      const [{ result }] = await messages(await fetch(send(rpc("server/discover"))));
      assertEquals(result, {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: {
          logging: {},
          completions: {},
          tools: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          prompts: { listChanged: true },
        },
        ttlMs: 0,
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "fixture", version: "1" } },
      });
    }));

  test("discover: a capability that is not declared is not served", () => {
    const tool = Tool.make("only", { description: "The only tool", handler: () => Effect.succeed("one") });
    return withHandler(McpServer.make({ name: "small", version: "1", tools: [tool] }), async (fetch) => {
      const [{ result }] = await messages(await fetch(send(rpc("server/discover"))));
      assertEquals(result.capabilities, { logging: {}, tools: { listChanged: true } });
      assertEquals(await outcome(await fetch(call("only"))), "200/complete");
      const others: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
        ["resources/list", {}],
        ["resources/templates/list", {}],
        ["resources/read", { uri: "a:b" }],
        ["prompts/list", {}],
        ["prompts/get", { name: "x" }],
        ["completion/complete", { ref: { type: "ref/prompt", name: "x" }, argument: { name: "a", value: "" } }],
      ];
      for (const [method, params] of others) {
        assertEquals(await outcome(await fetch(send(rpc(method, params)))), "404/-32601", method);
      }
    });
  });
});

describe("internals in errors (B72)", () => {
  test("errors: what was not foreseen is generic to the client and whole in the log", async () => {
    const log: Array<string> = [];
    const logger = Logger.make<unknown, void>((options) => void log.push(Logger.formatLogFmt.log(options)));
    await withHandler(
      server,
      async (fetch) => {
        for (const how of ["throw", "throw string", "reject", "circular", "interrupt", "unwritable"]) {
          const response = await fetch(call("boom", { how }));
          const text = await response.text();
          for (const inner of ["SECRET", "/etc", ".ts", "Cause", "    at "]) {
            assert(
              !text.includes(inner),
              `${how}: ${text}`,
            );
          }
          assertEquals(response.status, 200, how);
        }
        const [{ result }] = await messages(await fetch(call("boom", { how: "fail" })));
        assertEquals([result.isError, result.content], [true, [{ type: "text", text: "It did not work" }]]);
        assertEquals(await outcome(await fetch(call("echo", { text: "still there" }))), "200/complete");
      },
      {},
      Logger.layer([logger]) as Layer.Layer<never>,
    );
    assert(log.some((line) => line.includes("SECRET /etc/x")), log.join("\n"));
  });

  test("errors: arguments that are not valid are a result whose text names the fields", () =>
    withHandler(server, async (fetch) => {
      const [{ result }] = await messages(await fetch(call("echo", { text: 1 })));
      assertEquals([result.resultType, result.isError], ["complete", true]);
      assert(result.content[0].text.includes("text"), result.content[0].text);
    }));
});
