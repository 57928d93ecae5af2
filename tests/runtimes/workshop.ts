/**
 * A folder outside of the clone, with other runtimes and this package as npm gets it. What is downloaded is kept for the
 * next run. A test that needs it fails without npm.
 */
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The clone. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

const node = `node-${platform() === "win32" ? "win" : platform()}-${arch()}`;

/** What is installed, by the names that it has in `node_modules`. */
export interface Packages {
  readonly [name: string]: string;
}

/** What has to be installed whatever it is for: it makes the others work. */
export const needed: Packages = {
  "bun": "1.4.5",
  "node22": `npm:${node}@22.23.5`,
};

const { specifiers }: { readonly specifiers: { readonly [specifier: string]: string } } = JSON.parse(
  await readFile(join(root, "deno.lock"), "utf8"),
);

/** The version of a package that the clone has, without those of what it depends on. */
export const locked = (name: string): string => {
  const found = Object.entries(specifiers).find(([specifier]) => specifier.startsWith(`npm:${name}@`));
  if (found === undefined) throw new Error(`There is no ${name} in deno.lock`);
  return found[1].split("_")[0]!;
};

/** What the tests themselves are written with. */
const forTests = [
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/sdk",
  "fast-check",
  "hono",
  "zod",
];

const packages: Packages = {
  ...needed,
  "node20": `npm:${node}@20`,
  "effect": "4.1.0",
  "@cfworker/json-schema": "4.1.6",
  "@effect/platform-node": "4.1.0",
  "typescript": "7.0.2",
  "@types/node": "22",
  "@modelcontextprotocol/inspector": "2.12.0",
  ...Object.fromEntries(forTests.map((name) => [name, locked(name)])),
};

/** What a program left behind. */
export interface Finished {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end. */
export const execute = async (
  command: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
): Promise<Finished> => {
  const { code, stderr, stdout } = await new Deno.Command(command, {
    args: [...args],
    stdin: "null",
    ...options,
    env: { NO_COLOR: "1", ...options.env },
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
};

const must = async (...[command, args, options]: Parameters<typeof execute>): Promise<void> => {
  const { code, output } = await execute(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
};

const exists = (path: string): Promise<boolean> => stat(path).then(() => true, () => false);

/** A folder that is either there as a whole or not at all, whoever makes it at the same time. */
const folder = async (path: string, make: (path: string) => Promise<void>): Promise<string> => {
  if (await exists(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  const draft = await mkdtemp(`${path}.`);
  await make(draft);
  await rename(draft, path).catch(() => rm(draft, { recursive: true }));
  return path;
};

const digest = (...texts: ReadonlyArray<string | Uint8Array>): string => {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text);
  return hash.digest("hex").slice(0, 16);
};

/** Paths of programs. */
export interface Programs {
  readonly bun: string;
  readonly node20: string;
  readonly node22: string;
  /** The compiler of TypeScript, for Node. */
  readonly tsc: string;
}

const programs = (path: string): Programs => {
  const program = (...names: ReadonlyArray<string>): string => join(path, "node_modules", ...names);
  const executable = platform() === "win32" ? "node.exe" : "bin/node";
  return {
    bun: program("bun", "bin", "bun.exe"),
    node20: program("node20", executable),
    node22: program("node22", executable),
    tsc: program("typescript", "bin", "tsc"),
  };
};

const install = (packages: Packages): Promise<string> =>
  folder(join(tmpdir(), "needful-mcp-tests", digest(JSON.stringify(packages))), async (path) => {
    const manifest = { private: true, type: "module", dependencies: packages };
    await writeFile(join(path, "package.json"), JSON.stringify(manifest));
    const npm = platform() === "win32" ? "npm.cmd" : "npm";
    await must(npm, ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: path });
    // Puts the executable for this machine in its place, which is the only script that is needed
    const { node22 } = programs(path);
    await must(node22, ["install.js"], { cwd: join(path, "node_modules", "bun") });
  });

/** Everything that is published. */
const sources = async (): Promise<ReadonlyArray<string>> => {
  const inside = await readdir(join(root, "src"), { recursive: true, withFileTypes: true });
  const files = inside.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return [join(root, "deno.json"), join(root, "mod.ts"), ...files.sort()];
};

/** The package, as it would be published, in `node_modules/@needful/mcp` of a folder below the installed packages. */
const pack = async (tools: string): Promise<string> => {
  const files = await sources();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return await folder(join(tools, "packed", digest(...files, ...contents)), async (path) => {
    const tarball = join(path, "package.tgz");
    await must(process.execPath, ["pack", "--allow-dirty", "--output", tarball], { cwd: root });
    await must("tar", ["-xzf", tarball, "-C", path]);
    await mkdir(join(path, "node_modules", "@needful"), { recursive: true });
    await rename(join(path, "package"), join(path, "node_modules", "@needful", "mcp"));
  });
};

/** A project that has this package, and all that was installed, in its `node_modules`. */
export interface Project {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** What there is to work with. */
export interface Workshop extends Programs {
  /** The command line of the Inspector, for Node. */
  readonly inspector: string;
  /** An empty folder. */
  readonly folder: () => Promise<Project>;
  /** An empty project. */
  readonly project: () => Promise<Project>;
  /** A copy of what stands in the clone beside the tests, as after `npm install`. */
  readonly clone: () => Promise<Project>;
}

const day = 86_400_000;

/** Removes what older runs left behind. */
const prune = async (path: string): Promise<void> => {
  const names = await readdir(path).catch(() => []);
  await Promise.all(names.map(async (name) => {
    const old = await stat(join(path, name)).then(({ mtimeMs }) => mtimeMs < Date.now() - day, () => false);
    if (old) await rm(join(path, name), { recursive: true, force: true });
  }));
};

/** A workshop with other packages than those of the tests; `needed` must be among them. */
export const makeWith = async (packages: Packages): Promise<Workshop> => {
  const tools = await install(packages);
  await Promise.all([prune(join(tools, "packed")), prune(join(tools, "projects"))]);
  const packed = await pack(tools);
  const empty = async (): Promise<Project> => {
    await mkdir(join(tools, "projects"), { recursive: true });
    const path = await mkdtemp(join(tools, "projects", "p"));
    return { path, remove: () => rm(path, { recursive: true }) };
  };
  return {
    ...programs(tools),
    folder: empty,
    inspector: join(tools, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
    clone: async () => {
      const made = await empty();
      await copy(made, "package.json", "mod.ts", "src", "examples");
      return made;
    },
    project: async () => {
      const made = await empty();
      const { path } = made;
      await mkdir(join(path, "node_modules"));
      await symlink(join(packed, "node_modules", "@needful"), join(path, "node_modules", "@needful"));
      await writeFile(join(path, "package.json"), JSON.stringify({ private: true, type: "module" }));
      return made;
    },
  };
};

let made: Promise<Workshop> | undefined;

/** The workshop, which is made once for a process. */
export const workshop = (): Promise<Workshop> => made ??= makeWith(packages);

/** Makes a project when it is first asked for, and keeps it until the tests are over. */
export const kept = (make: (tools: Workshop) => Promise<Project>): () => Promise<Project> => {
  let project: Promise<Project> | undefined;
  return () =>
    project ??= workshop().then(make).then((made) => {
      globalThis.addEventListener("unload", () => Deno.removeSync(made.path, { recursive: true }));
      return made;
    });
};

/** Copies files of the clone into a project. */
export const copy = async ({ path }: Project, ...files: ReadonlyArray<string>): Promise<void> => {
  for (const file of files) await cp(join(root, file), join(path, file), { recursive: true });
};

/** Compiles files of the clone into a project, as JavaScript under the same names. */
export const compile = async ({ path }: Project, ...files: ReadonlyArray<string>): Promise<void> => {
  await must(process.execPath, ["transpile", "--no-check", "--outdir", path, ...files], { cwd: root });
  for (const file of files) {
    const target = join(path, file.replace(/\.ts$/, ".js"));
    const text = await readFile(target, "utf8");
    await writeFile(target, text.replaceAll(/((?:from\s+|import\()"\.[^"]*)\.ts"/g, '$1.js"'));
  }
};
