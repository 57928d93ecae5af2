/** Standard output of Deno for messages alone. */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { redirectConsole, replace } from "./output.ts";

/**
 * Redirects the console, and what is written by `Deno.stdout` or `process.stdout`, to standard error, until the scope is
 * closed. `Deno.stdout.writable` still is standard output.
 */
export const redirect: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const restoreConsole = redirectConsole(Deno.inspect);
    const restoreStdout = replace(Deno.stdout, {
      write: (bytes: Uint8Array) => Deno.stderr.write(bytes),
      writeSync: (bytes: Uint8Array) => Deno.stderr.writeSync(bytes),
    });
    return () => {
      restoreStdout();
      restoreConsole();
    };
  }),
  (restore) => Effect.sync(restore),
);
