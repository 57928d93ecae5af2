/** Runs programs of this repository as processes of their own, for tests that need a real server. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A running server. */
export interface Server {
  /** The first line of its output. */
  readonly url: URL;
  readonly stop: () => Promise<void>;
}

/** How this process was told to compile nothing from strings: what it starts is told the same. */
const strict = process.execArgv.filter((flag) => flag === "--disallow-code-generation-from-strings");

/** Arguments for the runtime that runs the tests, which make it run a file of this repository under flags of V8. */
export const script = (file: string, flags: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  "Deno" in globalThis
    ? ["run", "-A", "--no-check", ...(flags.length === 0 ? [] : [`--v8-flags=${flags.join(",")}`]), file]
    : [...new Set([...strict, ...flags]), file];

/** Examples serve on Deno. These programs serve the same on the other runtimes, whose name belongs in place of the star. */
const twins: { readonly [example: string]: string } = {
  "examples/everything.ts": "tests/runtimes/suite/everything_*.ts",
  "examples/main.ts": "examples/main_*.ts",
  "examples/returning.ts": "tests/clients/returning_http.ts",
  "examples/stdio.ts": "tests/runtimes/suite/example_*.ts",
  "examples/stdio_connect.ts": "tests/clients/connect_stdio.ts",
};

/** Arguments for the runtime that runs the tests, which make it run a program that serves; permissions are for Deno. */
export const program = (file: string, permissions: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  "Deno" in globalThis
    ? ["run", "--no-prompt", ...permissions, file]
    : script((twins[file] ?? file).replace("*", "Bun" in globalThis ? "bun" : "node"));

const launch = (args: ReadonlyArray<string>, env: { readonly [name: string]: string }): ChildProcess =>
  spawn(process.execPath, [...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Starts a server of `examples/` on a free port and waits for its URL. */
export const serve = async (file: string, env: { readonly [name: string]: string } = {}): Promise<Server> => {
  const child = launch(program(file, ["--allow-net", "--allow-env=PORT,MCP_STATE_SECRET"]), { PORT: "0", ...env });
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => errors += text);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${file} ended with code ${code} before it printed its URL:\n${errors}`);
  });
  const lines = createInterface({ input: child.stdout! });
  const first = once(lines, "line").then(([line]) => new URL(String(line).trim()));
  const url = await Promise.race([first, ended]);
  ended.catch(() => {});
  lines.on("line", () => {});
  return {
    url,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
};

/** What a finished program left behind. */
export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the runtime that runs the tests with `args`, and waits for its end. */
export const run = async (
  args: ReadonlyArray<string>,
  env: { readonly [name: string]: string } = {},
): Promise<Finished> => {
  const child = launch(args, env);
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => output += text);
  child.stderr?.setEncoding("utf8").on("data", (text: string) => output += text);
  const [code] = await once(child, "close");
  return { code, output };
};
