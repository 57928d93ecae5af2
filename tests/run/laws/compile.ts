/** Generated programs as ordinary Effect programs, in which nothing knows the era. */
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Semaphore from "effect/Semaphore";
import * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import { keyOf, type Program } from "./program.ts";

/** What a run did. */
export interface Trace {
  /** Steps that were started, in the whole flow. */
  readonly steps: Array<string>;
  /** Commits that ran, in the whole flow. */
  readonly commits: Array<string>;
  /** Commits that were registered in the last round. */
  registered: Array<string>;
}

class Oops extends Data.TaggedError("Oops")<{ readonly key: string }> {}

const OopsJson = Schema.Struct({ key: Schema.String });

// deno-lint-ignore no-explicit-any -- a generated program may need any of the flow's services and fail in any way
type Any = Effect.Effect<string, any, any>;

const lacking = Need.sample("lacking", {
  messages: [{ role: "user", content: { type: "text", text: "?" } }],
  maxTokens: 1,
});

const step = (name: string, n: number, trace: Trace): Any => {
  const work = Effect.suspend(() => {
    trace.steps.push(name);
    const slow = n % 4 === 0 ? Effect.sleep(1 + n % 3) : Effect.void;
    return Effect.andThen(slow, n % 3 === 1 ? Effect.fail({ key: name }) : Effect.succeed(`did ${name}`));
  });
  const recorded = Need.once(name, work, { success: Schema.String, failure: OopsJson });
  return Effect.mapError(recorded, (error) => new Oops(error));
};

/** The text of a failure, as `catch` tells it. */
const failureOf = (error: { readonly _tag: string; readonly key: string }): string => `${error._tag}:${error.key}`;

/** The Effect program. Ids are given in the order of the text, so that equal programs do the same. */
export const compile = (program: Program, trace: Trace): Any => {
  let ids = 0;
  const go = (program: Program): Any => {
    const { n, op, parts } = program;
    const id = ids++;
    const [a, b, c] = parts.map(go) as [Any, Any, Any];
    const all = parts.length > 0 ? [a, b, c].slice(0, parts.length) : [];
    switch (op) {
      case "pure":
        return Effect.succeed(`p${id}`);
      case "ask":
        return ask(keyOf(program, id));
      case "confirm":
        return Effect.map(Need.confirm(keyOf(program, id), "Sure?"), String);
      case "step":
        return step(`step-${id}`, n, trace);
      case "cell": {
        const cell = Need.state(`cell-${id}`, { schema: Schema.Number, initial: 0 });
        return Effect.andThen(cell.update((value) => value + 1), Effect.map(cell.get, (value) => `n${value}`));
      }
      case "again": {
        const cell = Need.state(`again-${id}`, { schema: Schema.Boolean, initial: false });
        return Effect.flatMap(
          cell.get,
          (done) => done ? Effect.succeed("again") : Effect.andThen(cell.set(true), Need.again),
        );
      }
      case "commit":
        return Effect.as(
          Effect.tap(
            Need.onCommit(Effect.sync(() => trace.commits.push(`commit-${id}`))),
            () => Effect.sync(() => trace.registered.push(`commit-${id}`)),
          ),
          `c${id}`,
        );
      case "sleep":
        return Effect.as(Effect.sleep(1 + n % 3), "slept");
      case "yield":
        return Effect.as(Effect.repeat(Effect.yieldNow, { times: n % 4 }), "y");
      case "promise":
        return Effect.promise(() => Promise.resolve("q"));
      case "fail":
        return Effect.fail(new Oops({ key: `fail-${id}` }));
      case "exit":
        return Effect.map(Effect.exit(a), (exit) => Exit.isSuccess(exit) ? `ok(${exit.value})` : "ko");
      case "fork":
        return Effect.flatMap(Effect.forkChild(a, { startImmediately: n % 2 === 0 }), Fiber.join);
      case "detach":
        return Effect.flatMap(Effect.forkDetach(a, { startImmediately: n % 2 === 0 }), Fiber.join);
      case "scoped":
        return Effect.scoped(Effect.andThen(Effect.addFinalizer(() => Effect.void), a));
      case "retry":
        return Effect.retry(a, { times: 1 });
      case "uninterruptible":
        return Effect.uninterruptible(a);
      case "timeout":
        return Effect.map(Effect.timeoutOption(a, n % 4 === 0 ? 2 : 10_000), Option.getOrElse(() => "late"));
      case "optional":
        return Effect.map(
          Need.optional(n % 2 === 0 ? a : Effect.tap(a, () => Effect.exit(lacking))),
          Option.getOrElse(() => "none"),
        );
      case "catch":
        return Effect.catch(a, (error) => Effect.map(b, (value) => `caught(${failureOf(error)},${value})`));
      case "catchCause":
        return Effect.catchCause(a, () => Effect.map(b, (value) => `cause(${value})`));
      case "race":
        return Effect.race(a, b);
      case "if":
        return Effect.flatMap(a, (value) => value.includes("y") || value.includes("true") ? b : c);
      case "seq":
        return Effect.map(Effect.all(all), (values) => `(${values.join(";")})`);
      case "par":
        return Effect.map(
          Effect.all(all, { concurrency: ([1, 2, "unbounded", "unbounded"] as const)[n % 4]! }),
          (values) => `[${values.join(",")}]`,
        );
      case "needAll":
        return Effect.map(Need.all(all), (values) => `<${values.join(",")}>`);
      case "semaphore":
        return Effect.flatMap(Semaphore.make(1), (semaphore) =>
          Effect.map(
            Effect.all(all.map(semaphore.withPermits(1)), { concurrency: "unbounded" }),
            (values) => `{${values.join(",")}}`,
          ));
    }
  };
  return go(program);
};
