import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Modern from "../../../src/era/modern.ts";
import type { Reply } from "../../../src/model/reply.ts";

const info = { name: "s", version: "1" };
const serverInfo = { "io.modelcontextprotocol/serverInfo": info };
const encoder = Modern.makeEncoder(info);
const result = (reply: Reply, retry = false) => JSON.parse(encoder.result(1, reply, retry)).result;
const cache = { ttlMs: 60_000, scope: "public" } as const;

describe("result", () => {
  test("result: keeps the type of the id", () => {
    const reply: Reply = { _tag: "Completion", values: [] };
    assertEquals(JSON.parse(encoder.result(0, reply, false)).id, 0);
    assertEquals(JSON.parse(encoder.result("0", reply, false)).id, "0");
  });

  test("result: writes each kind as the schema has it", () => {
    const text = { type: "text", text: "hi" } as const;
    assertEquals(result({ _tag: "Tool", content: [text], isError: false }), {
      resultType: "complete",
      content: [text],
      _meta: serverInfo,
    });
    assertEquals(result({ _tag: "Tool", content: [], structured: { value: null }, isError: true, meta: { a: 1 } }), {
      resultType: "complete",
      content: [],
      structuredContent: null,
      isError: true,
      _meta: { a: 1, ...serverInfo },
    });
    assertEquals(result({ _tag: "Prompt", description: "d", messages: [{ role: "user", content: text }] }), {
      resultType: "complete",
      description: "d",
      messages: [{ role: "user", content: text }],
      _meta: serverInfo,
    });
    assertEquals(result({ _tag: "Completion", values: ["a"], total: 2, hasMore: true }), {
      resultType: "complete",
      completion: { values: ["a"], total: 2, hasMore: true },
      _meta: serverInfo,
    });
  });

  test("result: declares what is served and nothing else", () => {
    const discover = { _tag: "Discover", extensions: undefined, instructions: undefined, cache } as const;
    assertEquals(result({ ...discover, lists: [], completions: false }), {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { logging: {} },
      ttlMs: 60_000,
      cacheScope: "public",
      _meta: serverInfo,
    });
    const all = result({
      ...discover,
      lists: ["tools", "resources", "prompts"],
      completions: true,
      extensions: { "a.b/c": {} },
      instructions: "i",
    });
    assertEquals([all.capabilities, all.instructions], [{
      logging: {},
      completions: {},
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      extensions: { "a.b/c": {} },
    }, "i"]);
  });

  test("result: names the member of each list, and writes a page once", () => {
    const page = { items: [{ name: "a" }], nextCursor: "next" };
    const members = {
      tools: "tools",
      resources: "resources",
      templates: "resourceTemplates",
      prompts: "prompts",
    } as const;
    for (const [kind, member] of Object.entries(members) as ReadonlyArray<[keyof typeof members, string]>) {
      assertEquals(result({ _tag: "List", kind, page: { ...page }, cache }), {
        resultType: "complete",
        [member]: page.items,
        nextCursor: "next",
        ttlMs: 60_000,
        cacheScope: "public",
        _meta: serverInfo,
      });
    }
    let written = 0;
    const counted = { items: [{ toJSON: () => ++written }], nextCursor: undefined };
    result({ _tag: "List", kind: "tools", page: counted, cache });
    result({ _tag: "List", kind: "tools", page: counted, cache });
    assertEquals(written, 1);
  });

  test('result: is not to be kept where the request carried answers or a state (caching, "Cache Key")', () => {
    const replies: ReadonlyArray<Reply> = [
      { _tag: "Resource", contents: [], cache },
      { _tag: "List", kind: "tools", page: { items: [], nextCursor: undefined }, cache },
      { _tag: "Discover", lists: [], completions: false, extensions: undefined, instructions: undefined, cache },
    ];
    for (const reply of replies) {
      const kept = result(reply), retried = result(reply, true);
      assertEquals([kept.ttlMs, kept.cacheScope], [60_000, "public"]);
      assertEquals([retried.ttlMs, retried.cacheScope], [0, "private"]);
    }
  });

  test("result: has no hints where the specification has none (B03)", () => {
    const others: ReadonlyArray<Reply> = [
      { _tag: "Tool", content: [], isError: false },
      { _tag: "Prompt", messages: [] },
      { _tag: "Completion", values: [] },
      { _tag: "InputRequired", questions: [], state: "s" },
    ];
    for (const reply of others) assertEquals(Object.keys(result(reply)).filter((name) => /ttl|cache/.test(name)), []);
  });
});

describe("interim results", () => {
  const form = {
    method: "elicitation/create",
    params: { message: "?", requestedSchema: { type: "object", properties: {} } },
  } as const;

  test("result: puts each question under its key, in order, whatever the key", () => {
    const questions = ["b", "1", "__proto__", 'a"b'].map((key) => ({ key, question: form }));
    const text = encoder.result(1, { _tag: "InputRequired", questions, state: "s" }, false);
    assertEquals(text.includes('"b":{"method"') && text.indexOf('"b":{') < text.indexOf('"1":{'), true);
    const { inputRequests, requestState, resultType } = JSON.parse(text).result;
    assertEquals(Object.hasOwn(inputRequests, "__proto__"), true);
    assertEquals(inputRequests['a"b'], form);
    assertEquals([requestState, resultType], ["s", "input_required"]);
  });

  test("result: leaves the member out where nothing is asked", () => {
    assertEquals(result({ _tag: "InputRequired", questions: [], state: "s" }), {
      resultType: "input_required",
      requestState: "s",
      _meta: serverInfo,
    });
  });

  test("result: sends no id of an interaction, which this revision does not have", () => {
    const params = { mode: "url", message: "m", url: "https://a.example/" } as const;
    const question = { method: "elicitation/create", params, interaction: "secret" } as const;
    const { inputRequests } = result({ _tag: "InputRequired", questions: [{ key: "k", question }], state: "s" });
    assertEquals(inputRequests, { k: { method: "elicitation/create", params } });
  });

  test("result: sends a request for roots without params", () => {
    const questions = [{ key: "k", question: { method: "roots/list" } as const }];
    assertEquals(result({ _tag: "InputRequired", questions, state: "s" }).inputRequests, {
      k: { method: "roots/list" },
    });
  });
});

describe("faults and notifications", () => {
  test("fault: has an id only where the request's could be read", () => {
    const fault = { _tag: "Fault", code: -32600, message: "m", status: 400 } as const;
    assertEquals(JSON.parse(Modern.fault(undefined, fault)), { jsonrpc: "2.0", error: { code: -32600, message: "m" } });
    assertEquals(JSON.parse(Modern.fault(0, { ...fault, data: { a: 1 } })), {
      jsonrpc: "2.0",
      id: 0,
      error: { code: -32600, message: "m", data: { a: 1 } },
    });
  });

  test("log: survives data that is no JSON", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    for (const data of [circular, 1n, undefined, () => {}]) {
      const { params } = JSON.parse(Modern.log({ level: "info", data }));
      assertEquals(Object.hasOwn(params, "data"), true);
    }
    assertEquals(JSON.parse(Modern.log({ level: "info", logger: "db", data: { a: 1 } })).params, {
      level: "info",
      logger: "db",
      data: { a: 1 },
    });
  });

  test("subscriptions: carry the id of their request in each message, 0 included", () => {
    const id = { "io.modelcontextprotocol/subscriptionId": 0 };
    const parse = (text: string) => JSON.parse(text);
    assertEquals(parse(Modern.acknowledged(0, { lists: ["tools"], uris: ["a:b"] })).params, {
      _meta: id,
      notifications: { toolsListChanged: true, resourceSubscriptions: ["a:b"] },
    });
    assertEquals(parse(Modern.acknowledged(0, { lists: [], uris: [] })).params, { _meta: id, notifications: {} });
    assertEquals(parse(Modern.change(0, { _tag: "ListChanged", kind: "prompts" })), {
      jsonrpc: "2.0",
      method: "notifications/prompts/list_changed",
      params: { _meta: id },
    });
    assertEquals(parse(Modern.change(0, { _tag: "ResourceUpdated", uri: "a:b" })), {
      jsonrpc: "2.0",
      method: "notifications/resources/updated",
      params: { _meta: id, uri: "a:b" },
    });
    assertEquals(parse(encoder.subscriptionEnd(0)), {
      jsonrpc: "2.0",
      id: 0,
      result: { resultType: "complete", _meta: { ...serverInfo, ...id } },
    });
    const cancelled = parse(Modern.cancelled(0));
    assertEquals([cancelled.method, cancelled.params.requestId, cancelled.params._meta], [
      "notifications/cancelled",
      0,
      id,
    ]);
  });
});

test("readFilter: reads the wanted lists and URIs, and refuses what is malformed", () => {
  const filter = { toolsListChanged: true, promptsListChanged: false, resourceSubscriptions: ["a:b", "a:b"], other: 1 };
  assertEquals(Modern.readFilter(filter), { lists: ["tools"], uris: ["a:b"] });
  assertEquals(Modern.readFilter({}), { lists: [], uris: [] });
  for (
    const bad of [undefined, null, [], "x", { toolsListChanged: 1 }, { resourceSubscriptions: "a" }, {
      resourceSubscriptions: [1],
    }]
  ) {
    const read = Modern.readFilter(bad);
    assertEquals("code" in read && [read.code, read.status], [-32602, 200]);
  }
});
