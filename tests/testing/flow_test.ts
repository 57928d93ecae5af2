/** The flow in a test: cells, steps, commits and passes, with the author's services and time replaced. */
import { describe, test } from "node:test";
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import * as TestClock from "effect/testing/TestClock";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { Principal, principal } from "../../src/model/principal.ts";
import * as Need from "../../src/need/mod.ts";
import { accept, type Answer } from "../../src/testing/answer.ts";
import { layerFlow, run } from "../../src/testing/flow.ts";
import { layerElicitation } from "../../src/testing/layers.ts";

interface Shop {
  readonly refund: (amount: number) => Effect.Effect<number, { readonly reason: string }>;
  readonly save: (rating: number) => Effect.Effect<void>;
}
const Shop: Context.Service<Shop, Shop> = Context.Service<Shop>("tests/Shop");

const Failure = Schema.Struct({ reason: Schema.String });
const Rating = Schema.Struct({ rating: Schema.Finite });

const refund = Effect.gen(function* () {
  const shop = yield* Shop;
  if (!(yield* Need.confirm("sure", "Refund?"))) return "Nothing was refunded.";
  const receipt = yield* Need.once("refund", shop.refund(20), { success: Schema.Finite, failure: Failure });
  const { rating } = yield* Need.elicit("rating", { message: "How did we do?", schema: Rating });
  yield* Need.onCommit(shop.save(rating));
  return `Refund ${receipt}`;
});

/** A shop that records what it is told. */
const shop = (fail = false) => {
  const calls: Array<string> = [];
  const layer = Layer.succeed(Shop, {
    refund: (amount) => {
      calls.push(`refund ${amount}`);
      return fail ? Effect.fail({ reason: "closed" }) : Effect.succeed(calls.length);
    },
    save: (rating) => Effect.sync(() => void calls.push(`save ${rating}`)),
  });
  return { calls, layer };
};

const answers = (ok: boolean): { readonly [key: string]: Answer } => ({
  sure: accept({ ok }),
  rating: accept({ rating: 5 }),
});

const defect = <A, E>(exit: Exit.Exit<A, E>): string =>
  Exit.isFailure(exit) ? String((Cause.squash(exit.cause) as Error).message) : "no defect";

describe("run", () => {
  test("run: runs a handler with the author's services replaced, and its commits at the end", async () => {
    const { calls, layer } = shop();
    const layers = Layer.mergeAll(layer, layerElicitation(answers(true)), layerFlow());
    assertEquals(await Effect.runPromise(Effect.provide(run(refund), layers)), "Refund 1");
    assertEquals(calls, ["refund 20", "save 5"]);
  });

  test("run: runs no step and no commit that the handler does not reach", async () => {
    const { calls, layer } = shop();
    const layers = Layer.mergeAll(layer, layerElicitation(answers(false)), layerFlow());
    assertEquals(await Effect.runPromise(Effect.provide(run(refund), layers)), "Nothing was refunded.");
    assertEquals(calls, []);
  });

  test("run: runs no commits after a failure, which reaches the caller as the step's schema reads it", async () => {
    const { calls, layer } = shop(true);
    const program = Effect.andThen(Need.onCommit(Effect.sync(() => void calls.push("commit"))), refund);
    const layers = Layer.mergeAll(layer, layerElicitation(answers(true)), layerFlow());
    assertEquals(await Effect.runPromise(Effect.flip(Effect.provide(run(program), layers))), { reason: "closed" });
    assertEquals(calls, ["refund 20"]);
  });

  test("run: starts again with the cells, and keeps only the commits of the last pass", async () => {
    const log: Array<string> = [];
    const cell = Need.state("n", { schema: Schema.Finite, initial: 1 });
    const program = Effect.gen(function* () {
      const n = yield* cell.get;
      yield* Need.onCommit(Effect.sync(() => void log.push(`commit ${n}`)));
      if (n < 4) {
        yield* cell.update((n) => n + 1);
        return yield* Need.again;
      }
      return n;
    });
    assertEquals(await Effect.runPromise(Effect.provide(run(program), layerFlow())), 4);
    assertEquals(log, ["commit 4"]);
  });

  test("run: interrupts the pass that ends with again, whatever it catches", async () => {
    const log: Array<string> = [];
    const cell = Need.state("done", { schema: Schema.Boolean, initial: false });
    const program = Effect.gen(function* () {
      if (yield* cell.get) return "end";
      yield* cell.set(true);
      return yield* Effect.as(Need.again, "never").pipe(
        Effect.catchCause(() => Effect.succeed("caught")),
        Effect.ensuring(Effect.sync(() => void log.push("finalizer"))),
      );
    });
    assertEquals(await Effect.runPromise(Effect.provide(run(program), layerFlow())), "end");
    assertEquals(log, ["finalizer"]);
  });

  test("run: dies after more than 8 passes that start again (DESIGN, section 5, maxPasses)", async () => {
    let passes = 0;
    const program = Effect.andThen(Effect.sync(() => passes++), Need.again);
    const exit = await Effect.runPromiseExit(Effect.provide(run(program), layerFlow()));
    assertEquals([passes, defect(exit)], [9, "The handler started again more than 8 times"]);
  });

  test("run: runs a step once in all passes, and gives what its record says", async () => {
    let runs = 0;
    const cell = Need.state("n", { schema: Schema.Finite, initial: 1 });
    const step = Effect.sync(() => ({ at: new Date(++runs), extra: "lost" }));
    const program = Effect.gen(function* () {
      const record = yield* Need.once("step", step, Schema.Struct({ at: Schema.Date }));
      if ((yield* cell.get) < 3) {
        yield* cell.update((n) => n + 1);
        return yield* Need.again;
      }
      return record;
    });
    assertEquals(await Effect.runPromise(Effect.provide(run(program), layerFlow())), { at: new Date(1) });
    assertEquals(runs, 1);
  });

  test("run: dies when one key is asked with two questions, and shares an equal one", async () => {
    const ask = (message: string) => Need.elicit("rating", { message, schema: Rating });
    const layers = Layer.merge(layerElicitation({ rating: accept({ rating: 3 }) }), layerFlow());
    const twice = Effect.all([ask("a"), ask("a")]);
    assertEquals(await Effect.runPromise(Effect.provide(run(twice), layers)), [{ rating: 3 }, { rating: 3 }]);
    const exit = await Effect.runPromiseExit(Effect.provide(run(Effect.all([ask("a"), ask("b")])), layers));
    assertEquals(defect(exit), '"rating" was asked with two different questions');
  });

  test("run: dies when a step asks", async () => {
    const program = Need.once("step", Need.confirm("sure", "Sure?"), Schema.Boolean);
    const layers = Layer.merge(layerElicitation({ sure: accept({ ok: true }) }), layerFlow());
    const exit = await Effect.runPromiseExit(Effect.provide(run(program), layers));
    assertEquals(defect(exit), 'Cannot ask "sure" inside of the step "step"');
  });
});

describe("layerFlow", () => {
  test("layerFlow: gives the flow's id, the caller and the step's name", async () => {
    const program = Effect.gen(function* () {
      const { id, principal: caller, step } = yield* Need.flow;
      const inside = yield* Need.once("step", Effect.map(Need.flow, (flow) => flow.step ?? ""), Schema.String);
      return [id, caller.subject, (yield* Principal).subject, step, inside];
    });
    const layer = layerFlow({ id: "f-1", principal: principal("ada") });
    assertEquals(await Effect.runPromise(Effect.provide(program, layer)), ["f-1", "ada", "ada", undefined, "step"]);
  });

  test("layerFlow: says that only run can start a handler again", async () => {
    const exit = await Effect.runPromiseExit(Effect.provide(Need.again, layerFlow()));
    assertStringIncludes(defect(exit), "Testing.run");
  });

  test("layerFlow: leaves time to the Clock of the test", async () => {
    const program = Effect.gen(function* () {
      const handler = Need.once("slow", Effect.as(Effect.sleep("1 hour"), "done"), Schema.String);
      const fiber = yield* Effect.forkChild(run(handler));
      yield* TestClock.adjust("59 minutes");
      const before = fiber.pollUnsafe();
      yield* TestClock.adjust("1 minute");
      return [before, yield* Fiber.join(fiber)];
    });
    const layers = Layer.merge(layerFlow(), TestClock.layer());
    assertEquals(await Effect.runPromise(Effect.provide(program, layers)), [undefined, "done"]);
  });
});
