/** Base64url: one text for given bytes. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Codec, decode, encode, native, plain, strict } from "../../src/seal/base64url.ts";

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

const codecs: ReadonlyArray<readonly [string, Codec]> = native === undefined
  ? [["plain", plain]]
  : [["plain", plain], ["native", native]];

// RFC 4648, section 10, without the padding.
const vectors: ReadonlyArray<readonly [string, string]> = [
  ["", ""],
  ["f", "Zg"],
  ["fo", "Zm8"],
  ["foo", "Zm9v"],
  ["foob", "Zm9vYg"],
  ["fooba", "Zm9vYmE"],
  ["foobar", "Zm9vYmFy"],
  ["\xfb\xff\xfe", "-__-"],
];

for (const [name, codec] of codecs) {
  describe(`base64url, ${name}`, () => {
    test("encode, decode: agree with RFC 4648, section 10", () => {
      for (const [text, encoded] of vectors) {
        assertEquals(codec.encode(ascii(text)), encoded);
        assertEquals(new Uint8Array(strict(codec)(encoded)!), ascii(text));
      }
    });

    test("decode: refuses padding, white space, the other alphabet, unused bits, impossible lengths, other characters", () => {
      const wrong = [
        "Zg==",
        "Zg=",
        "Zm8=",
        "Zm9v\n",
        " Zm9v",
        "Zm\t9v",
        "+//+",
        "-_/-",
        "Zh",
        "Zm9",
        "Z",
        "Zm9vZ",
        "Zm9v!",
        "Zm9é",
        "Zm9\0",
        "🙂",
      ];
      for (const text of wrong) assertEquals(strict(codec)(text), undefined, JSON.stringify(text));
    });

    test("decode: undoes encode for any bytes, and takes no other text than encode gives", () => {
      fc.assert(fc.property(fc.uint8Array(), fc.string(), (bytes, text) => {
        assertEquals(new Uint8Array(strict(codec)(codec.encode(bytes))!), bytes);
        const read = strict(codec)(text);
        assert(read === undefined || codec.encode(read) === text);
      }));
    });
  });
}

test("encode, decode: are those of the host where it has them, and agree with the plain ones", () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => {
    assertEquals(encode(bytes), plain.encode(bytes));
    assertEquals(new Uint8Array(decode(plain.encode(bytes))!), bytes);
  }));
});
