/** Projects that use this package from npm, as it would be published: JavaScript, TypeScript, and what is in it. */
import { after, before, describe, test } from "node:test";
import { assertEquals, assertMatch } from "@std/assert";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { copy, execute, type Project, type Workshop, workshop } from "./workshop.ts";

const folder = "tests/runtimes/consumer";
const env = { MCP_STATE_SECRET: "a key for tests that is long enough" };

describe("a project on npm", () => {
  let tools: Workshop;
  let project: Project;
  before(async () => {
    tools = await workshop();
    project = await tools.project();
    await copy(project, folder);
  });
  after(() => project?.remove());

  const main = (ending: "js" | "ts"): string => join(project.path, folder, `main.${ending}`);

  for (const version of ["node20", "node22"] as const) {
    test(`javascript: serves, is called and tested on ${version}`, async () => {
      const { code, output } = await execute(tools[version], [main("js")], { env });
      assertEquals([code, output], [0, '["whoami"]\n["Hello, Ada!",2]\ntrue true\n']);
    });
  }

  test("typescript: runs as it stands on Node 22, where all entry points load", async () => {
    const { code, output } = await execute(tools.node22, ["--no-warnings", main("ts")], { env });
    assertEquals([code, output], [0, '{"text":"ADA"}\ntrue function true\n']);
  });

  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    module: "nodenext",
    target: "es2023",
  };
  /** What the compiler says of the project in TypeScript. */
  const compiled = async (options: object) => {
    const config = join(project.path, folder, "tsconfig.json");
    await writeFile(
      config,
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files: ["main.ts"] }),
    );
    return await execute(tools.node22, [tools.tsc, "-p", config]);
  };

  const compilations: ReadonlyArray<readonly [what: string, options: object]> = [
    ["the types of Node, and no others", { lib: ["ES2023"], types: ["node"], skipLibCheck: true }],
    ["the types of browsers, and of no runtime, and every declaration is checked", {
      lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      types: [],
      skipLibCheck: false,
    }],
  ];
  for (const [what, options] of compilations) {
    test(`typescript: compiles strictly with ${what}`, async () => {
      const { code, output } = await compiled(options);
      assertEquals([code, output], [0, ""]);
    });
  }

  test("typescript: no declaration of the package needs other types than those of Node", async () => {
    const { output } = await compiled({ lib: ["ES2023"], types: ["node"], skipLibCheck: false });
    const faults = output.split("\n").filter((line) => line.includes("error TS"));
    // Those of `effect/crypto` need a browser's: they are the ones that are found, so declarations were looked at
    assertEquals(faults.filter((line) => !line.includes("/node_modules/effect/dist/crypto/")), []);
    assertEquals(faults.length > 0, true);
  });

  test("package: has entries that exist, types for them, and depends on what it imports", async () => {
    const path = join(project.path, "node_modules", "@needful", "mcp");
    const manifest = JSON.parse(await readFile(join(path, "package.json"), "utf8"));
    assertEquals(Object.keys(manifest.exports).sort(), [".", "./bun", "./deno", "./http", "./node", "./testing"]);
    assertEquals(Object.keys(manifest.dependencies).sort(), ["@cfworker/json-schema", "effect"]);
    for (const entry of Object.values(manifest.exports) as ReadonlyArray<Record<string, string>>) {
      assertMatch(await readFile(join(path, entry["types"]!), "utf8"), /^export /m);
    }
    const names = await readdir(path, { recursive: true });
    const imported = new Set<string>();
    for (const name of names.filter((name) => name.endsWith(".js"))) {
      const code = (await readFile(join(path, name), "utf8")).replace(/\/\*[^]*?\*\//g, "");
      for (const [, from] of code.matchAll(/(?:from|import\()\s*"([^."][^"]*)"/g)) {
        imported.add(/^(@[^/]+\/)?[^/]+/.exec(from!)![0]);
      }
      // Nothing is compiled from strings (hosts that are locked down)
      assertEquals(/\beval\(|new Function\b|\bFunction\(/.test(code), false, name);
    }
    assertEquals([...imported].filter((name) => !name.startsWith("node:")).sort(), ["@cfworker/json-schema", "effect"]);
  });
});
