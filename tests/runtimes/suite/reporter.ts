/** A reporter for `node --test`: a line of JSON for each test that is not simply passed, and for each file that came to its end. */

/** What is used of the events of `node:test`. */
interface Event {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly file?: string;
    readonly message?: string;
    readonly skip?: unknown;
    readonly todo?: unknown;
    readonly success?: boolean;
    readonly counts?: { readonly tests: number; readonly passed: number };
    readonly details?: { readonly type?: string; readonly error?: { readonly cause?: unknown } };
  };
}

/** What the reporter writes, a line each. */
export type Line =
  | { readonly file: string | undefined; readonly wrong: string }
  | { readonly file: string | undefined; readonly said: string }
  | { readonly file: string; readonly tests: number; readonly passed: number }
  | { readonly success: boolean };

const lineOf = ({ data, type }: Event): Line | undefined => {
  const { counts, details, file, message, name, skip, success, todo } = data;
  if (type === "test:summary" && counts !== undefined) {
    return file === undefined ? { success: success === true } : { file, tests: counts.tests, passed: counts.passed };
  }
  if (type === "test:fail" && details?.type !== "suite") {
    const cause = details?.error?.cause;
    return { file, wrong: `${name}: ${cause instanceof Error ? cause.stack : String(cause ?? details?.error)}` };
  }
  if (type === "test:stderr") return { file, said: String(message) };
  const left = skip !== undefined ? "skipped" : todo !== undefined ? "to be done" : undefined;
  return type === "test:pass" && left !== undefined ? { file, wrong: `${name}: is ${left}` } : undefined;
};

/** The reporter. */
export default async function* report(events: AsyncIterable<Event>): AsyncGenerator<string> {
  for await (const event of events) {
    const line = lineOf(event);
    if (line !== undefined) yield `${JSON.stringify(line)}\n`;
  }
}
