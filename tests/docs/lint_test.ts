/**
 * The documentation gate: `deno doc --lint` on every entry point, clean apart from references to Effect's own types,
 * which are public in their own package and which the linter cannot know to be so.
 */
import { assertEquals } from "@std/assert";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { run } from "../process.ts";

interface Complaint {
  readonly rule: string;
  /** Place and words of the complaint, in one line. */
  readonly text: string;
  /** Line number and text of the declaration that is referred to. */
  readonly referred: { readonly line: number; readonly text: string } | undefined;
}

const complaints = (output: string): ReadonlyArray<Complaint> =>
  output.split(/^(?=error\[)/m).filter((block) => block.startsWith("error[")).map((block) => {
    const [, rule, words, place] = /^error\[(.+?)\]: (.*)\n +--> (.*)/.exec(block)!;
    const referred = /^ *(\d+) \| (.*)\n[ |]*-+ this is the referenced type/m.exec(block);
    return {
      rule: rule!,
      text: `${place}: ${words}`,
      referred: referred === null ? undefined : { line: Number(referred[1]), text: referred[2]!.trim() },
    };
  });

/** Every line of Effect's declarations as `<line number>:<text>`. */
const effectLines = async (): Promise<ReadonlySet<string>> => {
  const root = dirname(fileURLToPath(import.meta.resolve("effect/Effect")));
  const lines = new Set<string>();
  for (const name of await readdir(root, { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const text = await readFile(join(root, name), "utf8");
    text.split("\n").forEach((line, index) => lines.add(`${index + 1}:${line.trim()}`));
  }
  return lines;
};

test("documentation: every public symbol is documented and refers to public types or to Effect's", async () => {
  const manifest = JSON.parse(await readFile(new URL("../../deno.json", import.meta.url), "utf8"));
  const { code, output } = await run(["doc", "--lint", ...Object.values<string>(manifest.exports)]);
  const found = complaints(output);
  if (code !== 0 && found.length === 0) throw new Error(output);
  const effect = await effectLines();
  const own = found.filter(({ referred, rule }) =>
    rule !== "private-type-ref" || referred === undefined || !effect.has(`${referred.line}:${referred.text}`)
  );
  assertEquals(own.map(({ text }) => text), []);
});
