/** The client's side of the wire (2026-07-28, basic/transports/streamable-http). */
import { describe, test } from "node:test";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { headerValue, parameterHeaders, reply, request } from "../../src/testing/wire.ts";

describe("headerValue", () => {
  // The examples of "Value Encoding".
  const cases: ReadonlyArray<readonly [value: string, header: string]> = [
    ["us-west1", "us-west1"],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    // B45
    ["note:///café/日本語", "=?base64?bm90ZTovLy9jYWbDqS/ml6XmnKzoqp4=?="],
    ["", ""],
    ["a b", "a b"],
  ];
  for (const [value, header] of cases) {
    test(`headerValue: writes ${JSON.stringify(value)} as the spec does`, () => {
      assertStrictEquals(headerValue(value), header);
    });
  }
});

test("parameterHeaders: mirrors what is marked, at any depth, and leaves out what is absent or null", () => {
  const schema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      dry: { type: "boolean", "x-mcp-header": "Dry" },
      none: { type: "string", "x-mcp-header": "None" },
      absent: { type: "string", "x-mcp-header": "Absent" },
      deep: { type: "object", properties: { n: { type: "integer", "x-mcp-header": "N" } } },
      query: { type: "string" },
    },
  };
  assertEquals(
    parameterHeaders(schema, { region: "é", dry: false, none: null, deep: { n: -7 }, query: "select" }),
    { "Mcp-Param-Region": "=?base64?w6k=?=", "Mcp-Param-Dry": "false", "Mcp-Param-N": "-7" },
  );
});

test("request: carries the headers that mirror the body", async () => {
  const { signal } = new AbortController();
  const message = { id: 7, method: "resources/read", params: { uri: "note:///a", name: "not this" } };
  const sent = request("http://localhost/mcp", message, "2026-07-28", { "x-more": "1" }, signal);
  const names = ["accept", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version", "x-more"];
  assertEquals(names.map((name) => sent.headers.get(name)), [
    "application/json, text/event-stream",
    "application/json",
    "resources/read",
    "note:///a",
    "2026-07-28",
    "1",
  ]);
  assertEquals(await sent.json(), { jsonrpc: "2.0", ...message });
  const list = request("http://localhost/mcp", { id: 1, method: "tools/list", params: {} }, "2026-07-28", {}, signal);
  assertEquals(list.headers.get("mcp-name"), null);
});

describe("reply", () => {
  test("reply: reads one JSON message", async () => {
    const { notifications, response, status } = await reply(
      Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } }, { status: 404 }),
    );
    assertEquals([status, notifications, response?.["error"]], [404, [], { code: -32601, message: "no" }]);
  });

  test("reply: reads the messages of a stream, over comments, other fields and data on several lines", async () => {
    const body = [
      ": keep-alive\n",
      'id: 1\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n',
      'data: {"jsonrpc":"2.0",\ndata:"id":1,"result":{"resultType":"complete"}}\n',
    ].join("\n") + "\n";
    const { notifications, response } = await reply(
      new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } }),
    );
    assertEquals(notifications.map((message) => message["params"]), [{ progress: 1 }]);
    assertEquals(response, { jsonrpc: "2.0", id: 1, result: { resultType: "complete" } });
  });

  test("reply: reads an empty body as no message", async () => {
    assertEquals((await reply(new Response(null, { status: 202 }))).response, undefined);
  });
});
