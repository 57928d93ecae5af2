/**
 * The whole suite on Node, where nothing can be compiled from strings, and on Bun: every file with tests but those that are
 * named here with the reason (DESIGN.md, section 12, rule 9).
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { allFiles, copyOfAll, faultsOf, onBun, onNode, type Run, strict } from "./suite/whole.ts";
import type { Project } from "./workshop.ts";

interface Apart {
  readonly reason: string;
  readonly files: ReadonlyArray<string>;
}

const apart: ReadonlyArray<Apart> = [
  {
    reason: "starts servers and programs of every runtime, from Deno",
    files: [
      "bare",
      "clients",
      "conformance",
      "consumer",
      "deno",
      "failover",
      "hosted",
      "http",
      "life",
      "other_clients",
      "sessions",
      "silence",
      "start",
      "stdio",
      "suite",
    ].map((name) => `tests/runtimes/${name}_test.ts`),
  },
  {
    reason: "asks Deno's compiler, or its linter of documentation",
    files: ["fragments", "lint", "rejects", "types"].map((name) => `tests/docs/${name}_test.ts`),
  },
  {
    reason: "runs the tasks of deno.json, and projects of Deno's",
    files: ["tests/examples/process_test.ts", "tests/examples/readme_test.ts"],
  },
  { reason: "runs servers of Deno's beside a browser", files: ["tests/browser/cors_test.ts"] },
  {
    reason:
      "runs a program of npm by Deno; tests/runtimes/conformance_test.ts has the servers of Bun and Node before it",
    files: ["tests/conformance/suite_test.ts"],
  },
];

const apartOnBun: ReadonlyArray<Apart> = [
  { reason: "counts where bodies become streams: Bun lets nobody watch that", files: ["tests/guard/requests_test.ts"] },
  {
    reason: "has 150 clients at once, for which Bun's fetch does not open enough connections, whoever serves",
    files: ["tests/clients/eras_test.ts"],
  },
];

const runners: ReadonlyArray<readonly [name: string, run: Run, apart: ReadonlyArray<Apart>]> = [
  ["Node 22, without code from strings", onNode, apart],
  ["Bun 1.4", onBun, [...apart, ...apartOnBun]],
];

/** Files that are run to see what is made of them. */
const probes: { readonly [name: string]: string } = {
  strict: 'test("compiles nothing", () => assertThrows(() => new Function(""), "Code generation from strings"));',
  passes: 'test("passes", () => {});',
  fails: 'test("passes", () => {}); test("fails", () => assertThrows(() => {}));',
  skips: 'test("passes", () => {}); test.skip("skips", () => {});',
  todo: 'test("passes", () => {}); test.todo("is planned");',
  empty: "",
  ends: 'test("passes", () => {}); test("ends", () => process.exit(0));',
  throws: 'test("passes", () => {}); throw new Error("thrown");',
};

const probe = (name: string): string => `tests/probes/${name}_test.ts`;

describe("the whole suite", () => {
  let copy: Project;
  before(async () => {
    copy = await copyOfAll();
    await mkdir(dirname(join(copy.path, probe("passes"))));
    const imports = 'import process from "node:process";\nimport { test } from "node:test";\n' +
      'import { assertThrows } from "@std/assert";\n';
    for (const [name, text] of Object.entries(probes)) {
      await writeFile(join(copy.path, probe(name)), `${imports}${text}\n`);
    }
  });
  after(() => copy?.remove());

  for (const [name, run, apart] of runners) {
    test(`${name}: what does not pass is seen, whatever became of it`, async () => {
      const fine = [probe("passes")];
      assertEquals(faultsOf(await run(copy, fine), fine), "");
      assertStringIncludes(faultsOf(await run(copy, fine), []), "No files were run");
      for (
        const [bad, fault] of [["fails", "fails"], ["skips", "skipped"], ["todo", ""], ["empty", ""], ["ends", ""], [
          "throws",
          "",
        ]] as const
      ) {
        const files = [...fine, probe(bad)];
        const faults = faultsOf(await run(copy, files), files).split("\n").filter((line) => line.startsWith("tests/"));
        assertEquals([faults.length > 0, faults.filter((line) => !line.startsWith(probe(bad)))], [true, []], bad);
        assertStringIncludes(faults.join(), fault);
      }
    });

    test(`${name}: every test passes, none is skipped, and no file is left out without a reason`, async () => {
      const all = await allFiles();
      const left = apart.flatMap(({ files }) => files);
      assertEquals(left.filter((file) => !all.includes(file)), [], "Files that are left out do not exist");
      const files = all.filter((file) => !left.includes(file));
      // On Node this one is among them: it shows that the flag holds in the processes that the runner starts
      if (run === onNode) files.push(probe("strict"));
      assertEquals(faultsOf(await run(copy, files), files), "");
    });
  }

  test(`${strict}: is what keeps the tests on Node from compiling`, async () => {
    const files = [probe("strict")];
    assertStringIncludes(faultsOf(await onNode(copy, files, []), files), "compiles nothing: ");
  });
});
