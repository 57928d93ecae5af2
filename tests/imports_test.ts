/** The import table of the design: rooms import one way, and no file imports itself by a detour. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";

const root = new URL("../", import.meta.url);

/** Design, section 10, and `mod.ts -> transport` for `McpServer.toWebHandler`. Every room may import itself. */
const table: { readonly [room: string]: ReadonlyArray<string> } = {
  model: [],
  need: ["model"],
  manual: ["need", "model"],
  run: ["need", "model"],
  seal: ["model"],
  era: ["model"],
  server: ["need", "manual", "run", "seal", "era", "model"],
  transport: ["server", "era", "model"],
  runtime: ["transport", "server", "model"],
  testing: ["server", "transport", "need", "model"],
  "mod.ts": ["need", "manual", "server", "seal", "transport"],
};

const isSource = (name: string): boolean => name.endsWith(".ts") && !name.endsWith("_test.ts");

const files: ReadonlyArray<string> = [
  "mod.ts",
  ...readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })
    .filter(isSource)
    .map((name) => `src/${name.replaceAll("\\", "/")}`),
];

const statement =
  /^\s*(?:import|export)\b[^"';]*?\bfrom\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

/** Files of the project that `file` imports or re-exports from, types included. */
const importsOf = (file: string): ReadonlyArray<string> => {
  const source = readFileSync(new URL(file, root), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return Array.from(source.matchAll(statement), (match) => (match[1] ?? match[2] ?? match[3])!)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => new URL(specifier, new URL(file, root)).href.slice(root.href.length));
};

const graph = new Map(files.map((file) => [file, importsOf(file)]));

const roomOf = (file: string): string => file.startsWith("src/") ? file.split("/")[1]! : file;

/** A way from a file back to itself, if there is one. */
const cycle = (): ReadonlyArray<string> => {
  const done = new Set<string>();
  const visit = (file: string, path: ReadonlyArray<string>): ReadonlyArray<string> => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const imported of graph.get(file) ?? []) {
      const found = visit(imported, [...path, file]);
      if (found.length > 0) return found;
    }
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const found = visit(file, []);
    if (found.length > 0) return found;
  }
  return [];
};

describe("imports", () => {
  test("graph: finds what the files import", () => {
    // What the other tests stand on: a parser that found nothing would let everything pass
    assertEquals(graph.get("src/model/fault.ts"), ["src/model/capability.ts"]);
    assertEquals(graph.get("mod.ts")?.includes("src/transport/mcp_server.ts"), true);
  });

  test("graph: leads to files that exist", () => {
    const missing = [...graph].flatMap(([file, imported]) =>
      imported.filter((to) => !graph.has(to)).map((to) => `${file} -> ${to}`)
    );
    assertEquals(missing, []);
  });

  test("rooms: import only what the table of section 10 allows", () => {
    const forbidden = [...graph].flatMap(([file, imported]) =>
      imported
        .filter((to) => roomOf(to) !== roomOf(file) && !table[roomOf(file)]?.includes(roomOf(to)))
        .map((to) => `${file} -> ${to}`)
    );
    assertEquals(forbidden, []);
  });

  test("files: import each other without cycles", () => {
    assertEquals(cycle(), []);
  });

  test("core: names no runtime (section 12, rule 3)", () => {
    const named = files
      .filter((file) => roomOf(file) !== "runtime")
      .filter((file) => {
        const code = readFileSync(new URL(file, root), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
        return /\b(?:Deno|Bun|process)\.|"node:/.test(code);
      });
    assertEquals(named, []);
  });
});
