/** The README's code is that of a project of its own: it type-checks, and its test passes. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";

const root = new URL("../../", import.meta.url);

/** The files in a Markdown text: blocks of TypeScript whose first line names them. */
const files = (markdown: string): ReadonlyArray<readonly [name: string, text: string]> =>
  [...markdown.matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```$/gm)].map(([, name, text]) => [name!, text!]);

/** An import map like the one of a project that uses this package from a clone. */
const config = async (): Promise<string> => {
  const { imports } = JSON.parse(await readFile(new URL("deno.json", root), "utf8"));
  const absolute = Object.entries<string>(imports).map(([name, target]) => [
    name,
    target.startsWith("./") ? new URL(target, root).href : target,
  ]);
  return JSON.stringify({ imports: Object.fromEntries(absolute), lock: false, nodeModulesDir: "none" });
};

const deno = (
  cwd: string,
  ...args: ReadonlyArray<string>
): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) =>
    execFile(
      process.execPath,
      [...args],
      { cwd, env: { ...process.env, NO_COLOR: "1" } },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr }),
    )
  );

describe("README.md", () => {
  test("README.md: shows code that type-checks, and a test that passes", async () => {
    const found = files(await readFile(new URL("README.md", root), "utf8"));
    assertEquals(found.map(([name]) => name), ["whoami.ts", "client.ts", "notes.ts", "whoami_test.ts", "users.ts"]);
    const project = await mkdtemp(join(tmpdir(), "needful-readme-"));
    try {
      await writeFile(join(project, "deno.json"), await config());
      for (const [name, text] of found) await writeFile(join(project, name), text);
      const { code, output } = await deno(project, "test", "--allow-env", "--check", "whoami_test.ts");
      assertEquals(code, 0, output);
      assert(output.includes("whoami: greets by name ... ok"), output);
      const checked = await deno(project, "check", "client.ts", "notes.ts", "users.ts");
      assertEquals(checked.code, 0, checked.output);
    } finally {
      await rm(project, { recursive: true });
    }
  });

  test("README.md: shows the entry points and the Effect that there are", async () => {
    const [, map] = /^```json\n([^]*?)^```$/m.exec(await readFile(new URL("README.md", root), "utf8"))!;
    const { imports } = JSON.parse(await readFile(new URL("deno.json", root), "utf8"));
    for (const [name, target] of Object.entries<string>(JSON.parse(map!).imports)) {
      assertEquals(target.replace("./needful/", "./"), imports[name]);
    }
  });

  test("README.md: names only tasks and files that there are", async () => {
    const markdown = await readFile(new URL("README.md", root), "utf8");
    const { tasks } = JSON.parse(await readFile(new URL("deno.json", root), "utf8"));
    for (const [, task] of markdown.matchAll(/\btask (\w+)/g)) assert(task! in tasks, `There is no task ${task}`);
    for (const [, path] of markdown.matchAll(/\]\((examples\/[^)]+)\)/g)) await readFile(new URL(path!, root));
  });
});
