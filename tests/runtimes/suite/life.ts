/** How a server begins and ends, on every runtime. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { bytesOf, connect } from "../../cases/socket.ts";
import { call, completes, events, headers, type Json, META, rpc, send, type Target, text } from "../../cases/wire.ts";
import { Refused } from "./launch.ts";
import { type Host, hosting, type Runtime, start } from "./runtimes.ts";
import type { Chosen } from "./served.ts";
import { cert, key } from "./tls.ts";

const target = ({ url }: Host): Target => ({ url: url.href, fetch: (request) => fetch(request) });

const listen: Json = rpc("subscriptions/listen", { notifications: { toolsListChanged: true }, ...META() }) as never;

const post = (host: Host, body: Json): Promise<Response> =>
  fetch(host.url, { method: "POST", headers: headers(body), body: JSON.stringify(body) });

const refused = (runtime: Runtime, chosen: Chosen, more?: Record<string, string>): Promise<Refused> =>
  start(runtime, chosen, more).then(
    () => {
      throw new Error("It listens");
    },
    (error: unknown) => {
      if (error instanceof Refused) return error;
      throw error;
    },
  );

/** The suite for one runtime. */
export const suite = (runtime: Runtime): void => {
  describe(`life on ${runtime.name}`, () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      test(`run: serves until ${signal}, then releases everything and ends with 0`, async () => {
        const host = await start(runtime);
        completes(await send(target(host), call("echo", { text: "x" })), "x");
        host.kill(signal);
        assertEquals(await host.ended, 0);
        assertEquals(host.lines.slice(1), ["released, counted 0"]);
        assertEquals(host.errors(), "");
      });
    }

    test("run: says why it cannot start, and ends with 1", () =>
      hosting(runtime, async (host) => {
        const { code, message } = await refused(runtime, { port: Number(host.url.port) });
        assertEquals(code, 1);
        assertStringIncludes(message, `Cannot listen on 127.0.0.1:${host.url.port}: `);
        const weak = await refused(runtime, {}, { MCP_STATE_SECRET: "short" });
        assertEquals(weak.code, 1);
        assertStringIncludes(
          weak.message,
          "ServeError: Cannot seal with MCP_STATE_SECRET: its key 1 has 5 bytes, and at least 32 are needed",
        );
      }));

    test("layer: a bind that others can reach needs the names it is reached by", async () => {
      const { message } = await refused(runtime, { hostname: "0.0.0.0" });
      assertStringIncludes(message, "Cannot listen on 0.0.0.0 without allowedHosts");
      await hosting(runtime, async (host) => {
        assertEquals([host.url.hostname, (await post(host, call("echo", { text: "x" }) as never)).status], [
          "0.0.0.0",
          403,
        ]);
        const socket = await connect(Number(host.url.port));
        const sent = { headers: [["Host", "mcp.example"], ...Object.entries(headers(listen))] as never, body: "" };
        await socket.write(bytesOf(Number(host.url.port), sent));
        assertMatch(await socket.until("\r\n"), / 400 /);
        socket.close();
      }, { hostname: "0.0.0.0", allowedHosts: ["mcp.example"] });
    });

    test("layer: takes its path and its limit of bodies", () =>
      hosting(runtime, async (host) => {
        assertEquals(host.url.pathname, "/rpc");
        completes(await send(target(host), call("echo", { text: "x" })), "x");
        assertEquals((await send(target(host), call("echo", { text: "x".repeat(1_000) }))).status, 413);
      }, { path: "/rpc", maxBody: 1_000 }));

    test("authenticate: refuses with a challenge, and sees the whole URL", () =>
      hosting(runtime, async (host) => {
        const refused = await send(target(host), call("me"));
        assertEquals([refused.status, refused.headers.get("www-authenticate")], [401, "Bearer"]);
        const reply = await send(target(host), call("me"), { authorization: "Bearer ada" });
        assertEquals(text(reply), `ada at ${host.url.href}`);
      }, { auth: true }));

    test("tls: serves HTTPS", async () => {
      const client = Deno.createHttpClient({ caCerts: [cert] });
      await hosting(runtime, async ({ url }) => {
        assertEquals(url.protocol, "https:");
        const body = call("me");
        const init = { method: "POST", headers: headers(body as never, { authorization: "Bearer ada" }), client };
        const response = await fetch(new URL(url.href.replace("127.0.0.1", "localhost")), {
          ...init,
          body: JSON.stringify(body),
        });
        assertEquals(response.status, 200);
        assertStringIncludes(await response.text(), `ada at https://localhost:${url.port}/mcp`);
      }, { tls: { cert, key }, auth: true });
      client.close();
    });

    test("stop: ends subscriptions with their result", async () => {
      const host = await start(runtime);
      const response = await post(host, listen);
      const all = response.text();
      host.kill("SIGTERM");
      assertEquals(events(await all).map((message) => message["method"] ?? (message["result"] as Json)["resultType"]), [
        "notifications/subscriptions/acknowledged",
        "complete",
        "notifications/cancelled",
      ]);
      assertEquals(await host.ended, 0);
    });

    test("stop: loses no reply under load", async () => {
      const host = await start(runtime);
      const replies: Array<string> = [];
      let going = true;
      const work = async (worker: number): Promise<void> => {
        while (going) {
          const millis = (worker * 7 + replies.length) % 40;
          const response = await post(host, call("count", { millis }) as never).catch(() => undefined);
          // Once it stops, it takes no more connections, and says so on those that there are
          if (response === undefined) return;
          const body = await response.text().catch(() => "");
          if (response.status === 503) return;
          replies.push(`${response.status} ${body.includes('"counted"')}`);
        }
      };
      const workers = Array.from({ length: 48 }, (_, worker) => work(worker));
      await host.until("counted", 200);
      host.kill("SIGTERM");
      const code = await host.ended;
      going = false;
      await Promise.all(workers);
      assertEquals(code, 0, host.errors());
      assertEquals(new Set(replies), new Set(["200 true"]));
      // What was begun was answered
      assertEquals(host.lines.at(-1), `released, counted ${replies.length}`);
      assert(replies.length >= 200, `${replies.length}`);
    });

    test("stop: interrupts what takes longer than it may", async () => {
      const host = await start(runtime, { stopWithin: "100 millis" });
      const responding = send(target(host), call("wait")).then(({ status }) => status, () => 0);
      const hanging = await connect(Number(host.url.port));
      await host.until("waiting");
      host.kill("SIGTERM");
      assertEquals(await host.ended, 0);
      assertEquals(await responding, 503);
      assertEquals(await hanging.rest(), "");
      hanging.close();
    });

    test("stop: who asks twice does not want to wait", async () => {
      const host = await start(runtime);
      const responding = send(target(host), call("wait")).catch(() => {});
      await host.until("waiting");
      host.kill("SIGTERM");
      // Not at once: two signals of one kind may become one on their way. A server that stops takes no calls
      const serves = () => send(target(host), call("echo")).then(({ status }) => status !== 503, () => false);
      while (await serves());
      host.kill("SIGTERM");
      assertEquals(await host.ended, 130);
      await responding;
    });

    test("stop: does not wait for a client that reads nothing", async () => {
      const host = await start(runtime, { stopWithin: "100 millis" });
      const socket = await connect(Number(host.url.port));
      const more = {
        _meta: { ...META()._meta, "io.modelcontextprotocol/logLevel": "info" },
      };
      const body = call("flood", { times: 500 }, {}, more);
      await socket.write(
        bytesOf(Number(host.url.port), { headers: Object.entries(headers(body as never)), body: JSON.stringify(body) }),
      );
      await host.until("flooded");
      host.kill("SIGTERM");
      assertEquals(await host.ended, 0, host.errors());
      socket.close();
    });
  });
};
