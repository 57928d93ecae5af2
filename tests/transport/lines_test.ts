/** Framing: lines of bytes that end at 0x0A and nowhere else (2026-07-28, basic/transports, stdio; B64, B65). */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Lines } from "../../src/transport/lines.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What lines come out of pieces; `null` where one was too long. */
const split = (pieces: Iterable<Uint8Array>, limit = 100): ReadonlyArray<string | null> => {
  const seen: Array<string | null> = [];
  const lines = new Lines(limit, (line) => seen.push(decoder.decode(line)), () => seen.push(null));
  for (const piece of pieces) lines.push(piece);
  lines.end();
  return seen;
};

const pieces = function* (bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
};

/** Bytes that are copied while `run` runs. */
const copied = (run: () => void): number => {
  const { set } = Uint8Array.prototype;
  let count = 0;
  Uint8Array.prototype.set = function (this: Uint8Array, source: ArrayLike<number>, offset?: number) {
    count += source.length;
    return set.call(this, source, offset);
  };
  try {
    run();
  } finally {
    Uint8Array.prototype.set = set;
  }
  return count;
};

describe("Lines", () => {
  test("Lines: ends lines at 0x0A and at no other character (B64)", () => {
    const text = "a\r\u2028\u2029\u0085\v\f\u0000é日本語👩‍👩‍👧\ufeff";
    assertEquals(split([encoder.encode(`${text}\n${text}\n`)]), [text, text]);
  });

  test("Lines: gives the same lines in whatever pieces they come (B64)", () => {
    const text = fc.string({ unit: "binary", maxLength: 40 }).map((line) => line.replaceAll("\n", ""));
    fc.assert(fc.property(fc.array(text), fc.nat(9), (lines, size) => {
      const bytes = encoder.encode(lines.map((line) => `${line}\n`).join(""));
      assertEquals(split(pieces(bytes, size + 1), 1_000), lines);
    }));
  });

  test("Lines: counts what is left at the end as a line", () => {
    assertEquals(split([encoder.encode("a\nb")]), ["a", "b"]);
    assertEquals(split([encoder.encode("a\n")]), ["a"]);
    assertEquals(split([]), []);
  });

  test("Lines: takes lines of exactly the limit, and reports a longer one once", () => {
    const fits = "x".repeat(100);
    for (const size of [1, 7, 100, 1_000]) {
      assertEquals(split(pieces(encoder.encode(`${fits}\n${fits}y\nnext\n${fits}`), size)), [fits, null, "next", fits]);
    }
  });

  test("Lines: reports a line that is too long before it has ended", () => {
    let reports = 0;
    const lines = new Lines(10, () => {}, () => reports++);
    for (let i = 0; i < 5; i++) lines.push(encoder.encode("12345"));
    assertEquals(reports, 1);
    lines.end();
    assertEquals(reports, 1);
  });

  test("Lines: copies each byte a bounded number of times, and none where a line comes in one piece", () => {
    const size = 15 * 1_048_576;
    const line = new Uint8Array(size).fill(97);
    for (const piece of [1_000, 65_536]) {
      const lines = new Lines(16 * 1_048_576, (bytes) => assertEquals(bytes.length, size), () => assert(false));
      const count = copied(() => {
        for (let start = 0; start < size; start += piece) lines.push(line.subarray(start, start + piece));
        lines.push(encoder.encode("\n"));
      });
      // Each byte once as it comes; a buffer that doubles moves at most as many again, and never twice
      assert(count >= size && count <= 3 * size, `${count} bytes were copied for ${size}`);
    }
    const whole = new Lines(16 * 1_048_576, () => {}, () => assert(false));
    assertEquals(copied(() => whole.push(encoder.encode("one\ntwo\nthree\n"))), 0);
  });

  test("Lines: keeps nothing of a line that is too long", () => {
    const limit = 1_048_576;
    const chunk = new Uint8Array(65_536).fill(97);
    let lines = 0;
    const reader = new Lines(limit, () => lines++, () => {});
    const count = copied(() => {
      for (let i = 0; i < 1_024; i++) reader.push(chunk);
    });
    assert(count <= 3 * limit, `${count} bytes were copied for a limit of ${limit}`);
    reader.push(encoder.encode("\nnext\n"));
    assertEquals(lines, 1);
  });
});
