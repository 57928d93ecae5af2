/** Who is let in: hosts, origins, pages of other origins, bodies up to a size; on the wire. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import { Auth, McpServer } from "@needful/mcp";
import { call, fixture, messages, outcome, post, rpc, send, withHandler } from "./fixture.ts";

const { events, server } = fixture();
const page = "https://app.example";

describe("Origin and Host (B52)", () => {
  test("origin: on every method of the protocol, a page that is not allowed gets 403 before anything else", () =>
    withHandler(server, async (fetch) => {
      for (const method of ["POST", "GET", "DELETE", "OPTIONS"]) {
        for (
          const origin of [
            "https://evil.example",
            "null",
            "http://localhost.evil.example",
            "http://127.0.0.1.nip.io",
            "x",
          ]
        ) {
          const response = await fetch(new Request("http://localhost:8000/mcp", { method, headers: { origin } }));
          assertEquals(response.status, 403, `${method} ${origin}`);
          assertEquals(response.headers.has("access-control-allow-origin"), false);
          const [{ error, id }] = await messages(response);
          assertEquals([error.code, id], [-32600, undefined]);
        }
      }
      assertEquals(events, []);
    }));

  test("origin: absent, or the server's own, is let in; another port is not", () =>
    withHandler(server, async (fetch) => {
      const from = async (origin: string | null) =>
        outcome(await fetch(call("echo", { text: "" }, {}, { origin, host: "127.0.0.1:8000" })));
      assertEquals(await from(null), "200/complete");
      assertEquals(await from("http://localhost:8000"), "200/complete");
      assertEquals(await from("http://localhost:8001"), "403/-32600");
    }));

  test("host: without allowedHosts only loopback names are served; with them only those", async () => {
    const from = (host: string) => async (fetch: McpServer.WebHandler["fetch"]) => {
      const response = await fetch(call("echo", { text: "" }, {}, { host }));
      await response.body?.cancel();
      return response.status;
    };
    await withHandler(server, async (fetch) => {
      for (const host of ["localhost", "LOCALHOST:1", "[::1]:8000", "127.0.0.1"]) {
        assertEquals(await from(host)(fetch), 200, host);
      }
      for (const host of ["evil.example:8000", "mcp.example"]) assertEquals(await from(host)(fetch), 403, host);
      const url = new Request("http://evil.example/mcp", { method: "POST", body: "{}" });
      assertEquals((await fetch(url)).status, 403);
    });
    await withHandler(server, async (fetch) => {
      assertEquals([await from("mcp.example")(fetch), await from("localhost")(fetch)], [200, 403]);
    }, { allowedHosts: ["mcp.example"] });
  });

  test("toWebHandler: refuses options that are not valid when it is called", () => {
    assertThrows(() => McpServer.toWebHandler(server, { allowedOrigins: ["*"] }), 'Cannot allow the origin "*"');
    assertThrows(() => McpServer.toWebHandler(server, { allowedHosts: ["a b"] }), 'Cannot allow the host "a b"');
    assertThrows(() => McpServer.toWebHandler(server, { path: "mcp" }), 'Cannot serve the path "mcp"');
    assertThrows(() => McpServer.toWebHandler(server, { maxBody: 0 }), "Cannot limit bodies to 0 bytes");
  });
});

describe("CORS (B54)", () => {
  const authenticate: Auth.Authenticate = () => Effect.fail(new Auth.Unauthorized({ challenge: "Bearer" }));
  const options = { allowedOrigins: [page], authenticate };

  test("cors: a preflight is answered before auth, with the parameters that are asked for", () =>
    withHandler(server, async (fetch) => {
      const response = await fetch(
        new Request("http://localhost/mcp", {
          method: "OPTIONS",
          headers: {
            origin: page,
            "access-control-request-method": "POST",
            "access-control-request-headers": "content-type, mcp-method, mcp-param-region",
          },
        }),
      );
      assertEquals([response.status, response.headers.get("access-control-allow-origin")], [204, page]);
      assertStringIncludes(response.headers.get("access-control-allow-headers")!, "mcp-param-region");
      assertEquals(response.headers.get("access-control-allow-methods"), "POST, GET, DELETE, OPTIONS");
    }, options));

  test("cors: every reply to an allowed page can be read by it, refusals included", async () => {
    const readable = (response: Response): void => {
      assertEquals(response.headers.get("access-control-allow-origin"), page);
      assertEquals(response.headers.get("access-control-expose-headers"), "Mcp-Session-Id, WWW-Authenticate");
      assertEquals(response.headers.has("access-control-allow-credentials"), false);
    };
    await withHandler(server, async (fetch) => {
      const refused = await fetch(call("echo", { text: "" }, {}, { origin: page }));
      assertEquals([refused.status, refused.headers.get("www-authenticate")], [401, "Bearer"]);
      readable(refused);
    }, options);
    await withHandler(server, async (fetch) => {
      const origin = { origin: page };
      readable(await fetch(call("echo", { text: "" }, {}, origin)));
      readable(await fetch(call("nope", {}, {}, origin)));
      readable(await fetch(call("echo", { text: "" }, {}, { ...origin, accept: "text/event-stream" })));
      readable(await fetch(post("{", undefined, origin)));
      readable(await fetch(send({ jsonrpc: "2.0", method: "notifications/x" }, origin)));
      readable(await fetch(new Request("http://localhost/mcp", { method: "PUT", headers: origin })));
    }, { allowedOrigins: [page] });
  });
});

describe("bodies (B73)", () => {
  const mebibyte = 1_048_576;
  const sized = (bytes: number) => rpc("tools/call", { name: "echo", arguments: { text: "x".repeat(bytes) } });

  test("limit: 4 MiB by default, with room for a large image below it", () =>
    withHandler(server, async (fetch) => {
      for (const bytes of [1, 3.9]) {
        assertEquals(await outcome(await fetch(send(sized(bytes * mebibyte)))), "200/complete");
      }
      for (const bytes of [4, 5, 20]) {
        const response = await fetch(send(sized(bytes * mebibyte)));
        const [{ error }] = await messages(response);
        assertEquals([response.status, error.message], [413, "The body is larger than the limit of 4194304 bytes"]);
      }
    }));

  test("limit: can be set, and holds whatever length is stated", () =>
    withHandler(server, async (fetch) => {
      let sent = 0;
      const endless = new ReadableStream({
        pull: (controller) => {
          sent++;
          controller.enqueue(new Uint8Array(1_000));
        },
      }, { highWaterMark: 0 });
      assertEquals(await outcome(await fetch(post(endless, sized(0), { "content-length": "10" }))), "413/-32600");
      assert(sent <= 12, `${sent} chunks were read`);
      assertEquals(await outcome(await fetch(post("{}", sized(0), { "content-length": "10001" }))), "413/-32600");
    }, { maxBody: 10_000 }));

  test("limit: results may be of any size", () =>
    withHandler(server, async (fetch) => {
      const text = "x".repeat(8 * mebibyte);
      const [{ result }] = await messages(await fetch(call("echo", { text })));
      assertEquals(result.content[0].text.length, text.length);
    }, { maxBody: 10 * mebibyte }));
});
