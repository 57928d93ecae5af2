/** Standard output for messages alone: what else would be printed there goes to standard error. */

type Console = typeof globalThis.console;
type Printing = Pick<
  Console,
  | "log"
  | "info"
  | "debug"
  | "dir"
  | "dirxml"
  | "table"
  | "trace"
  | "clear"
  | "group"
  | "groupCollapsed"
  | "count"
  | "countReset"
  | "time"
  | "timeLog"
  | "timeEnd"
>;

/** The methods of the console that print to standard output, or count and time for those that do. */
const printing = ({ error, group }: Console, inspect: (item: unknown, options: object) => string): Printing => {
  const counts = new Map<string, number>();
  const started = new Map<string, number>();
  const elapsed = (label: string, ...data: ReadonlyArray<unknown>): void => {
    const start = started.get(label);
    if (start === undefined) error(`Timer '${label}' does not exist`);
    else error(`${label}: ${performance.now() - start}ms`, ...data);
  };
  const begin = (...label: ReadonlyArray<unknown>): void => {
    if (label.length > 0) error(...label);
    group();
  };
  return {
    log: error,
    info: error,
    debug: error,
    dirxml: error,
    dir: (item, options) => error(inspect(item, options ?? {})),
    table: (data) => error(data),
    trace: (...data) => error("Trace:", ...data, `\n${new Error().stack}`),
    clear: () => {},
    group: begin,
    groupCollapsed: begin,
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
export const replace = (target: object, members: object): () => void => {
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

/** Redirects the console to standard error, and returns what puts it back. */
export const redirectConsole = (inspect: (item: unknown, options: object) => string): () => void => {
  const { console } = globalThis;
  return replace(console, printing(console, inspect));
};
