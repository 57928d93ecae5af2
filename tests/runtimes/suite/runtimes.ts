/** The runtimes that the suite runs on, and their servers as processes. */
import { TextLineStream } from "./lines.ts";
import { compile, type Project, root, workshop } from "../workshop.ts";
import type { Chosen } from "./served.ts";

/** A runtime, as the tests know it. */
export interface Runtime {
  readonly name: string;
  /** The command that runs a program of the suite, which is named without its ending. */
  readonly command: (program: string) => Promise<ReadonlyArray<string>>;
  /** Which of the entries its programs use. */
  readonly entry: "deno" | "bun" | "node";
}

let compiled: Promise<Project> | undefined;

const files = ["served", "host_bun", "host_node", "stdio_served", "stdio_bun", "stdio_node", "bare"].map((name) =>
  `tests/runtimes/suite/${name}.ts`
);

/** The programs of the suite in JavaScript, beside the package as it would be published. */
const programs = (): Promise<Project> =>
  compiled ??= workshop().then(async ({ project }) => {
    const made = await project();
    await compile(made, ...files);
    globalThis.addEventListener("unload", () => Deno.removeSync(made.path, { recursive: true }));
    return made;
  });

const javascript =
  (executable: "bun" | "node20" | "node22", ...flags: ReadonlyArray<string>): Runtime["command"] => async (program) => {
    const { [executable]: path } = await workshop();
    return [path, ...flags, `${(await programs()).path}/tests/runtimes/suite/${program}.js`];
  };

/** All of them. Node compiles no code from strings, as on locked-down hosts. */
export const runtimes: ReadonlyArray<Runtime> = [
  {
    name: "Deno 2.9",
    entry: "deno",
    // What serves over the standard streams needs no permission
    command: (program) =>
      Promise.resolve([
        Deno.execPath(),
        "run",
        program.startsWith("stdio_") ? "--no-prompt" : "-A",
        "--no-check",
        `${root}tests/runtimes/suite/${program}.ts`,
      ]),
  },
  { name: "Bun 1.4", entry: "bun", command: javascript("bun") },
  { name: "Node 20", entry: "node", command: javascript("node20", "--disallow-code-generation-from-strings") },
  { name: "Node 22", entry: "node", command: javascript("node22", "--disallow-code-generation-from-strings") },
];

/** A server in a process of its own. */
export interface Host {
  readonly url: URL;
  readonly kill: (signal: "SIGINT" | "SIGTERM" | "SIGKILL") => void;
  /** The exit code, once the process is gone. */
  readonly ended: Promise<number>;
  /** All lines that were printed, the URL first. */
  readonly lines: ReadonlyArray<string>;
  /** What was written to standard error. */
  readonly errors: () => string;
  /** What happened in the handlers. */
  readonly events: () => Promise<ReadonlyArray<string>>;
  /** Waits until `event` happened `times` times. */
  readonly until: (event: string, times?: number) => Promise<void>;
  /** Lets the handlers go on that wait; says how many did. */
  readonly release: () => Promise<number>;
}

/** Why a server did not begin to listen. */
export class Refused extends Error {
  readonly code: number;
  constructor(code: number, errors: string) {
    super(errors);
    this.code = code;
  }
}

/** Starts a server, and waits until it listens. */
export const start = async (
  runtime: Runtime,
  chosen: Chosen = {},
  more: Record<string, string> = {},
): Promise<Host> => {
  const [command, ...args] = await runtime.command(`host_${runtime.entry}`);
  const child = new Deno.Command(command!, {
    args,
    env: {
      CHOSEN: JSON.stringify(chosen),
      MCP_STATE_SECRET: "a key for tests that is long enough",
      NO_COLOR: "1",
      ...more,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let errors = "";
  const reading = child.stderr.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({ write: (text) => void (errors += text) }),
  );
  const lines: Array<string> = [];
  let first: (line: string) => void;
  const printed = new Promise<string>((resolve) => first = resolve);
  const printing = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()).pipeTo(
    new WritableStream({
      write: (line) => {
        lines.push(line);
        if (lines.length === 1 && line.startsWith("http")) first(line);
      },
    }),
  );
  const ended = child.status.then(async ({ code }) => {
    await Promise.all([reading, printing]);
    return code;
  });
  const address = await Promise.race([
    printed,
    ended.then((code) => {
      throw new Refused(code, errors);
    }),
  ]);
  const url = new URL(address);
  const at = (path: string): URL => new URL(path, url);
  const events = async (): Promise<ReadonlyArray<string>> => await (await fetch(at("/events"))).json();
  return {
    url,
    lines,
    ended,
    events,
    errors: () => errors,
    kill: (signal) => {
      try {
        child.kill(signal);
      } catch {
        // It is gone
      }
    },
    until: async (event, times = 1) => {
      for (let turns = 0; (await events()).filter((other) => other === event).length < times; turns++) {
        if (turns > 2_000) throw new Error(`"${event}" did not happen`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    release: async () => await (await fetch(at("/release"), { method: "POST" })).json(),
  };
};

/** Starts a server, and stops it when `use` is over. */
export const hosting = async (
  runtime: Runtime,
  use: (host: Host) => Promise<void>,
  chosen: Chosen = {},
): Promise<void> => {
  const host = await start(runtime, chosen);
  try {
    await use(host);
  } finally {
    host.kill("SIGTERM");
    const late = setTimeout(() => host.kill("SIGKILL"), 15_000);
    await host.ended;
    clearTimeout(late);
  }
};
