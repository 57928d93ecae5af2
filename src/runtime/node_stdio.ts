/** The standard streams of Node and Bun. */
import process from "node:process";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { Channel } from "../transport/stdio.ts";
import { redirectConsole, replace } from "./output.ts";

/** What cannot be written is learned from the write itself. */
const ignore = (): void => {};

/** Takes the standard streams for messages, and prints elsewhere. */
export const channel: Effect.Effect<Channel, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const { stderr, stdin, stdout } = process;
    const write = stdout.write.bind(stdout);
    const restoreConsole = redirectConsole(inspect);
    const elsewhere = { write: stderr.write.bind(stderr) };
    const restoreStdout = replace(stdout, elsewhere);
    // On Bun, the console can write as well
    const restoreWrite = "write" in console ? replace(console, elsewhere) : ignore;
    stdout.on("error", ignore);
    const channel: Channel = {
      input: Readable.toWeb(stdin) as unknown as ReadableStream<Uint8Array>,
      write: (bytes) =>
        new Promise((resolve, reject) => {
          write(bytes, (error) => error === null || error === undefined ? resolve() : reject(error));
        }),
    };
    return {
      channel,
      release: () => {
        stdout.off("error", ignore);
        restoreWrite();
        restoreStdout();
        restoreConsole();
      },
    };
  }),
  ({ release }) => Effect.sync(release),
).pipe(Effect.map(({ channel }) => channel));
