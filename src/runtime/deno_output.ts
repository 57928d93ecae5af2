/** Standard output for messages alone: what else would be printed there goes to standard error. */
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";

type Console = typeof globalThis.console;
type Printing = Pick<
  Console,
  "log" | "info" | "debug" | "dir" | "dirxml" | "table" | "count" | "countReset" | "time" | "timeLog" | "timeEnd"
>;

/** The methods of the console that print to standard output, or count and time for those that do. */
const printing = (error: Console["error"]): Printing => {
  const counts = new Map<string, number>();
  const started = new Map<string, number>();
  const elapsed = (label: string, ...data: ReadonlyArray<unknown>): void => {
    const start = started.get(label);
    if (start === undefined) error(`Timer '${label}' does not exist`);
    else error(`${label}: ${performance.now() - start}ms`, ...data);
  };
  return {
    log: error,
    info: error,
    debug: error,
    dirxml: error,
    dir: (item, options) => error(Deno.inspect(item, options)),
    table: (data) => error(data),
    count: (label = "default") => {
      const count = (counts.get(label) ?? 0) + 1;
      counts.set(label, count);
      error(`${label}: ${count}`);
    },
    countReset: (label = "default") => void counts.delete(label),
    time: (label = "default") => void started.set(label, performance.now()),
    timeLog: (label = "default", ...data) => elapsed(label, ...data),
    timeEnd: (label = "default") => {
      elapsed(label);
      started.delete(label);
    },
  };
};

/** Gives `target` other members, and returns what puts the old ones back. */
const replace = (target: object, members: object): () => void => {
  const names = Object.keys(members);
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const);
  Object.assign(target, members);
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, descriptor);
    }
  };
};

/**
 * Redirects the console, and what is written by `Deno.stdout` or `process.stdout`, to standard error, until the scope is
 * closed. `Deno.stdout.writable` still is standard output.
 */
export const redirect: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const { console } = globalThis;
    const restoreConsole = replace(console, printing(console.error));
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
