/** Case B50: what a body may be, and which error it is where it is not. The parts about stdio and batches of 2025-03-26 are not here. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { McpServer } from "@needful/mcp";
import { counter, echo } from "./fixtures.ts";
import { bothWays, inProcess, overHttp } from "./serve.ts";
import { bytesOf, connect, exchange, parse } from "./socket.ts";
import { call, headers, type Json, META, post, type Reply, rpc, send, type Target, text } from "./wire.ts";

const server = () => McpServer.make({ name: "bodies", version: "1", tools: [echo(counter())] });

const base = headers({ method: "tools/call", params: { name: "echo" } });

const raw = (target: Target, body: string | Uint8Array<ArrayBuffer>): Promise<Reply> =>
  post(target, { headers: base, body });

const encoder = new TextEncoder();
const valid = (): string => JSON.stringify(call("echo", { a: 1 }));

/** `text` with the byte `byte` in the place of each `%`. */
const withByte = (text: string, byte: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(encoder.encode(text), (b) => b === 37 ? byte : b);

describe("B50: bodies that cannot be read", () => {
  const unreadable: ReadonlyArray<readonly [string, string | Uint8Array<ArrayBuffer>]> = [
    ["a broken object", "{bad"],
    ["an empty body", ""],
    ["white space", " \r\n "],
    ["half a message", valid().slice(0, -5)],
    ["two messages", valid() + valid()],
    ["two messages in lines", `${valid()}\n${valid()}`],
    ["a comma at the end", '{"jsonrpc":"2.0","id":1,"method":"ping",}'],
    ["single quotes", "{'jsonrpc':'2.0'}"],
    ["a raw line break in a text", '{"jsonrpc":"2.0","id":"\n"}'],
    ["NaN", '{"jsonrpc":"2.0","id":NaN}'],
    ["Windows-1252", withByte(JSON.stringify(call("echo", { a: "dash %" })), 0x97)],
    ["a byte that is never UTF-8", withByte(JSON.stringify(call("echo", { a: "%" })), 0xff)],
    ["UTF-8 that breaks off", encoder.encode("€").slice(0, 2)],
    ["an overlong form", Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
    ["a surrogate in UTF-8", Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ["UTF-16", Uint8Array.from([...valid()].flatMap((c) => [c.charCodeAt(0), 0]))],
  ];
  for (const [name, body] of unreadable) {
    test(`B50: ${name} is a parse error: 400 and -32700, without an id`, () =>
      bothWays(server, async (target) => {
        const reply = await raw(target, body);
        assertEquals([reply.status, reply.error?.code], [400, -32700], reply.text);
        assertEquals("id" in (JSON.parse(reply.text) as Json), false);
      }));
  }
});

describe("B50: JSON that is no message", () => {
  const meta = META();
  const malformed: ReadonlyArray<readonly [string, unknown, string | number | undefined]> = [
    ["an empty list", [], undefined],
    ["a list with a valid request", [call("echo")], undefined],
    ["a list with a notification", [{ jsonrpc: "2.0", method: "x" }], undefined],
    ["a text", "x", undefined],
    ["a number", 1, undefined],
    ["null", null, undefined],
    ["true", true, undefined],
    ["an empty object", {}, undefined],
    ["no method", { jsonrpc: "2.0", id: 1, params: meta }, 1],
    ["a method that is no text", { jsonrpc: "2.0", id: 1, method: 1, params: meta }, 1],
    ["a method that is null", { jsonrpc: "2.0", id: "a", method: null, params: meta }, "a"],
    ["another version of JSON-RPC", { jsonrpc: "1.0", id: 1, method: "tools/list", params: meta }, 1],
    ["a version that is a number", { jsonrpc: 2.0, id: 1, method: "tools/list", params: meta }, 1],
    ["no version of JSON-RPC", { id: 1, method: "tools/list", params: meta }, 1],
    ["params that are a list", { jsonrpc: "2.0", id: 1, method: "tools/list", params: [] }, 1],
    ["params that are a text", { jsonrpc: "2.0", id: 1, method: "tools/list", params: "x" }, 1],
    ["params that are null", { jsonrpc: "2.0", id: 1, method: "tools/list", params: null }, 1],
    ["an id that is no integer", { jsonrpc: "2.0", id: 1.5, method: "tools/list", params: meta }, undefined],
    ["an id that is null", { jsonrpc: "2.0", id: null, method: "tools/list", params: meta }, undefined],
    ["an id that is a boolean", { jsonrpc: "2.0", id: true, method: "tools/list", params: meta }, undefined],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "tools/list", params: meta }, undefined],
    ["an id that is a list", { jsonrpc: "2.0", id: [1], method: "tools/list", params: meta }, undefined],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }, undefined],
    ["a response with an error", { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } }, undefined],
  ];
  for (const [name, json, id] of malformed) {
    test(`B50: ${name} is an invalid request: 400 and -32600`, () =>
      bothWays(server, async (target) => {
        const reply = await raw(target, JSON.stringify(json));
        assertEquals([reply.status, reply.error?.code], [400, -32600], reply.text);
        const message = JSON.parse(reply.text) as Json;
        assert(
          id === undefined
            ? !("id" in message) || message["id"] === 1 && "result" in (json as Json)
            : message["id"] === id,
          reply.text,
        );
      }));
  }
});

describe("B50: what is strange and nonetheless valid", () => {
  test("B50: a byte-order mark before the body is dropped, one inside of a text kept", () =>
    bothWays(server, async (target) => {
      const reply = await raw(target, `\ufeff${JSON.stringify(call("echo", { a: "\ufeffx" }))}`);
      assertEquals(text(reply), JSON.stringify({ a: "\ufeffx" }));
    }));

  test("B50: texts of every kind come back as they were", () =>
    bothWays(server, async (target) => {
      const args = { a: 'é 日本語 👩‍👩‍👧 \u2028\u2029\u0085\ufeff\u0000\u001f"\\/ \ud83d\ude00', "": 1, "k\u0000": [] };
      assertEquals(text(await send(target, call("echo", args))), JSON.stringify(args));
    }));

  test("B50: an escape that is half a surrogate comes back as the same escape", () =>
    bothWays(server, async (target) => {
      const body = JSON.stringify(call("echo")).replace('"name":"echo"', '"name":"echo","arguments":{"a":"x\\ud800y"}');
      const reply = await raw(target, body);
      assertEquals([reply.status, text(reply)], [200, '{"a":"x\\ud800y"}'], reply.text);
    }));

  test("B50: of keys that stand twice the last counts, in header checks and in the call alike", () =>
    inProcess(server(), async (target) => {
      const twice = (first: string, last: string) =>
        JSON.stringify(call("echo")).replace('"name":"echo"', `"name":"${first}","name":"${last}"`);
      assertEquals((await raw(target, twice("nobody", "echo"))).result?.resultType, "complete");
      assertEquals((await raw(target, twice("echo", "nobody"))).error?.code, -32020);
    }));

  test("B50: ids keep their type and text", () =>
    bothWays(server, async (target) => {
      for (
        const id of [
          0,
          -1,
          2 ** 53 - 1,
          -(2 ** 53 - 1),
          "",
          "0",
          "1.5",
          "null",
          "日本語",
          "__proto__",
          "x".repeat(10_000),
        ]
      ) {
        const reply = await send(target, rpc("tools/list", META(), id));
        assertEquals([reply.status, reply.id], [200, id]);
      }
    }));

  test("B50: members of JSON-RPC that nobody knows are ignored, and numbers may be written in any way", () =>
    bothWays(server, async (target) => {
      const body = JSON.stringify(call("echo", { n: 0 })).replace('"n":0', '"n":1e2').replace("{", '{"x":{"y":[]},');
      assertEquals(text(await raw(target, body)), '{"n":100}');
    }));

  test("B50: notifications are taken and not answered, whatever they are", () =>
    bothWays(server, async (target) => {
      const notes: ReadonlyArray<Json> = [
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { ...META(), requestId: 1 } },
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { ...META() } },
        { jsonrpc: "2.0", method: "notifications/nobody-knows", params: META() },
        { jsonrpc: "2.0", method: "tools/call", params: { ...META(), name: "echo" } },
      ];
      for (const note of notes) {
        const reply = await send(target, note);
        assertEquals([reply.status, reply.text, reply.headers.get("content-type")], [202, "", null]);
      }
    }));
});

describe("B50: nesting", () => {
  test("B50: a body of 100,000 levels is refused at once, and so is one of 1,001", () =>
    bothWays(server, async (target) => {
      for (const levels of [100_000, 1_000_000, 1_001]) {
        for (const [open, close] of [["[", "]"], ['{"a":', "}"]] as const) {
          const deep = open.repeat(levels) + (open === "[" ? "" : "1") + close.repeat(levels);
          const started = performance.now();
          const reply = await raw(target, deep.length < 4_000_000 ? deep : deep.slice(0, 4_000_000));
          assertEquals(reply.status, 400, reply.text);
          assert([-32600, -32700].includes(reply.error?.code ?? 0), reply.text);
          assert(performance.now() - started < 2000);
        }
      }
    }));

  test("B50: 900 levels of arguments are served", () =>
    inProcess(server(), async (target) => {
      const args = JSON.parse('{"a":'.repeat(900) + "1" + "}".repeat(900)) as Json;
      assertEquals(text(await send(target, call("echo", args))), JSON.stringify(args));
    }));

  test("B50: brackets inside of texts do not count", () =>
    inProcess(server(), async (target) => {
      const args = { a: '[{"'.repeat(5000), b: '\\"['.repeat(5000) };
      assertEquals(text(await send(target, call("echo", args))), JSON.stringify(args));
    }));
});

test("B50: a body that comes byte by byte is what it is, characters that are split included (also B64)", () =>
  overHttp(server(), async ({ port }) => {
    const args = { a: "é 日本語 👩‍👩‍👧 \u2028" };
    const bytes = bytesOf(port, {
      headers: [...Object.entries(base), ["Connection", "close"]],
      body: JSON.stringify(call("echo", args)),
    });
    const socket = await connect(port);
    for (const byte of bytes) await socket.write(Uint8Array.of(byte));
    const { body, status } = parse(await socket.rest());
    const { result } = JSON.parse(body) as {
      readonly result: { readonly content: ReadonlyArray<{ readonly text: string }> };
    };
    assertEquals([status, result.content[0]?.text], [200, JSON.stringify(args)]);
    socket.close();
  }));

test("B50: ids that a double does not hold are refused, for they could not come back the same", () =>
  inProcess(server(), async (target) => {
    for (const id of ["9007199254740992", "-9007199254740993", "1e21", "1e400", "0.1"]) {
      const body = JSON.stringify(call("echo")).replace(/"id":\d+/, `"id":${id}`);
      const reply = await raw(target, body);
      assertEquals(
        [reply.status, reply.error?.code, "id" in (JSON.parse(reply.text) as Json)],
        [400, -32600, false],
        id,
      );
    }
    for (const id of ["9007199254740991", "1e2", "5.0"]) {
      const reply = await raw(target, JSON.stringify(call("echo")).replace(/"id":\d+/, `"id":${id}`));
      assertEquals([reply.status, reply.id], [200, Number(id)]);
    }
  }));

test("B50: after a bad body the same connection goes on", () =>
  overHttp(server(), async ({ port }) => {
    const socket = await connect(port);
    for (const [body, status] of [["{bad", 400], [valid(), 200], ["[]", 400], [valid(), 200]] as const) {
      assertEquals((await exchange(socket, port, { headers: Object.entries(base), body })).status, status);
    }
    socket.close();
  }));
