/** DESIGN.md, section 9, "Which era", on the wire, in all three modes. */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import { McpServer, Tool } from "@needful/mcp";
import { fixture, messages, meta, outcome, post, rpc, send, type Wire, withHandler } from "./fixture.ts";
import * as Kit from "./legacy_kit.ts";

const { server } = fixture();

type Mode = NonNullable<NonNullable<McpServer.HttpOptions["legacy"]>["mode"]>;
const modes: ReadonlyArray<Mode> = ["sessions", "stateless", "off"];

const bare = (method: string, more: Record<string, unknown> = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: {},
  ...more,
});

const within = (mode: Mode, use: Parameters<typeof withHandler>[1]) => withHandler(server, use, { legacy: { mode } });

for (const mode of modes) {
  describe(`which era, in mode ${mode}`, () => {
    test("era: serves what claims 2026-07-28 in its body, whatever the method", () =>
      within(mode, async (fetch) => {
        assertEquals(await outcome(await fetch(send(rpc("tools/list")))), "200/complete");
        for (const method of ["initialize", "ping", "logging/setLevel", "resources/subscribe"]) {
          assertEquals(await outcome(await fetch(send(rpc(method)))), "404/-32601");
        }
      }));

    test("era: asks for _meta where only the header is modern, and refuses unknown revisions there", () =>
      within(mode, async (fetch) => {
        for (const method of ["tools/list", "ping"]) {
          assertEquals(await outcome(await fetch(send(bare(method)))), "400/-32602");
          for (const version of ["1900-01-01", "2027-01-01", "draft"]) {
            const response = await fetch(send(bare(method), { "mcp-protocol-version": version }));
            const [{ error }] = await messages(response);
            assertEquals([response.status, error.code, error.data], [400, -32022, {
              supported: ["2026-07-28"],
              requested: version,
            }]);
          }
        }
      }));

    test("era: refuses a claim of another revision, and never names an older one as supported (B20)", () =>
      within(mode, async (fetch) => {
        for (const version of ["1900-01-01", "2025-11-25"]) {
          const message = rpc("tools/list", {
            _meta: meta({}, { "io.modelcontextprotocol/protocolVersion": version }),
          });
          const response = await fetch(send(message, { "mcp-protocol-version": version }));
          const [{ error }] = await messages(response);
          assertEquals([response.status, error.code, error.data.supported], [400, -32022, ["2026-07-28"]]);
        }
        const [{ result }] = await messages(await fetch(send(rpc("server/discover"))));
        assertEquals(result.supportedVersions, ["2026-07-28"]);
      }));

    test("era: initialize with a modern header is refused with -32020", () =>
      within(mode, async (fetch) => {
        const response = await fetch(send(Kit.initialize(), { "mcp-protocol-version": "2026-07-28" }));
        assertEquals(await outcome(response), "400/-32020");
      }));

    test("era: takes notifications that belong to nothing with 202, and does nothing", () =>
      within(mode, async (fetch) => {
        for (const method of ["notifications/cancelled", "notifications/initialized", "notifications/nope"]) {
          for (const version of ["2026-07-28", "2025-11-25", null]) {
            for (const params of [{ requestId: 1 }, { _meta: meta() }]) {
              const message = { jsonrpc: "2.0", method, params };
              const response = await fetch(send(message, { "mcp-protocol-version": version }));
              assertEquals([response.status, await response.text()], [202, ""]);
            }
          }
        }
      }));

    test("era: refuses responses and arrays that belong to no session (B50)", () =>
      within(mode, async (fetch) => {
        const bodies = [
          { jsonrpc: "2.0", id: 1, result: {} },
          { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } },
          [],
          [rpc("tools/list")],
          [bare("tools/list")],
          [Kit.initialize()],
        ];
        for (const body of bodies) {
          for (const version of ["2026-07-28", "2025-11-25", "2025-03-26", null]) {
            const response = await fetch(post(JSON.stringify(body), undefined, { "mcp-protocol-version": version }));
            const [{ error, id }] = await messages(response);
            assertEquals([response.status, error.code, id], [400, -32600, undefined]);
          }
        }
      }));

    test("era: ignores ids of sessions and events on modern requests, and gives none out (B37)", () =>
      within(mode, async (fetch) => {
        const response = await fetch(send(rpc("tools/list"), { "mcp-session-id": "nope", "last-event-id": "1" }));
        assertEquals([response.headers.has("mcp-session-id"), await outcome(response)], [false, "200/complete"]);
      }));

    test("era: GET and DELETE are for sessions, and not of 2026-07-28 (B53)", () =>
      within(mode, async (fetch) => {
        const allow = mode === "sessions" ? "POST, GET, DELETE, OPTIONS" : "POST, OPTIONS";
        for (const method of ["GET", "DELETE"]) {
          for (const version of [null, "2025-11-25", "2026-07-28"]) {
            const response = await fetch(Kit.bare(method, {
              "mcp-session-id": "x",
              "last-event-id": "1",
              "accept": "text/event-stream",
              "mcp-protocol-version": version,
            }));
            const refused = mode !== "sessions" || version === "2026-07-28";
            assertEquals([response.status, response.headers.get("allow")], refused ? [405, allow] : [404, null]);
          }
        }
      }));
  });
}

describe("which era, in mode off", () => {
  test("era: refuses initialize without a claim, and names the revision in message and data", () =>
    within("off", async (fetch) => {
      for (const version of [null, "2025-11-25", "2026-07-28"]) {
        const message = Kit.initialize();
        const response = await fetch(send(message, { "mcp-protocol-version": version }));
        assertEquals(response.status, 400);
        const [{ error, id }] = await messages(response);
        assertEquals([id, error.code, error.data], [message.id, -32020, { supported: ["2026-07-28"] }]);
        assertStringIncludes(error.message, "2026-07-28");
      }
    }));

  test("era: refuses what claims nothing and names a legacy revision, or none", () =>
    within("off", async (fetch) => {
      for (const version of [null, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
        for (const method of ["tools/list", "ping"]) {
          const response = await fetch(send(bare(method), { "mcp-protocol-version": version }));
          const [{ error }] = await messages(response);
          assertEquals([response.status, error.code, error.data], [400, -32020, { supported: ["2026-07-28"] }]);
        }
      }
    }));
});

describe("which era, in mode stateless", () => {
  const ask = (fetch: Kit.Fetch, message: Wire, version: string | null = "2025-11-25") =>
    fetch(Kit.post(message, { "mcp-protocol-version": version })).then(Kit.read);

  test("stateless: initialize gives no session, and declares nothing that would need one", () =>
    within("stateless", async (fetch) => {
      const { headers, last } = await ask(fetch, Kit.initialize(), null);
      assertEquals([headers.has("mcp-session-id"), last.result.protocolVersion], [false, "2025-11-25"]);
      assertEquals(last.result.capabilities, { completions: {}, tools: {}, resources: {}, prompts: {} });
    }));

  test("stateless: speaks the revision of the header, else 2025-03-26, which has no titles", () => {
    const titled = Tool.make("t", { title: "T", handler: () => Effect.succeed("") });
    return withHandler(McpServer.make({ name: "x", version: "1", tools: [titled] }), async (fetch) => {
      const revisions = [["2025-11-25", true], ["2025-06-18", true], ["2025-03-26", false], [null, false]] as const;
      for (const [version, listed] of revisions) {
        const { last } = await ask(fetch, Kit.request("tools/list"), version);
        assertEquals("title" in last.result.tools[0], listed, `${version}`);
      }
    }, { legacy: { mode: "stateless" } });
  });

  test("stateless: serves requests that stand alone", () =>
    within("stateless", async (fetch) => {
      assertEquals((await ask(fetch, Kit.request("ping"))).last.result, {});
      const { last } = await ask(fetch, Kit.tool("echo", { arguments: { text: "x" } }));
      assertEquals(last.result, { content: [{ type: "text", text: "x" }] });
    }));

  test("stateless: has nothing to set, to subscribe to or to cancel", () =>
    within("stateless", async (fetch) => {
      for (const method of ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"]) {
        const { last, status } = await ask(fetch, Kit.request(method, { level: "info", uri: "ask://name" }));
        assertEquals([status, last.error.code], [200, -32601]);
      }
      assertEquals((await ask(fetch, Kit.notification("cancelled", { requestId: 1 }))).status, 202);
    }));

  test("stateless: a call that asks fails at once, and says why (B35)", () =>
    within("stateless", async (fetch) => {
      const { last } = await ask(fetch, Kit.tool("ask"));
      assertEquals(last.result.isError, true);
      assertStringIncludes(last.result.content[0].text, "sessions");
      const prompt = await ask(fetch, Kit.request("resources/read", { uri: "ask://name" }));
      assertStringIncludes(prompt.last.error.message, "sessions");
    }));

  test("stateless: again rests without a session, and progress goes over the stream of the call", () =>
    Kit.withAsking(async ({ fetch, pass }) => {
      const reply = ask(fetch, Kit.tool("again"));
      await Kit.settle();
      await pass("250 millis");
      assertEquals((await reply).last.result.content[0].text, "twice");
      const talk = await ask(fetch, Kit.tool("talk", { _meta: { progressToken: 1 } }));
      assertEquals(talk.messages.map(({ method }) => method), ["notifications/progress", undefined]);
    }, { legacy: { mode: "stateless" } }));
});
