/** A hash that remembers: the same digests, taken less often, from a bounded number of texts. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { remembering } from "../../src/model/hash.ts";
import { sha256 } from "../../src/model/sha256.ts";

/** A hash that says what it was asked for. */
const recording = () => {
  const asked: Array<string> = [];
  const hash = remembering({
    sha256: (text) => {
      asked.push(text);
      return sha256(text);
    },
  });
  return { asked, hash };
};

describe("a hash that remembers", () => {
  test("gives the digest of the text, the first time and again", () => {
    const { asked, hash } = recording();
    const texts = ["", "a", "b", "a".repeat(1_024), "ä", "__proto__"];
    for (const text of [...texts, ...texts.toReversed()]) assertEquals(hash.sha256(text), sha256(text));
    assertEquals(asked, texts);
  });

  test("keeps no long text", () => {
    const { asked, hash } = recording();
    const long = "a".repeat(1_025);
    assertEquals([hash.sha256(long), hash.sha256(long)], [sha256(long), sha256(long)]);
    assertEquals(asked, [long, long]);
  });

  test("remembers what is asked for again and again, however many others come between", () => {
    const { asked, hash } = recording();
    for (let i = 0; i < 1_000; i++) {
      hash.sha256("often");
      hash.sha256(`once ${i}`);
    }
    assertEquals(asked.filter((text) => text === "often"), ["often"]);
  });

  test("forgets: of 1,000 texts it knows between 256 and 512 afterwards", () => {
    const { asked, hash } = recording();
    for (let i = 0; i < 1_000; i++) hash.sha256(`${i}`);
    asked.length = 0;
    // From the last one on, so that what is asked here pushes out only what was asked for here
    for (let i = 999; i >= 744; i--) hash.sha256(`${i}`);
    assertEquals(asked, []);
    for (let i = 0; i < 488; i++) hash.sha256(`${i}`);
    assertEquals(asked.length, 488);
  });
});
