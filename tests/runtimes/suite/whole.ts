/** The whole suite on a runtime other than Deno: its own test runner, in a copy of the clone, and what it says of it. */
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { copy, execute, type Project, root, workshop } from "../workshop.ts";
import type { Line } from "./reporter.ts";

/** The flag of V8 under which nothing can be compiled from strings. */
export const strict = "--disallow-code-generation-from-strings";

/** Laws that are tried with generated programs are tried with fewer than on Deno, where there are 2,000. */
const env = { NEEDFUL_RUNS: "300" };

/** What became of one file. */
interface Came {
  readonly tests: number;
  readonly passed: number;
}

/** What a runner said. */
export interface Ran {
  readonly code: number;
  /** Files that came to their end. */
  readonly files: ReadonlyMap<string, Came>;
  /** What failed, was skipped, or is to be done. */
  readonly wrong: ReadonlyArray<string>;
  /** What the runner printed besides. */
  readonly output: string;
}

/** Runs files of a copy of the clone, by their paths in it. */
export type Run = (copy: Project, files: ReadonlyArray<string>, flags?: ReadonlyArray<string>) => Promise<Ran>;

/** By `node --test`, under `flags`, in a process for each file. */
export const onNode: Run = async ({ path }, files, flags = [strict]) => {
  const { node22 } = await workshop();
  const reporter = pathToFileURL(join(path, "tests/runtimes/suite/reporter.ts")).href;
  const runner = ["--test", `--test-concurrency=${availableParallelism()}`, `--test-reporter=${reporter}`];
  const { code, output } = await execute(node22, [...flags, "--no-warnings", ...runner, ...files], {
    cwd: path,
    env: { ...env, NODE_COMPILE_CACHE: join(path, "cache") },
  });
  const lines = output.split("\n");
  const known = lines.filter((line) => line.startsWith("{")).map((line): Line => JSON.parse(line));
  const nameOf = (file: string | undefined): string => file === undefined ? "" : relative(path, file);
  return {
    // What it says of the whole, too: it is not all in the code
    code: known.some((line) => "success" in line && line.success) ? code : Math.max(code, 1),
    files: new Map(known.flatMap((line) => "tests" in line ? [[nameOf(line.file), line] as const] : [])),
    wrong: known.flatMap((line) => "wrong" in line ? [`${nameOf(line.file)}: ${line.wrong}`] : []),
    output: known.map((line) => "said" in line ? `${nameOf(line.file)}: ${line.said}` : "").join("") +
      lines.filter((line) => !line.startsWith("{")).join("\n"),
  };
};

const attribute = (tag: string, name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "";

/** By `bun test`, in worker processes with fresh globals for each file. */
export const onBun: Run = async ({ path }, files) => {
  const { bun } = await workshop();
  const report = join(path, "report.xml");
  const runner = ["--timeout=300000", `--parallel=${availableParallelism()}`, "--only-failures"];
  const { code, output } = await execute(
    bun,
    ["test", ...runner, "--reporter=junit", `--reporter-outfile=${report}`, ...files.map((file) => `./${file}`)],
    { cwd: path, env },
  );
  const xml = await readFile(report, "utf8").catch(() => "");
  const names = new Set(files);
  const suites = [...xml.matchAll(/<testsuite [^>]*>/g)].map(([tag]) => tag);
  const cases = [...xml.matchAll(/<testcase ([^>]*[^/])>\s*<(failure|skipped)/g)];
  return {
    code,
    // A file's own element, not those of what it describes
    files: new Map(
      suites.filter((tag) => names.has(attribute(tag, "name"))).map((tag) => {
        const tests = Number(attribute(tag, "tests"));
        const passed = tests - Number(attribute(tag, "failures")) - Number(attribute(tag, "skipped"));
        return [attribute(tag, "name"), { tests, passed }];
      }),
    ),
    wrong: cases.map(([, tag, what]) =>
      `${attribute(tag!, "file")}: ${attribute(tag!, "name")}: ${what === "skipped" ? "is skipped" : "failed"}`
    ),
    output,
  };
};

/** What speaks against that all tests of `files` passed. */
export const faultsOf = ({ code, files: ran, output, wrong }: Ran, files: ReadonlyArray<string>): string => {
  const faults = [...wrong];
  for (const file of files) {
    const came = ran.get(file);
    if (came === undefined) faults.push(`${file}: did not come to its end`);
    else if (came.tests === 0) faults.push(`${file}: has no test`);
    else if (came.passed !== came.tests) faults.push(`${file}: ${came.passed} of ${came.tests} tests passed`);
  }
  if (files.length === 0) faults.push("No files were run");
  if (faults.length === 0 && code !== 0) faults.push(`The runner ended with ${code}`);
  return faults.length === 0 ? "" : `${faults.join("\n")}\n${output}`;
};

/** Makes names of `deno.json` that lead to files of the clone be found as packages are, wherever no import map is read. */
const link = async (path: string): Promise<void> => {
  const { imports, name: own } = JSON.parse(await readFile(join(root, "deno.json"), "utf8"));
  for (const [name, target] of Object.entries<string>(imports)) {
    // Its own entry points are in `package.json`
    if (!target.startsWith("./") || name === own || name.startsWith(`${own}/`)) continue;
    const folder = join(path, "node_modules", name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", exports: "./main.ts" }));
    // Types are stripped from what it leads to, as that is not in `node_modules`
    await symlink(join(path, target), join(folder, "main.ts"));
  }
};

/** A copy of the clone, tests included, with what stands beside it. */
export const copyOfAll = async (): Promise<Project> => {
  const { path, remove } = await (await workshop()).folder();
  const made = { path: join(path, "clone"), remove };
  await copy(made, "deno.json", "package.json", "README.md", "mod.ts", "src", "examples", "tests");
  await link(made.path);
  await symlink(resolve(root, "..", "shared"), join(path, "shared"));
  return made;
};

/** All files with tests. */
export const allFiles = async (): Promise<ReadonlyArray<string>> => {
  const names = await readdir(join(root, "tests"), { recursive: true });
  return names.filter((name) => name.endsWith("_test.ts")).map((name) => `tests/${name.replaceAll("\\", "/")}`).sort();
};
