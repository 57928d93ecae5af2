import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { faultsOf, type Message } from "./messages.ts";

const message = (more: object): Message => ({ jsonrpc: "2.0", ...more } as Message);
const tools = [{ name: "t", inputSchema: { type: "object" } }];

/** What the tests of conversations rest on: that these would be found. */
test("faultsOf: finds members of the other era, of a later revision, and what the schemas do not allow", () => {
  const legacy = "2025-11-25", modern = "2026-07-28";
  const wrong: ReadonlyArray<readonly [string, Message, string | undefined]> = [
    [legacy, message({ id: 1, result: { content: [], resultType: "complete" } }), "tools/call"],
    [legacy, message({ id: 1, result: { tools, ttlMs: 0 } }), "tools/list"],
    [legacy, message({ id: 1, result: { tools: [{ name: "t" }] } }), "tools/list"],
    [legacy, message({ id: 1, result: {} }), "nope"],
    [legacy, message({ id: "1", method: "elicitation/create", params: {} }), undefined],
    [legacy, message({ method: "notifications/nope" }), undefined],
    ["2025-03-26", message({ id: 1, result: { tools: [{ ...tools[0], title: "T" }] } }), "tools/list"],
    ["2025-03-26", message({ id: 1, result: { content: [], structuredContent: {} } }), "tools/call"],
    [modern, message({ id: 1, method: "roots/list" }), undefined],
    [modern, message({ method: "notifications/elicitation/complete", params: { elicitationId: "x" } }), undefined],
    [modern, message({ id: 1, result: { resultType: "input_required", inputRequests: { a: {} } } }), "tools/call"],
  ];
  for (const [revision, one, method] of wrong) {
    assertEquals(faultsOf(revision, one, method).length > 0, true, JSON.stringify(one));
  }
  assertEquals(faultsOf(legacy, message({ id: 1, result: { tools } }), "tools/list"), []);
  assertEquals(faultsOf(legacy, message({ id: 1, error: { code: -32602, message: "" } })), []);
});
