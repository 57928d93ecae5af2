/** The standard streams of Deno. */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { Channel } from "../transport/stdio.ts";
import { redirect } from "./deno_output.ts";

/** What is used of the standard streams. */
interface Streams {
  readonly stdin: { readonly readable: ReadableStream<Uint8Array> };
  readonly stdout: { readonly writable: WritableStream<Uint8Array> };
}

const streams = (): Streams => Deno;

/** Takes the standard streams for messages, and prints elsewhere. */
export const channel: Effect.Effect<Channel, never, Scope.Scope> = Effect.gen(function* () {
  yield* redirect;
  const { stdin, stdout } = streams();
  const writer = yield* Effect.acquireRelease(
    Effect.sync(() => stdout.writable.getWriter()),
    (writer) => Effect.sync(() => writer.releaseLock()),
  );
  return { input: stdin.readable, write: (bytes) => writer.write(bytes) };
});
