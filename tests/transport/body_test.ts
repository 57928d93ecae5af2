import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { isFault } from "../../src/model/fault.ts";
import { parse, read } from "../../src/transport/body.ts";

type Chunk = Uint8Array<ArrayBuffer>;

const bytes = (text: string): Chunk => new TextEncoder().encode(text);

const post = (body: BodyInit | null, headers: Record<string, string> = {}): Request =>
  new Request("http://localhost/mcp", { method: "POST", body, headers, ...{ duplex: "half" } });

const readAll = (request: Request, limit = 100): Promise<string | number> =>
  new Promise((resolve) => read(request, limit, (body) => resolve(isFault(body) ? body.status : body)));

/** A body that never ends, and counts what was asked of it. */
const endless = () => {
  const seen = { chunks: 0, cancelled: false };
  const stream = new ReadableStream<Chunk>({
    pull: (controller) => {
      seen.chunks++;
      controller.enqueue(new Uint8Array(10));
    },
    cancel: () => {
      seen.cancelled = true;
    },
  }, { highWaterMark: 0 });
  return { stream, seen };
};

describe("read", () => {
  test("read: joins chunks, characters that are split over them included", async () => {
    const parts = [...bytes("é日本")].map((byte) => new Uint8Array([byte]));
    assertEquals(await readAll(post(ReadableStream.from(parts))), "é日本");
    assertEquals(await readAll(post("x")), "x");
    assertEquals(await readAll(post(null)), "");
  });

  test("read: drops a byte-order mark (B50)", async () => {
    assertEquals(await readAll(post(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]))), "{}");
  });

  test("read: refuses bytes that are not UTF-8 (B50)", async () => {
    assertEquals(await readAll(post(new Uint8Array([0x22, 0x97, 0x22]))), 400);
    // And is not confused by them afterwards
    assertEquals(await readAll(post("ok")), "ok");
  });

  test("read: takes the replacement character, which stands in texts that are UTF-8, too", async () => {
    assertEquals(await readAll(post('"\ufffd"')), '"\ufffd"');
    assertEquals(await readAll(post(new Uint8Array([...bytes("\ufffd"), 0x97]))), 400);
    // Three bytes that break off become a character of three bytes
    assertEquals(await readAll(post(new Uint8Array([0x22, 0xf0, 0x9f, 0x98, 0x22]))), 400);
  });

  test("read: takes and refuses what a strict decoder does (Encoding Standard)", async () => {
    const strict = (body: Uint8Array): string | number => {
      try {
        return new TextDecoder("utf-8", { fatal: true }).decode(body);
      } catch {
        return 400;
      }
    };
    // Bytes at which UTF-8 changes its mind
    const byte = fc.oneof(
      fc.constantFrom(0, 0x7f, 0x80, 0xbb, 0xbd, 0xbf, 0xc2, 0xed, 0xef, 0xf0, 0xf4, 0xff),
      fc.nat(255),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(byte, { maxLength: 6 }), async (all) => {
        const body = new Uint8Array(all);
        assertEquals(await readAll(post(body)), strict(body));
      }),
      { numRuns: 1_000 },
    );
  });

  test("read: takes bodies of exactly the limit", async () => {
    assertEquals(await readAll(post("x".repeat(100))), "x".repeat(100));
    assertEquals(await readAll(post("x".repeat(101))), 413);
  });

  test("read: stops at the limit, whatever length is stated (B73)", async () => {
    const { seen, stream } = endless();
    assertEquals(await readAll(post(stream, { "content-length": "5" })), 413);
    assertEquals(seen, { chunks: 11, cancelled: true });
  });

  test("read: gives up when it is told to", async () => {
    let cancelled = false;
    const stream = new ReadableStream({
      cancel: () => {
        cancelled = true;
      },
    });
    read(post(stream), 100, () => {})();
    await Promise.resolve();
    assertEquals(cancelled, true);
  });

  test("read: reports a body that breaks off", async () => {
    const stream = new ReadableStream({ start: (controller) => controller.error(new Error("gone")) });
    assertEquals(await readAll(post(stream)), 400);
  });
});

describe("parse", () => {
  const codeOf = (text: string): unknown => {
    const parsed = parse(text);
    return isFault(parsed) ? parsed.code : parsed.json;
  };

  test("parse: tells what is not JSON from what is nested too deeply (B50)", () => {
    for (const text of ["", "{bad", "nul", "[1,]", "\ufeff{}"]) assertEquals(codeOf(text), -32700, text);
    for (const depth of [1_001, 100_000]) {
      assertEquals(codeOf("[".repeat(depth) + "]".repeat(depth)), -32600);
      assertEquals(codeOf('{"a":'.repeat(depth) + "1" + "}".repeat(depth)), -32600);
    }
  });

  test("parse: sees where strings end, however they are escaped", () => {
    const deep = "[".repeat(1_001) + "]".repeat(1_001);
    for (const text of ["", "\\", "\\\\", '"', '\\"', '\\\\"[', "[\\"]) {
      assertEquals(codeOf(JSON.stringify([text, "x".repeat(1_000)])) instanceof Array, true);
      assertEquals(codeOf(`[${JSON.stringify(text)},${deep}]`), -32600, text);
      assertEquals(codeOf(`[${JSON.stringify(`${text}${deep}`)}]`) instanceof Array, true);
    }
  });

  test("parse: takes 1,000 levels, and brackets inside strings", () => {
    assertEquals(typeof codeOf("[".repeat(1_000) + "]".repeat(1_000)), "object");
    const text = '\\"[['.repeat(2_000);
    assertEquals(codeOf(JSON.stringify(text)), text);
    assertEquals(codeOf(`"${"[".repeat(2_000)}`), -32700);
  });
});
