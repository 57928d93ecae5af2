/** DESIGN.md, section 9, "Which era", on the wire; legacy mode is off. */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { fixture, messages, meta, outcome, post, rpc, send, withHandler } from "./fixture.ts";

const { server } = fixture();

const bare = (method: string, more: Record<string, unknown> = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: {},
  ...more,
});

describe("which era", () => {
  test("era: serves what claims 2026-07-28 in its body, whatever the method", () =>
    withHandler(server, async (fetch) => {
      assertEquals(await outcome(await fetch(send(rpc("tools/list")))), "200/complete");
      for (const method of ["initialize", "ping"]) {
        assertEquals(await outcome(await fetch(send(rpc(method)))), "404/-32601");
      }
    }));

  test("era: refuses initialize without a claim, and names the revision in message and data", () =>
    withHandler(server, async (fetch) => {
      const message = bare("initialize", {
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} },
      });
      for (const version of [null, "2025-11-25", "2026-07-28"]) {
        const response = await fetch(send(message, { "mcp-protocol-version": version }));
        assertEquals(response.status, 400);
        const [{ error, id }] = await messages(response);
        assertEquals([id, error.code, error.data], [1, -32020, { supported: ["2026-07-28"] }]);
        assertStringIncludes(error.message, "2026-07-28");
      }
    }));

  test("era: refuses what claims nothing and names a legacy revision, or none", () =>
    withHandler(server, async (fetch) => {
      for (const version of [null, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
        for (const method of ["tools/list", "ping"]) {
          const response = await fetch(send(bare(method), { "mcp-protocol-version": version }));
          const [{ error }] = await messages(response);
          assertEquals([response.status, error.code, error.data], [400, -32020, { supported: ["2026-07-28"] }]);
        }
      }
    }));

  test("era: asks for _meta where only the header is modern, and refuses unknown revisions there", () =>
    withHandler(server, async (fetch) => {
      assertEquals(await outcome(await fetch(send(bare("tools/list")))), "400/-32602");
      for (const version of ["1900-01-01", "2027-01-01", "draft"]) {
        const response = await fetch(send(bare("tools/list"), { "mcp-protocol-version": version }));
        const [{ error }] = await messages(response);
        assertEquals([response.status, error.code, error.data], [400, -32022, {
          supported: ["2026-07-28"],
          requested: version,
        }]);
      }
    }));

  test("era: refuses a claim of another revision", () =>
    withHandler(server, async (fetch) => {
      for (const version of ["1900-01-01", "2025-11-25"]) {
        const message = rpc("tools/list", { _meta: meta({}, { "io.modelcontextprotocol/protocolVersion": version }) });
        assertEquals(await outcome(await fetch(send(message, { "mcp-protocol-version": version }))), "400/-32022");
      }
    }));

  test("era: takes notifications with 202 and does nothing", () =>
    withHandler(server, async (fetch) => {
      for (const method of ["notifications/cancelled", "notifications/initialized", "notifications/nope"]) {
        for (const version of ["2026-07-28", null]) {
          const message = { jsonrpc: "2.0", method, params: { requestId: 1 } };
          const response = await fetch(send(message, { "mcp-protocol-version": version }));
          assertEquals([response.status, await response.text()], [202, ""]);
        }
      }
    }));

  test("era: refuses responses and arrays (B50)", () =>
    withHandler(server, async (fetch) => {
      const bodies = [
        { jsonrpc: "2.0", id: 1, result: {} },
        { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } },
        [],
        [rpc("tools/list")],
      ];
      for (const body of bodies) {
        const response = await fetch(post(JSON.stringify(body)));
        const [{ error, id }] = await messages(response);
        assertEquals([response.status, error.code, id], [400, -32600, undefined]);
      }
    }));

  test("era: answers GET and DELETE with 405, and ignores ids of sessions and events (B37, B53)", () =>
    withHandler(server, async (fetch) => {
      for (const method of ["GET", "DELETE"]) {
        const response = await fetch(
          new Request("http://localhost/mcp", { method, headers: { "mcp-session-id": "x" } }),
        );
        assertEquals([response.status, response.headers.get("allow")], [405, "POST, OPTIONS"]);
      }
      const response = await fetch(send(rpc("tools/list"), { "mcp-session-id": "nope", "last-event-id": "1" }));
      assertEquals([response.headers.has("mcp-session-id"), await outcome(response)], [false, "200/complete"]);
    }));
});
