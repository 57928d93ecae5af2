/** Servers as processes. */
import { TextLineStream } from "./lines.ts";

/** A server in a process of its own. */
export interface Launched {
  readonly url: URL;
  readonly kill: (signal: "SIGINT" | "SIGTERM" | "SIGKILL") => void;
  /** The exit code, once the process is gone. */
  readonly ended: Promise<number>;
  /** All lines that were printed, the URL first. */
  readonly lines: ReadonlyArray<string>;
  /** What was written to standard error. */
  readonly errors: () => string;
}

/** Why a server did not begin to listen. */
export class Refused extends Error {
  readonly code: number;
  constructor(code: number, errors: string) {
    super(errors);
    this.code = code;
  }
}

/** Starts a server, which is a command and its arguments, and waits until it has printed its URL. */
export const launch = async (
  [command, ...args]: ReadonlyArray<string>,
  env: { readonly [name: string]: string },
): Promise<Launched> => {
  const child = new Deno.Command(command!, {
    args,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let errors = "";
  const reading = child.stderr.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({ write: (text) => void (errors += text) }),
  );
  const lines: Array<string> = [];
  const { promise: printed, resolve: first } = Promise.withResolvers<string>();
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
  const refused = ended.then((code) => {
    throw new Refused(code, errors);
  });
  refused.catch(() => {});
  const late = setTimeout(() => child.kill("SIGKILL"), 60_000);
  const address = await Promise.race([printed, refused]).finally(() => clearTimeout(late));
  return {
    url: new URL(address),
    lines,
    ended,
    errors: () => errors,
    kill: (signal) => {
      try {
        child.kill(signal);
      } catch {
        // It is gone
      }
    },
  };
};

/** Stops a server, by force if it does not stop by itself. */
export const stop = async ({ ended, kill }: Launched): Promise<void> => {
  kill("SIGTERM");
  const late = setTimeout(() => kill("SIGKILL"), 15_000);
  await ended;
  clearTimeout(late);
};
