/** The parts of handlers that the README and the guide of the returning style show: they compile where they belong. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertEquals } from "@std/assert";
import { run } from "../process.ts";

const root = new URL("../../", import.meta.url);
const config = fileURLToPath(new URL("deno.json", root));

const imports = `
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Manual, Tool } from "@needful/mcp";
const Person = Schema.Struct({ name: Schema.NonEmptyString });
void Person;
`;

/** Requests, and the handler that returns them. */
const fragment = /^```ts\n(const requests = [^]*?\n)\nhandler: ([^]*?\n}\)),?;?\n```$/m;

test("README.md and returning.md: what they show of handlers that return is the handler of a tool", async () => {
  const folder = await mkdtemp(join(tmpdir(), "needful-fragments-"));
  try {
    const files = await Promise.all(["README.md", "examples/returning.md"].map(async (name, index) => {
      const [, requests, handler] = fragment.exec(await readFile(new URL(name, root), "utf8")) ?? [];
      const file = join(folder, `${index}.ts`);
      await writeFile(file, `${imports}${requests}\nTool.make("whoami", { handler: ${handler} });\n`);
      return file;
    }));
    const { code, output } = await run(["check", "--config", config, ...files]);
    assertEquals(code, 0, output);
  } finally {
    await rm(folder, { recursive: true });
  }
});
