/** What serving over HTTP is, on every runtime: real processes, real sockets. */
import { after, before, describe, test } from "node:test";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { bytesOf, connect, exchange, type Raw, raw, type Socket } from "../../cases/socket.ts";
import { asks, call, completes, FORM, headers, type rpc, send, type Target } from "../../cases/wire.ts";
import { type Host, type Runtime, start } from "./runtimes.ts";

const page = "https://app.example";

const target = ({ url }: Host): Target => ({ url: url.href, fetch: (request) => fetch(request) });

const portOf = ({ url }: Host): number => Number(url.port);

/** A request by hand, with `changes` to its headers. */
const request = (body: ReturnType<typeof rpc>, changes: Record<string, string | null> = {}): Raw => ({
  headers: Object.entries(headers(body as never, changes)),
  body: JSON.stringify(body),
});

const open = async (
  host: Host,
  body: ReturnType<typeof rpc>,
  changes?: Record<string, string | null>,
): Promise<Socket> => {
  const socket = await connect(portOf(host));
  await socket.write(bytesOf(portOf(host), request(body, changes)));
  return socket;
};

const json = { accept: "application/json" };
const progress = { _meta: { ...call("").params["_meta"] as object, progressToken: 1 } };
const logs = {
  _meta: { ...call("").params["_meta"] as object, "io.modelcontextprotocol/logLevel": "info" },
};

/** The suite for one runtime. */
export const suite = (runtime: Runtime): void => {
  describe(`requests on ${runtime.name}`, () => {
    let host: Host;
    before(async () => {
      host = await start(runtime, { keepAlive: "200 millis", allowedOrigins: [page] });
    });
    after(async () => {
      host?.kill("SIGTERM");
      await host?.ended;
    });

    test("layer: gives the address it is bound to", () => {
      assertMatch(host.url.href, /^http:\/\/127\.0\.0\.1:[1-9][0-9]*\/mcp$/);
    });

    test("admission: refuses what must not get in, each with its status", async () => {
      const echo = request(call("echo", { text: "x" }));
      const port = portOf(host);
      const changed = (name: string, value: string): Raw => ({
        ...echo,
        headers: [...echo.headers.filter(([other]) => other !== name), [name, value]],
      });
      const rows: ReadonlyArray<readonly [what: string, raw: Raw, status: number]> = [
        ["a call", echo, 200],
        [
          "headers in capitals",
          { ...echo, headers: echo.headers.map(([name, value]) => [name.toUpperCase(), value]) },
          200,
        ],
        ["a query", { ...echo, path: "/mcp?x=/mcp" }, 200],
        ["a whole URL (RFC 9112, section 3.2.2)", { ...echo, path: `http://127.0.0.1:${port}/mcp` }, 200],
        ["another path", { ...echo, path: "/other" }, 404],
        ["PUT", { ...echo, method: "PUT" }, 405],
        ["HEAD", { ...echo, method: "HEAD", body: "" }, 405],
        ["a foreign host", changed("Host", `evil.example:${port}`), 403],
        ["loopback by another name", changed("Host", `LOCALHOST:${port}`), 200],
        ["a foreign page", changed("origin", "https://evil.example"), 403],
        ["an allowed page", changed("origin", page), 200],
        ["its own page", changed("origin", `http://127.0.0.1:${port}`), 200],
        ["a page of another port", changed("origin", `http://127.0.0.1:${port === 1 ? 2 : 1}`), 403],
        [
          "two origins",
          { ...changed("origin", page), headers: [...echo.headers, ["origin", page], ["Origin", page]] },
          403,
        ],
        ["a form", changed("content-type", "application/x-www-form-urlencoded"), 415],
        ["a compressed body", changed("content-encoding", "gzip"), 415],
        ["nothing to reply with", changed("accept", "text/html"), 406],
        ["no JSON", { ...echo, body: "{" }, 400],
        ["no UTF-8", { ...echo, body: new Uint8Array([0x22, 0xff, 0x22]) }, 400],
        ["no body", { ...echo, body: "" }, 400],
        ["a header that contradicts the body", changed("mcp-name", "ask"), 400],
        ["a header with raw bytes that are no ASCII (B45)", changed("mcp-name", "échö"), 400],
      ];
      for (const [what, sent, status] of rows) assertEquals((await raw(port, sent)).status, status, what);
    });

    test("admission: two hosts are none", async () => {
      const echo = request(call("echo", { text: "x" }));
      const twice: Raw = { ...echo, headers: [["Host", "127.0.0.1"], ["Host", "evil.example"], ...echo.headers] };
      const { status } = await raw(portOf(host), twice);
      assert(status === 400 || status === 403, `${status}`);
    });

    test("preflight: names what an allowed page may send (B54)", async () => {
      const asked: Raw = {
        method: "OPTIONS",
        headers: [["Origin", page], ["Access-Control-Request-Method", "POST"], [
          "Access-Control-Request-Headers",
          "content-type, mcp-param-region",
        ]],
      };
      const { headers, status } = await raw(portOf(host), asked);
      assertEquals([status, headers.get("access-control-allow-origin")], [204, page]);
      assertStringIncludes(headers.get("access-control-allow-headers")!, "mcp-param-region");
    });

    test("reply: is JSON where nothing is sent before it, with its length", async () => {
      const reply = await send(target(host), call("echo", { text: "é日本👩‍👩‍👧" }));
      completes(reply, "é日本👩‍👩‍👧");
      assertEquals(reply.headers.get("content-type"), "application/json");
      assertEquals(reply.headers.get("cache-control"), "no-store");
      assertEquals(Number(reply.headers.get("content-length")), new TextEncoder().encode(reply.text).length);
    });

    test("reply: a flow is asked and answered", async () => {
      const { state } = asks(await send(target(host), call("ask", {}, FORM)), "who");
      const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
      completes(await send(target(host), call("ask", {}, FORM, { inputResponses, requestState: state })), "Hello Ada");
    });

    test("reply: a notification gets 202 and no body", async () => {
      const body = { jsonrpc: "2.0", method: "notifications/x", params: {} };
      const answer = await raw(portOf(host), { headers: Object.entries(headers(body)), body: JSON.stringify(body) });
      assertEquals([answer.status, answer.body], [202, ""]);
    });

    test("stream: events arrive as they are sent, and the result is the last", async () => {
      const socket = await open(host, call("progress", {}, {}, progress));
      const head = await socket.until("\r\n\r\n");
      assertMatch(head, /^HTTP\/1\.1 200 /);
      assertMatch(head, /content-type: text\/event-stream/i);
      assertMatch(head, /x-accel-buffering: no/i);
      assertStringIncludes(await socket.until("\n\n"), "notifications/progress");
      await host.release();
      assertStringIncludes(await socket.until('"released"'), '"result"');
      socket.close();
    });

    test("keepAlive: silence becomes a stream with comments, then the result comes", async () => {
      const socket = await open(host, call("wait"));
      assertMatch(await socket.until(": keep-alive\n\n"), /content-type: text\/event-stream/i);
      await socket.until(": keep-alive\n\n");
      await host.release();
      assertStringIncludes(await socket.until('"released"'), '"result"');
      socket.close();
    });

    test("keepAlive: a client that takes no streams waits for its JSON", async () => {
      const responding = send(target(host), call("wait"), json);
      await new Promise((resolve) => setTimeout(resolve, 500));
      await host.release();
      const reply = await responding;
      completes(reply, "released");
      assertEquals(reply.streamed, false);
    });

    test("connection: serves one request after the other, and those that are sent at once in their order", async () => {
      const socket = await connect(portOf(host));
      for (const text of ["one", "two", "three"]) {
        const answer = await exchange(socket, portOf(host), request(call("echo", { text })));
        assertStringIncludes(answer.body, `"${text}"`);
      }
      for (const text of ["four", "five"]) await socket.write(bytesOf(portOf(host), request(call("echo", { text }))));
      await socket.until('"four"');
      await socket.until('"five"');
      socket.close();
    });

    const long = { filler: "x".repeat(100_000) };
    const leaving: ReadonlyArray<
      readonly [what: string, tool: string, more: object, changes: Record<string, string>, gap?: string | undefined]
    > = [
      ["before anything was sent", "wait", {}, {}],
      ["in the middle of a stream", "progress", progress, {}],
      ["with a long request", "wait", long, {}],
      ["without taking streams", "wait", {}, json],
      ["with a long request, without taking streams", "wait", long, json, runtime.gaps.leaving],
    ];
    for (const [what, tool, more, changes, gap] of leaving) {
      test(
        `disconnect: a client that leaves ${what} interrupts the handler (B57)`,
        { skip: gap ?? false },
        async () => {
          const count = async (event: string): Promise<number> =>
            (await host.events()).filter((other) => other === event).length;
          const [began, interrupted] = [await count("waiting"), await count("interrupted")];
          const socket = await open(host, call(tool, {}, {}, more as never), changes);
          await host.until("waiting", began + 1);
          socket.close();
          await host.until("interrupted", interrupted + 1);
          assertEquals(await host.release(), 0);
        },
      );
    }

    test("disconnect: an upload that breaks off does no harm (B57)", async () => {
      const socket = await connect(portOf(host));
      const whole = bytesOf(portOf(host), request(call("echo", { text: "x".repeat(1_000) })));
      await socket.write(whole.subarray(0, whole.length - 500));
      socket.close();
      completes(await send(target(host), call("echo", { text: "next" })), "next");
    });

    test("limits: large bodies get through up to 4 MiB, whole", async () => {
      const text = "é".repeat(1_500_000);
      const reply = await send(target(host), call("echo", { text }));
      assertEquals(reply.result?.content?.[0]?.text?.length, text.length);
    });

    test("limits: a body over the limit gets a readable 413, stated or not (B73)", async () => {
      const { body, headers } = request(call("echo", { text: "x".repeat(5 * 1_048_576) }));
      const stated = await fetch(host.url, { method: "POST", headers: headers as never, body: body as string });
      assertEquals(stated.status, 413);
      assertStringIncludes(await stated.text(), "larger than the limit of 4194304 bytes");
      const bytes = new TextEncoder().encode(body as string);
      const chunks = async function* () {
        for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
        await Promise.resolve();
      };
      const chunked = await fetch(host.url, {
        method: "POST",
        headers: headers as never,
        body: ReadableStream.from(chunks()),
      });
      assertEquals(chunked.status, 413);
      assertStringIncludes(await chunked.text(), "larger than the limit of 4194304 bytes");
      completes(await send(target(host), call("echo", { text: "next" })), "next");
    });

    test("limits: nesting over 1,000 levels is refused", async () => {
      const body = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      assertEquals((await raw(portOf(host), { ...request(call("echo", {})), body })).status, 400);
    });

    test("limits: a client that does not read loses notices, not its result", async () => {
      const flooded = (await host.events()).filter((event) => event === "flooded").length;
      const socket = await open(host, call("flood", { times: 1_000 }, {}, logs), { connection: "close" });
      await host.until("flooded", flooded + 1);
      const text = await socket.rest();
      assertStringIncludes(text, '"done"');
      // 64 MiB were sent; what is kept for the client is about 1 MiB, and some more is in the buffers of sockets
      assert(text.length < 24 * 1_048_576, `${text.length}`);
    });

    test("fallback: serves other paths, with headers, cookies and bodies as they are", async () => {
      const url = new URL("/echo?q=1", host.url);
      const sent = new Uint8Array(300_000).map((_, i) => i % 251);
      const response = await fetch(url, { method: "POST", headers: { "x-sent": "yes" }, body: sent });
      assertEquals(
        [
          response.status,
          response.headers.get("x-sent"),
          response.headers.get("x-url"),
          response.headers.getSetCookie(),
        ],
        [201, "yes", url.href, ["a=1", "b=2"]],
      );
      assertEquals(new Uint8Array(await response.arrayBuffer()), sent);
    });

    test("fallback: answers HEAD without a body, and failures with 500", async () => {
      const head = await fetch(new URL("/events", host.url), { method: "HEAD" });
      assertEquals([head.status, head.headers.get("x-head"), await head.text()], [200, "yes", ""]);
      const broken = await fetch(new URL("/broken", host.url));
      assertEquals([broken.status, await broken.text()], [500, "Internal error"]);
      assertStringIncludes(host.errors(), "The fallback failed");
    });

    test("fallback: is told when its client leaves", async () => {
      const socket = await connect(portOf(host));
      await socket.write(`GET /hang HTTP/1.1\r\nHost: 127.0.0.1:${portOf(host)}\r\n\r\n`);
      await host.until("hanging");
      socket.close();
      await host.until("hung up");
    });

    test("errors: what is no HTTP is refused, and the next request is served", async () => {
      const socket = await connect(portOf(host));
      await socket.write("HELO mail.example\r\n\r\n");
      await socket.rest(1_000);
      completes(await send(target(host), call("echo", { text: "next" })), "next");
    });
  });
};
