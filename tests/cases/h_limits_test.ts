/** Case B73: how large a message may be, whatever is said of it. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Resource, Tool } from "@needful/mcp";
import { type Counter, counter } from "./fixtures.ts";
import { bothWays, inProcess, type Listening, overHttp } from "./serve.ts";
import { bytesOf, connect, parse, raw } from "./socket.ts";
import { call, completes, headers, type Json, read, send } from "./wire.ts";

const mebi = 1_048_576;

const server = (runs: Counter) =>
  McpServer.make({
    name: "limits",
    version: "1",
    tools: [
      Tool.make("length", {
        description: "Says how long a text is",
        input: Schema.Struct({ text: Schema.String }),
        handler: ({ text }) => Effect.as(runs.count("length"), `${text.length}`),
      }),
      Tool.make("produce", {
        description: "Gives a long text",
        input: Schema.Struct({ length: Schema.Int }),
        handler: ({ length }) => Effect.succeed("x".repeat(length)),
      }),
    ],
    resources: [
      Resource.make("note:///large", { name: "large", handler: () => Effect.succeed("x".repeat(20 * mebi)) }),
    ],
  });

const length = (count: number) => call("length", { text: "x".repeat(count) });
const base = Object.entries(headers(length(0) as unknown as Json));

/** The chunks of a body, each with its size. */
const chunked = (body: string, size: number): string => {
  let text = "";
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size);
    text += `${part.length.toString(16)}\r\n${part}\r\n`;
  }
  return `${text}0\r\n\r\n`;
};

const alive = async (target: Listening): Promise<void> => completes(await send(target, length(1)), "1");

const isReadable = (body: string): void => {
  const { error } = JSON.parse(body) as { readonly error: { readonly code: number; readonly message: string } };
  assertEquals(error.code, -32600);
  assert(/limit of \d+ bytes/.test(error.message), error.message);
};

describe("B73: bodies", () => {
  test("B73: 4 MiB by default: an image of 3 MiB in base64 is fine, 5 and 20 MiB are told why not", async () => {
    const runs = counter();
    await bothWays(() => server(runs), async (target) => {
      for (const count of [1 * mebi, 3 * mebi, 4 * mebi - 1000]) {
        completes(await send(target, length(count)), `${count}`);
      }
      const before = runs.of("length");
      for (const count of [4 * mebi, 5 * mebi, 20 * mebi]) {
        const reply = await send(target, length(count));
        assertEquals(reply.status, 413);
        isReadable(reply.text);
      }
      assertEquals(runs.of("length"), before);
    });
  });

  test("B73: the limit can be set, counts bytes, and is exact", () => {
    const body = call("length", { text: "é".repeat(100) });
    const size = new TextEncoder().encode(JSON.stringify(body)).length;
    return inProcess(server(counter()), async (target) => {
      completes(await send(target, body), "100");
      const more = { ...body, params: { ...body.params, arguments: { text: `${"é".repeat(100)}x` } } };
      assertEquals((await send(target, more)).status, 413);
    }, { maxBody: size });
  });

  test("B73: a body in chunks without a length is read up to the limit", () =>
    overHttp(server(counter()), async (target) => {
      const send = (count: number, size: number) =>
        raw(target.port, {
          headers: [...base, ["Transfer-Encoding", "chunked"]],
          body: chunked(JSON.stringify(length(count)), size),
        });
      const good = await send(100_000, 1000);
      assert(good.status === 200 && good.body.includes('"100000"'), good.body);
      const tiny = await send(200, 1);
      assert(tiny.status === 200 && tiny.body.includes('"200"'), tiny.body);
      await alive(target);
    }));

  test("B73: chunks that never end are cut off at the limit", () =>
    overHttp(server(counter()), async (target) => {
      const socket = await connect(target.port);
      const head = bytesOf(target.port, { headers: [...base, ["Transfer-Encoding", "chunked"]] });
      await socket.write(head);
      const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
      const answer = socket.until("\r\n\r\n");
      // The server may close while we are still sending
      const sending = (async () => {
        for (let i = 0; i < 400; i++) await socket.write(chunk);
      })().catch(() => {});
      assertEquals(parse(await answer).status, 413);
      socket.close();
      await sending;
      await alive(target);
    }));

  test("B73: a length over the limit is refused before anything is sent", () =>
    overHttp(server(counter()), async (target) => {
      for (const stated of [`${5 * mebi}`, `${2 ** 40}`, "99999999999999999999"]) {
        const socket = await connect(target.port);
        const request = { headers: [...base, ["Content-Length", stated] as const] };
        await socket.write(bytesOf(target.port, request));
        const { status } = parse(await socket.until("\r\n\r\n"));
        assert(status === 413 || (status === 400 && stated.length > 15), `${stated}: ${status}`);
        socket.close();
      }
      await alive(target);
    }));

  test("B73: a length that is too short makes a broken message of what it covers, and runs nothing", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const body = JSON.stringify(length(300));
      const answer = await raw(target.port, { headers: [...base, ["Content-Length", "100"]], body });
      assertEquals(answer.status, 400, answer.body);
      await alive(target);
      assertEquals(runs.of("length"), 1);
    });
  });

  test("B73: a length that is too long waits for the rest, and a client that leaves has asked for nothing", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const socket = await connect(target.port);
      const body = JSON.stringify(length(3));
      await socket.write(bytesOf(target.port, { headers: [...base, ["Content-Length", `${body.length + 10}`]], body }));
      await alive(target);
      socket.close();
      await alive(target);
      assertEquals(runs.of("length"), 2);
    });
  });

  test("B73: a length and chunks at once, two lengths, and a length that is none run nothing twice", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const body = JSON.stringify(length(3));
      const lies: ReadonlyArray<ReadonlyArray<readonly [string, string]>> = [
        [["Content-Length", "5"], ["Content-Length", `${body.length}`]],
        [["Content-Length", "-1"]],
        [["Content-Length", "0x10"]],
        [["Content-Length", `${body.length}`], ["Transfer-Encoding", "chunked"]],
        [["Transfer-Encoding", "gzip"]],
      ];
      for (const lie of lies) {
        const socket = await connect(target.port);
        await socket.write(bytesOf(target.port, { headers: [...base, ...lie, ["Connection", "close"]], body }));
        const { status } = parse(await socket.rest(500));
        assert(status !== 200 && !(status >= 500 && status !== 501), `${JSON.stringify(lie)}: ${status}`);
        socket.close();
      }
      assertEquals(runs.of("length"), 0);
      await alive(target);
    });
  });

  test("B73: compressed bodies are refused, so that none can grow", () =>
    overHttp(server(counter()), async (target) => {
      const bomb = new Uint8Array(
        await new Response(new Response("x".repeat(20 * mebi)).body!.pipeThrough(new CompressionStream("gzip")))
          .arrayBuffer(),
      );
      for (const encoding of ["gzip", "deflate", "br", "GZIP", "gzip, identity"]) {
        const answer = await raw(target.port, { headers: [...base, ["Content-Encoding", encoding]], body: bomb });
        assertEquals(answer.status, 415, encoding);
      }
      await alive(target);
    }));
});

describe("B73: results", () => {
  test("B73: results have no limit", () =>
    bothWays(() => server(counter()), async (target) => {
      const { result } = await send(target, call("produce", { length: 20 * mebi }));
      assertEquals(result?.content?.[0]?.text?.length, 20 * mebi);
      const large = await send(target, read("note:///large"));
      assertEquals((large.result?.["contents"] as ReadonlyArray<{ readonly text: string }>)[0]?.text.length, 20 * mebi);
    }));
});
