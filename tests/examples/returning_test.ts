/** `examples/returning.md`: what it names is there. */
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { Manual, RequestState, Sealer } from "@needful/mcp";

const page = new URL("../../examples/returning.md", import.meta.url);

test("returning.md: names only files that there are, and tests that they hold", async () => {
  const links = [...(await readFile(page, "utf8")).matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
  let tests = 0;
  for (const [, text, path] of links) {
    if (path!.startsWith("https:")) continue;
    const file = await readFile(new URL(path!, page), "utf8");
    if (!path!.endsWith("_test.ts")) continue;
    tests++;
    assert(file.includes(`"${text}"`), `${path} has no test "${text}"`);
  }
  assert(tests > 40, `${tests} tests`);
});

test("returning.md: names what Manual and RequestState export, and leaves nothing out", async () => {
  const text = await readFile(page, "utf8");
  const named = new Set([...text.matchAll(/\bManual\.(\w+)/g)].map(([, name]) => name));
  const left = Object.keys(Manual).filter((name) => !named.has(name) && !text.includes(name));
  assertEquals(left, []);
  assertEquals([...named].filter((name) => !(name! in Manual)), []);
  assertEquals([typeof RequestState.make, Sealer.limit], ["function", 65_536]);
});
