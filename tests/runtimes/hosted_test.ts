/** A server as the handler of a bare host, and in a router of `effect/http` over `node:http`, over sockets. */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { McpServer } from "@needful/mcp";
import { call, completes, M, send } from "../cases/wire.ts";
import { quiet } from "../transport/fixture.ts";
import { launch, stop } from "./suite/launch.ts";
import { at, eventually, type Fetch, flow, peek, shop, url } from "./suite/mounted.ts";
import { runtimes } from "./suite/runtimes.ts";

describe("toWebHandler in a bare host", () => {
  test("fetch: serves as the handler of a host, over its sockets", async () => {
    const { ended, server } = shop();
    const { dispose, fetch: handler } = McpServer.toWebHandler(server, quiet);
    const host = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
    const there: Fetch = (request) =>
      fetch(`http://127.0.0.1:${host.addr.port}/mcp`, {
        method: "POST",
        headers: request.headers,
        body: request.body,
      });
    await flow(at(there));
    assertStringIncludes(await peek(there), "notifications/progress");
    await eventually(() => ended.length > 0);
    await dispose();
    await host.shutdown();
  });
});

describe("layer of @needful/mcp/http over node:http", () => {
  for (const runtime of runtimes.filter(({ entry }) => entry === "node")) {
    test(`layer: serves, streams and notices clients that leave on ${runtime.name}`, async () => {
      const secret = "a key for tests that is long enough";
      const host = await launch(await runtime.command("router_node"), { MCP_STATE_SECRET: secret });
      try {
        const there: Fetch = ({ body, headers, method, signal }) =>
          fetch(host.url, { method, headers, body, signal, ...{ duplex: "half" } });
        const events = async (): Promise<ReadonlyArray<string>> =>
          await (await fetch(new URL("/events", host.url))).json();
        const until = async (event: string, times: number): Promise<void> => {
          for (let turns = 0; (await events()).filter((other) => other === event).length < times; turns++) {
            if (turns > 1_000) throw new Error(`"${event}" did not happen`);
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        };
        await flow(at(there));
        completes(await send(at(there), call("echo", { text: "é".repeat(1_000_000) })), "é".repeat(1_000_000));
        assertEquals((await send(at(there), call("echo", { text: "x".repeat(5_000_000) }))).status, 413);
        assertEquals((await send(at(there), call("echo"), { origin: "https://evil.example" })).status, 403);
        // In the middle of a stream, which silence began
        const { body, headers } = M(call("wait"));
        const response = await there(new Request(url, { method: "POST", headers, body }));
        const reader = response.body!.getReader();
        assertStringIncludes(new TextDecoder().decode((await reader.read()).value), ": keep-alive");
        await reader.cancel();
        await until("interrupted", 1);
        // Before anything was sent
        const leaving = new AbortController();
        const { signal } = leaving;
        const json = M(call("wait"), { accept: "application/json" });
        const left = there(new Request(url, { method: "POST", ...json, signal })).catch(() => {});
        await until("waiting", 2);
        leaving.abort();
        await left;
        await until("interrupted", 2);
      } finally {
        await stop(host);
      }
      assertEquals(host.errors(), "");
    });
  }
});
