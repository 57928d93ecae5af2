import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Legacy from "../../../src/era/legacy.ts";
import type { RequestMessage } from "../../../src/era/message.ts";
import { isFault } from "../../../src/model/fault.ts";
import type { JsonRecord } from "../../../src/model/json.ts";
import { anonymous } from "../../../src/model/principal.ts";
import { revisions } from "./fields.ts";

const request = (method: string, params: JsonRecord = {}, id: string | number = 1): RequestMessage => ({
  _tag: "Request",
  id,
  method,
  params,
});

const conversation = (name = "2025-11-25"): Legacy.Conversation => ({
  revision: Legacy.findRevision(name)!,
  client: { name: "c", version: "1" },
  capabilities: { roots: {} },
  level: "warning",
});

const decode = (method: string, params?: JsonRecord, name?: string) =>
  Legacy.decode(request(method, params), conversation(name), undefined, anonymous);

const operation = (method: string, params?: JsonRecord, name?: string): unknown => {
  const decoded = decode(method, params, name);
  return isFault(decoded) ? [decoded.code, decoded.message] : decoded.operation;
};

describe("decode", () => {
  test("decode: reads what the session knows into the envelope", () => {
    const header = (): undefined => undefined;
    const decoded = Legacy.decode(
      request("ping", { _meta: { progressToken: 0, a: 1 } }, "7"),
      conversation(),
      header,
      anonymous,
    );
    assertEquals(isFault(decoded) ? undefined : decoded.envelope, {
      id: "7",
      method: "ping",
      era: "legacy",
      revision: "2025-11-25",
      client: { name: "c", version: "1" },
      capabilities: { roots: {} },
      meta: { progressToken: 0, a: 1 },
      progressToken: 0,
      logLevel: "warning",
      header,
      principal: anonymous,
    });
  });

  test("decode: reads calls, which neither carry answers nor a state", () => {
    const rest = { inputResponses: undefined, requestState: undefined };
    const extra = { inputResponses: {}, requestState: "s" };
    assertEquals(operation("tools/call", { name: "t", arguments: { a: 1 }, ...extra }), {
      _tag: "Call",
      method: "tools/call",
      target: "t",
      arguments: { a: 1 },
      ...rest,
    });
    assertEquals(operation("resources/read", { uri: "file:///a", arguments: 1 }), {
      _tag: "Call",
      method: "resources/read",
      target: "file:///a",
      arguments: undefined,
      ...rest,
    });
    assertEquals(operation("prompts/get", {}), {
      _tag: "Call",
      method: "prompts/get",
      target: undefined,
      arguments: undefined,
      ...rest,
    });
  });

  test("decode: reads lists, and requests about the conversation", () => {
    const kinds = { tools: "tools", resources: "resources", "resources/templates": "templates", prompts: "prompts" };
    for (const [name, kind] of Object.entries(kinds)) {
      assertEquals(operation(`${name}/list`, { cursor: "c" }), { _tag: "List", kind, cursor: "c" });
    }
    assertEquals(operation("ping"), { _tag: "Ping" });
    assertEquals(operation("logging/setLevel", { level: "debug" }), { _tag: "SetLevel", level: "debug" });
    assertEquals(operation("resources/subscribe", { uri: "a:b" }), { _tag: "Subscribe", uri: "a:b" });
    assertEquals(operation("resources/unsubscribe", { uri: "a:b" }), { _tag: "Unsubscribe", uri: "a:b" });
  });

  test("decode: reads the context of a completion since 2025-06-18", () => {
    const params = {
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "a", value: "" },
      context: { arguments: {} },
    };
    const contexts = revisions.map((name) => operation("completion/complete", params, name));
    const withContext = { _tag: "Complete", ...params };
    const without = { ...withContext, context: undefined };
    assertEquals(contexts, [withContext, withContext, without, without]);
  });

  test("decode: refuses params of another shape with -32602", () => {
    const wrong: ReadonlyArray<readonly [string, JsonRecord]> = [
      ["logging/setLevel", {}],
      ["logging/setLevel", { level: "loud" }],
      ["resources/subscribe", { uri: 1 }],
      ["resources/unsubscribe", {}],
      ["ping", { _meta: 1 }],
      ["ping", { _meta: { progressToken: 1.5 } }],
    ];
    for (const [method, params] of wrong) {
      const fault = decode(method, params);
      assertEquals(isFault(fault) && fault.code, -32602, method);
    }
  });

  test("decode: has no modern methods, and no second initialize", () => {
    for (const method of ["server/discover", "subscriptions/listen", "tasks/list", "nope/nope", "toString"]) {
      assertEquals(operation(method), [-32601, `Method not found: ${method}`]);
    }
    assertEquals(operation("initialize"), [-32600, "The conversation has begun already"]);
  });
});

describe("readNotification", () => {
  const read = (method: string, params: JsonRecord = {}) =>
    Legacy.readNotification({ _tag: "Notification", method: `notifications/${method}`, params });

  test("readNotification: knows two, and ignores the others", () => {
    assertEquals(read("initialized"), { _tag: "Initialized" });
    assertEquals(read("cancelled", { requestId: 7, reason: "r" }), { _tag: "Cancelled", requestId: 7 });
    assertEquals(read("cancelled", { requestId: "7" }), { _tag: "Cancelled", requestId: "7" });
    for (const name of ["roots/list_changed", "progress", "nope"]) assertEquals(read(name), undefined);
  });

  test("readNotification: ignores a malformed cancellation (B56)", () => {
    for (const requestId of [undefined, null, 1.5, {}]) assertEquals(read("cancelled", { requestId }), undefined);
  });
});

describe("readResponse", () => {
  test("readResponse: reads results of any shape, and errors as far as they go", () => {
    assertEquals(Legacy.readResponse({ id: 1, result: { a: 1 } }), {
      id: 1,
      reply: { _tag: "Result", result: { a: 1 } },
    });
    assertEquals(Legacy.readResponse({ id: "1", result: null }), { id: "1", reply: { _tag: "Result", result: null } });
    const error = { code: -1, message: "User rejected" };
    assertEquals(Legacy.readResponse({ id: 1, error }), { id: 1, reply: { _tag: "Error", ...error } });
    for (const malformed of ["x", null, {}, { code: "1", message: 2 }]) {
      assertEquals(Legacy.readResponse({ id: 1, error: malformed })?.reply, { _tag: "Error", code: 0, message: "" });
    }
  });

  test("readResponse: reads nothing that does not say what it answers", () => {
    for (
      const json of [{ error: { code: 1, message: "" } }, { id: null, result: {} }, { id: 1.5, result: {} }, [], "x"]
    ) {
      assertEquals(Legacy.readResponse(json), undefined);
    }
  });
});

describe("readBatch", () => {
  const [, , batching] = revisions.map((name) => Legacy.findRevision(name)!);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const code = (items: ReadonlyArray<unknown>, revision = batching) => {
    const read = Legacy.readBatch(items, revision);
    return isFault(read) ? [read.code, read.status] : read.map(({ message }) => message._tag);
  };

  test("readBatch: is for sessions of 2025-03-26 only (design, section 9)", () => {
    assertEquals(isFault(Legacy.readBatch([ping], undefined)), true);
    const refused = revisions.filter((name) => isFault(Legacy.readBatch([ping], Legacy.findRevision(name))));
    assertEquals(refused, ["2025-11-25", "2025-06-18", "2024-11-05"]);
  });

  test("readBatch: reads each message, and a malformed one as that", () => {
    const items = [ping, { jsonrpc: "2.0", method: "m" }, { jsonrpc: "2.0", id: 1, result: {} }, {}, 1, [ping]];
    assertEquals(code(items), ["Request", "Notification", "Response", "Malformed", "Malformed", "Malformed"]);
    const read = Legacy.readBatch(items, batching);
    assertEquals(isFault(read) || read.map(({ json }) => json), items);
  });

  test("readBatch: refuses the whole where a part cannot be part of one", () => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    const whole = [
      [],
      [ping, { ...ping, method: "initialize" }],
      [ping, { ...ping, params: { _meta } }],
      [{ jsonrpc: "2.0", method: "notifications/cancelled", params: { _meta } }],
      Array.from({ length: 1_001 }, () => ping),
    ];
    for (const items of whole) assertEquals(code(items), [-32600, 400]);
  });

  test("joinBatch: puts responses into one array, and is nothing for none", () => {
    assertEquals(Legacy.joinBatch(['{"id":1}', '{"id":2}']), '[{"id":1},{"id":2}]');
    assertEquals(Legacy.joinBatch([]), undefined);
  });
});
