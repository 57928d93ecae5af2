/** `Need.state` and `Need.again`. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import type { Handler } from "../kit.ts";
import { after, both, counted, unbounded } from "./parts.ts";
import type { Program } from "./program.ts";

/** Its type invites to change it in place. */
const log = Need.state("log", { schema: Schema.mutable(Schema.Array(Schema.String)), initial: [] });
const sum = Need.state("sum", { schema: Schema.Array(Schema.String), initial: [] });

export const passes: ReadonlyArray<Program> = [
  {
    // G8, and DESIGN section 3: writes of a suspended round do not count, and a call begins with the initial value
    name: "a cell whose value is changed in place",
    handler: () => {
      const push = log.update((lines) => {
        lines.push("x");
        return lines;
      });
      return Effect.andThen(push, Effect.andThen(ask("a"), log.get));
    },
    result: 'ok ["x"]',
    asks: [["a"]],
  },
  {
    name: "writes of a suspended round do not count twice",
    handler: () =>
      Effect.gen(function* () {
        yield* counted.update((n) => n + 1);
        yield* ask("a");
        yield* counted.update((n) => n + 1);
        yield* ask("b");
        return yield* counted.get;
      }),
    result: "ok 2",
    asks: [["a"], ["b"]],
  },
  {
    name: "again keeps what was written and what was answered",
    handler: () =>
      Effect.gen(function* () {
        const values = yield* sum.get;
        if (values.length === 2) return values;
        yield* sum.set([...values, yield* ask(`row:${values.length}`)]);
        return yield* Need.again;
      }),
    result: 'ok ["row:0","row:1"]',
    asks: [["row:0"], [], ["row:1"], []],
  },
  {
    name: "again inside of catchCause, uninterruptible and a scope",
    handler: (note) =>
      Effect.scoped(Effect.uninterruptible(
        Effect.flatMap(counted.get, (n) =>
          n === 2 ? Effect.succeed("end") : Effect.andThen(
            counted.set(n + 1),
            Effect.catchCause(Need.again, () => note("caught")),
          )),
      )),
    result: 'ok "end"',
    asks: [[], []],
  },
  {
    name: "again takes effect when nothing else is pending",
    handler: () =>
      Effect.flatMap(
        counted.get,
        (n): Handler =>
          n === 1
            ? Effect.succeed("end")
            : Effect.all([ask("a"), Effect.andThen(counted.set(n + 1), Need.again)], both),
      ),
    result: 'ok "end"',
    asks: [["a"], []],
  },
  {
    name: "again that loses a race",
    handler: () => Effect.race(Need.again, Effect.succeed("value")),
    result: 'ok "value"',
    asks: [],
  },
  {
    name: "concurrent updates of a cell",
    handler: () =>
      Effect.andThen(
        Effect.all([
          counted.update((n) => n + 1),
          counted.update((n) => n + 1),
          after(counted.update((n) => n + 1), "a"),
        ], unbounded),
        counted.get,
      ),
    result: "ok 3",
    asks: [["a"]],
  },
];
