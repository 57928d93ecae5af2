/** Cases B52, B53 and B54: who may call, by which method, and from which page. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import { Auth, McpServer } from "@needful/mcp";
import * as Native from "../native.ts";
import { counter, echo } from "./fixtures.ts";
import { bothWays, inProcess, overHttp } from "./serve.ts";
import { raw } from "./socket.ts";
import { call, headers, type Json, send } from "./wire.ts";

const runs = counter();
const server = () => McpServer.make({ name: "door", version: "1", tools: [echo(runs)] });
const body = () => JSON.stringify(call("echo"));
const base = Object.entries(headers(call("echo") as unknown as Json));

describe("B52: Origin and Host on a loopback bind", () => {
  const doors: ReadonlyArray<readonly [string, (port: number) => Readonly<Record<string, string>>, 200 | 400 | 403]> = [
    ["no Origin", () => ({}), 200],
    ["the server's own page", (port) => ({ Origin: `http://127.0.0.1:${port}` }), 200],
    ["its own page by another name", (port) => ({ Origin: `http://localhost:${port}` }), 200],
    ["its own page by IPv6", (port) => ({ Origin: `http://[::1]:${port}` }), 200],
    ["a page of another port", (port) => ({ Origin: `http://127.0.0.1:${port + 1}` }), 403],
    ["a page of the default port", () => ({ Origin: "http://localhost" }), 403],
    ["a page elsewhere", () => ({ Origin: "https://evil.example" }), 403],
    ["a page elsewhere, on the same port", (port) => ({ Origin: `http://evil.example:${port}` }), 403],
    ["an opaque origin", () => ({ Origin: "null" }), 403],
    ["an origin that is none", () => ({ Origin: "evil" }), 403],
    ["an empty origin", () => ({ Origin: "" }), 403],
    ["an origin with a path", (port) => ({ Origin: `http://127.0.0.1:${port}/` }), 403],
    ["an origin with a user", (port) => ({ Origin: `http://127.0.0.1:${port}@evil.example` }), 403],
    ["two origins", (port) => ({ Origin: `http://127.0.0.1:${port}, https://evil.example` }), 403],
    ["a file's origin", () => ({ Origin: "file://" }), 403],
    ["a host that begins like ours", (port) => ({ Origin: `http://localhost.evil.example:${port}` }), 403],
    ["a host that resolves to ours", (port) => ({ Origin: `http://127.0.0.1.nip.io:${port}` }), 403],
    [
      "a page elsewhere, with a good Host",
      (port) => ({ Origin: "https://evil.example", Host: `127.0.0.1:${port}` }),
      403,
    ],
    ["another Host", (port) => ({ Host: `evil.example:${port}` }), 403],
    ["a Host that begins like ours", (port) => ({ Host: `localhost.evil.example:${port}` }), 403],
    ["a Host that resolves to ours", (port) => ({ Host: `127.0.0.1.nip.io:${port}` }), 403],
    [
      "another Host with its own page",
      (port) => ({ Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` }),
      403,
    ],
    ["a Host of another case", (port) => ({ Host: `LOCALHOST:${port}` }), 200],
    ["an IPv6 Host", (port) => ({ Host: `[::1]:${port}` }), 200],
    ["a Host without its port", () => ({ Host: "localhost" }), 200],
    ["another address of this machine", (port) => ({ Host: `127.0.0.2:${port}` }), 200],
  ];
  for (const [name, more, status] of doors) {
    test(`B52: ${name}: ${status}`, () =>
      overHttp(server(), async ({ port }) => {
        const before = runs.of("echo");
        const answer = await raw(port, { headers: [...base, ...Object.entries(more(port))], body: body() });
        assertEquals(answer.status, status, answer.body);
        assertEquals(runs.of("echo") - before, status === 200 ? 1 : 0);
        if (status !== 403) return;
        // streamable-http, "Security & Endpoint": an error response without an id
        const message = JSON.parse(answer.body) as Json;
        assertEquals(["id" in message, typeof message["error"]], [false, "object"]);
        for (const method of ["GET", "DELETE", "OPTIONS"]) {
          const other = await raw(port, { method, headers: [["Accept", "*/*"], ...Object.entries(more(port))] });
          assertEquals(other.status, 403, method);
        }
      }));
  }

  test("B52: origins and hosts that are configured are let in, and nothing near them", () =>
    overHttp(server(), async ({ port }) => {
      const status = async (origin: string, host: string): Promise<number> =>
        (await raw(port, { headers: [...base, ["Origin", origin], ["Host", host]], body: body() })).status;
      assertEquals(await status("https://app.example", `mcp.example:${port}`), 200);
      assertEquals(await status("https://app.example", "mcp.example"), 200);
      for (
        const [origin, host] of [
          ["http://app.example", "mcp.example"],
          ["https://app.example:8443", "mcp.example"],
          ["https://app.example.evil.example", "mcp.example"],
          ["https://sub.app.example", "mcp.example"],
          ["https://app.example", "sub.mcp.example"],
          ["https://app.example", "mcp.example.evil.example"],
        ] as const
      ) assertEquals(await status(origin, host), 403, `${origin} ${host}`);
    }, { allowedOrigins: ["https://app.example"], allowedHosts: ["mcp.example"] }));

  test("B52: binding to more than this machine demands to be told the hosts", () => {
    for (const hostname of ["0.0.0.0", "::", "192.168.0.1", "mcp.example"]) {
      let message = "";
      try {
        Native.layer(server(), { port: 0, hostname });
      } catch (error) {
        message = (error as Error).message;
      }
      assert(message.includes("allowedHosts"), `${hostname}: ${message}`);
    }
  });

  test("B52: in process, only loopback names are served unless others are configured", async () => {
    const at = (url: string, options = {}) =>
      new Promise<number>((resolve) => {
        inProcess(server(), async ({ fetch }) => {
          const response = await fetch(
            new Request(url, { method: "POST", headers: Object.fromEntries(base), body: body() }),
          );
          await response.body?.cancel();
          resolve(response.status);
        }, options);
      });
    assertEquals(await at("http://localhost:9000/mcp"), 200);
    assertEquals(await at("http://[::1]/mcp"), 200);
    assertEquals(await at("https://mcp.example/mcp"), 403);
    assertEquals(await at("https://mcp.example/mcp", { allowedHosts: ["mcp.example"] }), 200);
    assertEquals(await at("http://localhost/mcp", { allowedHosts: ["mcp.example"] }), 403);
  });
});

describe("B53: other methods and paths", () => {
  const off = { legacy: { mode: "off" } } as const;

  test("B53: GET, DELETE, PUT, PATCH and HEAD are answered at once with 405 and Allow where there are no sessions", () =>
    overHttp(server(), async ({ port }) => {
      for (const method of ["GET", "DELETE", "PUT", "PATCH", "HEAD", "TRACE", "PROPFIND"]) {
        for (const accept of ["text/event-stream", "*/*"]) {
          const started = performance.now();
          const answer = await raw(port, { method, headers: [["Accept", accept]] });
          assertEquals([answer.status, answer.headers.get("allow")], [405, "POST, OPTIONS"], method);
          assert(performance.now() - started < 1000);
          assert(!answer.headers.get("content-type")?.includes("event-stream"));
        }
      }
    }, off));

  test("B53: where there are, a GET that names no event stream is 406, one without a session 400; HEAD opens none", () =>
    overHttp(server(), async ({ port }) => {
      const answer = async (method: string, ...headers: ReadonlyArray<readonly [string, string]>) => {
        const { headers: replied, status } = await raw(port, { method, headers });
        assert(!replied.get("content-type")?.includes("event-stream"));
        return [status, replied.get("allow")];
      };
      const allow = "POST, GET, DELETE, OPTIONS";
      assertEquals(await answer("GET"), [406, null]);
      assertEquals(await answer("GET", ["Accept", "text/html"]), [406, null]);
      assertEquals(await answer("GET", ["Accept", "*/*"]), [406, null]);
      assertEquals(await answer("GET", ["Accept", "text/event-stream"]), [400, null]);
      assertEquals(await answer("GET", ["Accept", "text/event-stream"], ["Mcp-Session-Id", "nope"]), [404, null]);
      assertEquals(await answer("DELETE"), [400, null]);
      for (const method of ["HEAD", "PUT", "PATCH", "TRACE", "PROPFIND"]) {
        assertEquals(await answer(method, ["Accept", "text/event-stream"]), [405, allow], method);
      }
    }));

  test("B53: a GET with a Last-Event-ID or a session opens no stream either", () =>
    overHttp(server(), async ({ port }) => {
      const answer = await raw(port, {
        method: "GET",
        headers: [["Accept", "text/event-stream"], ["Mcp-Session-Id", "x"], ["Last-Event-ID", "1"]],
      });
      assertEquals(answer.status, 405);
    }, off));

  test("B53: a session's id on a modern request is ignored, and none is given out (streamable-http, compatibility)", () =>
    bothWays(server, async (target) => {
      for (const id of ["nope", "", "x".repeat(4000)]) {
        const reply = await send(target, call("echo"), { "mcp-session-id": id, "last-event-id": "7" });
        assertEquals([reply.status, reply.headers.get("mcp-session-id")], [200, null]);
      }
    }));

  test("B53: other paths are not served", async () => {
    const rows = [
      ...["/", "/mcp/", "/MCP", "/mcp/x", "//mcp", "/mcp%2f"].map((path) => [path, 404] as const),
      ["/mcp?x=1", 200] as const,
    ];
    await inProcess(server(), async ({ fetch, url }) => {
      for (const [path, status] of rows) {
        const headers = Object.fromEntries(base);
        const request = new Request(new URL(url).origin + path, { method: "POST", headers, body: body() });
        const response = await fetch(request);
        await response.body?.cancel();
        assertEquals(response.status, status, path);
      }
    });
    // By hand: not every runtime's `fetch` leaves paths as they are
    await overHttp(server(), async ({ port }) => {
      for (const [path, status] of rows) {
        assertEquals((await raw(port, { path, headers: base, body: body() })).status, status, path);
      }
    });
  });

  test("B53: a content type that is not JSON is refused with 415", () =>
    bothWays(server, async (target) => {
      for (
        const type of [
          "text/plain",
          "application/x-www-form-urlencoded",
          "application/jsonx",
          "application/json-rpc",
          null,
        ]
      ) {
        const reply = await send(target, call("echo"), { "content-type": type });
        // Without one, a text body gets text/plain from the platform
        assertEquals(reply.status, 415, `${type}`);
      }
      for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json ;x=y"]) {
        assertEquals((await send(target, call("echo"), { "content-type": type })).status, 200, type);
      }
    }));
});

describe("B54: pages of other origins", () => {
  const origin = "https://app.example";
  const asked =
    "content-type, authorization, mcp-protocol-version, mcp-method, mcp-name, mcp-param-region, mcp-session-id, last-event-id";
  const options = {
    allowedOrigins: [origin],
    authenticate: (request: Auth.AuthRequest) =>
      request.header("authorization") === "Bearer good"
        ? Effect.succeed(Auth.principal("ada"))
        : new Auth.Unauthorized({ challenge: 'Bearer realm="door"' }),
  };
  const list = (value: string | null): ReadonlyArray<string> =>
    (value ?? "").toLowerCase().split(",").map((item) => item.trim());

  test("B54: a preflight is answered before authentication, with all headers of the protocol", () =>
    bothWays(server, async (target) => {
      const response = await target.fetch(
        new Request(target.url, {
          method: "OPTIONS",
          headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": asked },
        }),
      );
      await response.body?.cancel();
      assert(response.status === 204 || response.status === 200, `${response.status}`);
      assertEquals(response.headers.get("access-control-allow-origin"), origin);
      assert(list(response.headers.get("access-control-allow-methods")).includes("post"));
      const allowed = list(response.headers.get("access-control-allow-headers"));
      for (const name of list(asked)) assert(allowed.includes(name), name);
      assert(!allowed.includes("*"));
      assertEquals(response.headers.get("access-control-allow-credentials"), null);
      assert(list(response.headers.get("vary")).includes("origin"));
    }, options));

  test("B54: what the page has to read is exposed on results and on errors", () =>
    bothWays(server, async (target) => {
      const good = await send(target, call("echo"), { origin, authorization: "Bearer good" });
      const bad = await send(target, call("echo"), { origin });
      const worse = await send(target, call("nobody"), { origin, authorization: "Bearer good", "mcp-name": "x" });
      const type = await send(target, call("echo"), {
        origin,
        authorization: "Bearer good",
        "content-type": "text/plain",
      });
      assertEquals([good, bad, worse, type].map(({ status }) => status), [200, 401, 400, 415]);
      assertEquals(bad.headers.get("www-authenticate"), 'Bearer realm="door"');
      for (const { headers } of [good, bad, worse, type]) {
        assertEquals(headers.get("access-control-allow-origin"), origin);
        const exposed = list(headers.get("access-control-expose-headers"));
        assert(exposed.includes("mcp-session-id") && exposed.includes("www-authenticate"));
        assertEquals(headers.get("access-control-allow-credentials"), null);
      }
    }, options));

  test("B54: a page that is not allowed gets no such header, not even in its refusal", () =>
    bothWays(server, async (target) => {
      for (const other of ["https://evil.example", "null", `${origin}:8443`]) {
        const reply = await send(target, call("echo"), { origin: other, authorization: "Bearer good" });
        assertEquals([reply.status, reply.headers.get("access-control-allow-origin")], [403, null]);
        const preflight = await target.fetch(
          new Request(target.url, { method: "OPTIONS", headers: { origin: other } }),
        );
        await preflight.body?.cancel();
        assertEquals([preflight.status, preflight.headers.get("access-control-allow-origin")], [403, null]);
      }
    }, options));
});
