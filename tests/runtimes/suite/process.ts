/** Servers over standard input and output, as processes of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "../workshop.ts";

/** JSON, to be looked into. */
// deno-lint-ignore no-explicit-any -- tests look at what is on the wire, member by member
export type Wire = any;

/** A process that is talked to by lines. */
export interface Piped {
  readonly child: ChildProcess;
  /** Writes messages, one a line. */
  readonly send: (...messages: ReadonlyArray<Wire>) => void;
  /** Writes bytes, and waits until they are taken. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** The next line; undefined at the end. */
  readonly line: () => Promise<string | undefined>;
  /** The next line as JSON. */
  readonly next: () => Promise<Wire>;
  /** Closes its input, and reads what is left. */
  readonly end: () => Promise<ReadonlyArray<Wire>>;
  /** Its exit code, or the signal that ended it. */
  readonly exit: Promise<number | string>;
  /** What it wrote to standard error so far. */
  readonly errors: () => string;
}

const talk = (child: ChildProcess): Piped => {
  const ready: Array<string> = [];
  const readers: Array<() => void> = [];
  let pieces: Array<string> = [], errors = "", over = false;
  const wake = (): void => readers.splice(0).forEach((resume) => resume());
  const exit = once(child, "exit").then(([code, signal]) => code ?? signal);
  child.stdin?.on("error", () => {});
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const [first, ...others] = text.split("\n");
    pieces.push(first!);
    for (const other of others) {
      ready.push(pieces.join(""));
      pieces = [other];
    }
    wake();
  }).on("close", () => {
    over = true;
    if (pieces.join("") !== "") ready.push(pieces.join(""));
    wake();
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => errors += text);
  const line = async (): Promise<string | undefined> => {
    while (ready.length === 0 && !over) await new Promise<void>((resolve) => readers.push(resolve));
    return ready.shift();
  };
  const next = async (): Promise<Wire> => {
    const text = await line();
    return text === undefined ? undefined : JSON.parse(text);
  };
  return {
    child,
    send: (...messages) => {
      const lines = messages.map((one) => typeof one === "string" ? one : JSON.stringify(one));
      child.stdin!.write(lines.map((one) => `${one}\n`).join(""));
    },
    write: (bytes) =>
      new Promise((resolve, reject) => child.stdin!.write(bytes, (error) => error ? reject(error) : resolve())),
    line,
    next,
    end: async () => {
      child.stdin!.end();
      const left: Array<Wire> = [];
      for (let message = await next(); message !== undefined; message = await next()) left.push(message);
      return left;
    },
    exit,
    errors: () => errors,
  };
};

/** Starts a program, which is a command and its arguments, for as long as `use` takes. */
export const withProcess = async (
  [command, ...args]: ReadonlyArray<string>,
  use: (piped: Piped) => Promise<void>,
): Promise<void> => {
  const child = spawn(command!, args, { cwd: root, stdio: "pipe" });
  const piped = talk(child);
  try {
    await use(piped);
  } finally {
    child.kill("SIGKILL");
    await piped.exit;
  }
};

/** What a command of the shell left behind. */
export interface Left {
  readonly code: number | string;
  readonly lines: ReadonlyArray<Wire>;
  readonly errors: string;
}

/** Runs a command of the shell, in which `$SERVER` starts a program. */
export const shell = async (command: string, program: ReadonlyArray<string>): Promise<Left> => {
  const server = program.map((part) => `"${part}"`).join(" ");
  const child = spawn("sh", ["-c", command.replaceAll("$SERVER", server)], { cwd: root, stdio: "pipe" });
  const piped = talk(child);
  const lines = await piped.end();
  return { code: await piped.exit, lines, errors: piped.errors() };
};
