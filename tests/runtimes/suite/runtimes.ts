/** The runtimes that the suite runs on, and their servers as processes. */
import { launch, type Launched, stop } from "./launch.ts";
import { compile, kept, root, workshop } from "../workshop.ts";
import type { Chosen } from "./served.ts";

/** A runtime, as the tests know it. */
export interface Runtime {
  readonly name: string;
  /** The command that runs a program of the suite, which is named without its ending. */
  readonly command: (program: string) => Promise<ReadonlyArray<string>>;
  /** Which of the entries its programs use. */
  readonly entry: "deno" | "bun" | "node";
  /** What it cannot do, and why. */
  readonly gaps: {
    /** Noticing that a client leaves before anything was sent to it, whatever it sent. */
    readonly leaving?: string;
  };
}

const files = ["served", "host_bun", "host_node", "stdio_served", "stdio_bun", "stdio_node", "bare", "router_node"].map(
  (name) => `tests/runtimes/suite/${name}.ts`,
);

/** The programs of the suite in JavaScript, beside the package as it would be published. */
const programs = kept(async ({ project }) => {
  const made = await project();
  await compile(made, ...files);
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
    gaps: {
      leaving: "Deno reads no further than the request: one of 512 bytes or more is not told of its client's end",
    },
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
  { name: "Bun 1.4", entry: "bun", gaps: {}, command: javascript("bun") },
  {
    name: "Node 20",
    entry: "node",
    gaps: {},
    command: javascript("node20", "--disallow-code-generation-from-strings"),
  },
  {
    name: "Node 22",
    entry: "node",
    gaps: {},
    command: javascript("node22", "--disallow-code-generation-from-strings"),
  },
];

/** A server of the suite in a process of its own. */
export interface Host extends Launched {
  /** What happened in the handlers. */
  readonly events: () => Promise<ReadonlyArray<string>>;
  /** Waits until `event` happened `times` times. */
  readonly until: (event: string, times?: number) => Promise<void>;
  /** Lets the handlers go on that wait; says how many did. */
  readonly release: () => Promise<number>;
}

/** Starts the server of the suite, and waits until it listens. */
export const start = async (
  runtime: Runtime,
  chosen: Chosen = {},
  more: Record<string, string> = {},
): Promise<Host> => {
  const launched = await launch(await runtime.command(`host_${runtime.entry}`), {
    CHOSEN: JSON.stringify(chosen),
    MCP_STATE_SECRET: "a key for tests that is long enough",
    ...more,
  });
  const at = (path: string): URL => new URL(path, launched.url);
  const events = async (): Promise<ReadonlyArray<string>> => await (await fetch(at("/events"))).json();
  return {
    ...launched,
    events,
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
    await stop(host);
  }
};
