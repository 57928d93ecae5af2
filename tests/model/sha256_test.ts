/** The plain SHA-256 against the vectors of FIPS 180-4 and against the platform's own. */
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { sha256 } from "../../src/model/sha256.ts";

const fromHex = (hex: string): string => Buffer.from(hex, "hex").toString("base64url");
const reference = (text: string): string => createHash("sha256").update(text, "utf8").digest("base64url");

describe("sha256", () => {
  const vectors: ReadonlyArray<readonly [string, string, string]> = [
    ["nothing", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["one block", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "two blocks",
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
    [
      "two blocks, nearly full",
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    ],
    ["a million letters", "a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
  ];
  for (const [what, text, hex] of vectors) {
    test(`gives what FIPS 180-4 says for ${what}`, () => assertEquals(sha256(text), fromHex(hex)));
  }

  test("pads every length around the ends of blocks", () => {
    for (let length = 0; length <= 200; length++) {
      assertEquals(sha256("x".repeat(length)), reference("x".repeat(length)));
    }
  });

  test("gives what the platform gives for any text, in 43 characters of base64url", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
      const digest = sha256(text);
      assertEquals(digest, reference(text));
      assertEquals(digest.length, 43);
    }));
  });
});
