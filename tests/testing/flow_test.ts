/** The flow in a test: cells, steps, commits and passes, with the author's services and time replaced. */
import { describe, test } from "node:test";
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as References from "effect/References";
import * as Schema from "effect/Schema";
import * as TestClock from "effect/testing/TestClock";
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Capability } from "../../src/model/capability.ts";
import { Principal, principal } from "../../src/model/principal.ts";
import * as Need from "../../src/need/mod.ts";
import { accept, type Answer } from "../../src/testing/answer.ts";
import { layerFlow, run } from "../../src/testing/flow.ts";
import { layerElicitation, layerRoots } from "../../src/testing/layers.ts";
import { drive, type Handler, run as round, toldOutcome } from "../run/kit.ts";

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

describe("run, where a server ends the call", () => {
  const cell = Need.state("n", { schema: Schema.Finite, initial: 0 });
  const step = (inside: Effect.Effect<unknown, never, unknown>) =>
    Need.once("step", Effect.asVoid(inside), Schema.Void);
  const itself: Effect.Effect<void, never, Need.Flow> = Need.once("step", Effect.suspend(() => itself), Schema.Void);
  const nested = Need.once("step", Need.once("other", Effect.suspend(() => itself), Schema.Void), Schema.Void);

  type Needs = Need.Elicitation | Need.Roots | Need.Flow;

  const misused: ReadonlyArray<readonly [string, Handler]> = [
    ['Cannot ask "sure" inside of the step "step"', step(Need.confirm("sure", "Sure?"))],
    ['Cannot ask "roots" inside of the step "step"', step(Need.roots())],
    ['Cannot use the state "n" inside of the step "step"', step(cell.get)],
    ['Cannot use the state "n" inside of the step "step"', step(cell.set(1))],
    ['Cannot register a commit inside of the step "step"', step(Need.onCommit(Effect.void))],
    ['Cannot start again inside of the step "step"', step(Need.again)],
    ['The step "step" waits for itself', itself],
    ['The step "step" waits for itself', nested],
    [
      'The result of the step "step" does not fit its schema',
      Need.once("step", Effect.succeed(""), Schema.NonEmptyString),
    ],
    ['The state "n" does not fit its schema', Effect.andThen(cell.set(Number.NaN), Need.again)],
  ];

  const inTest = (handler: Handler, capabilities?: ReadonlyArray<Capability>) =>
    Effect.runPromiseExit(Effect.provide(
      run(handler as Effect.Effect<unknown, unknown, Needs>),
      Layer.mergeAll(
        layerElicitation({ sure: () => accept({ ok: true }) }),
        layerRoots(["file:///a"]),
        layerFlow(capabilities && { capabilities }),
      ),
    ));

  test("run: dies with the server's message (G1), whatever the handler catches and whoever wins a race", async () => {
    for (const [message, misuse] of misused) {
      for (
        const handler of [
          misuse,
          Effect.catchCause(misuse, () => Effect.succeed("caught")),
          Effect.uninterruptible(Effect.catchCause(misuse, () => Effect.succeed("caught"))),
          // A server looks at cells only where a pass ends with `again`.
          Effect.race(misuse, message.startsWith("The state") ? Effect.never : Effect.succeed("value")),
        ]
      ) {
        const outcome = await round(Effect.provideService(handler, References.MinimumLogLevel, "None"));
        assertEquals([toldOutcome(outcome), defect(await inTest(handler))], [`broken ${message}`, message]);
      }
    }
  });

  test("run: dies of two questions under one key, also when both are open at once", async () => {
    const two = Effect.all([Need.confirm("sure", "Sure?"), Need.confirm("sure", "Really?")], { concurrency: 2 });
    for (const handler of [two, Effect.catchCause(two, () => Effect.succeed("caught"))]) {
      assertEquals(defect(await inTest(handler)), '"sure" was asked with two different questions');
    }
  });

  test("run: dies where a question cannot be put to this client, roots included", async () => {
    for (const need of [Need.roots(), Need.confirm("roots", "Sure?")]) {
      const lacking = Effect.catchCause<unknown, never, unknown, string, never, never>(
        need,
        () => Effect.succeed("caught"),
      );
      assertStringIncludes(defect(await inTest(lacking, ["sampling"])), 'Cannot ask "roots": the client lacks');
    }
    const optional = Effect.map(Need.optional(Need.roots()), Option.isNone);
    assertEquals(await inTest(optional, ["sampling"]), Exit.succeed(true));
    assertEquals(await inTest(optional), Exit.succeed(false));
  });

  test("run: gives the text of a step's defect, as its record has it", async () => {
    class Mine extends Error {}
    for (const thrown of [new Mine("boom"), "boom"]) {
      const handler = Effect.catchDefect(Need.once("step", Effect.die(thrown), Schema.Void), Effect.succeed);
      assertEquals(await inTest(handler), Exit.succeed(new Error("boom")));
    }
    const odd = Object.assign(new Error(), { message: {} });
    const handler = Effect.catchDefect(Need.once("step", Effect.die(odd), Schema.Void), Effect.succeed);
    assertEquals(await inTest(handler), Exit.succeed(new Error("The step died")));
  });

  test("run: asks once for one key, however many ask at once", async () => {
    let times = 0;
    const answer = () => Promise.resolve(accept({ ok: ++times === 1 }));
    const twice = Effect.all([Need.confirm("k", "Sure?"), Need.confirm("k", "Sure?")], { concurrency: 2 });
    const layers = Layer.merge(layerElicitation({ k: answer }), layerFlow());
    assertEquals(await Effect.runPromise(Effect.provide(run(twice), layers)), [true, true]);
    assertEquals(times, 1);
  });

  test("run: goes again from an uninterruptible region", async () => {
    const handler = Effect.gen(function* () {
      if ((yield* cell.get) === 0) yield* Effect.andThen(cell.set(1), Effect.exit(Need.again));
      return yield* cell.get;
    });
    assertEquals(await inTest(Effect.uninterruptible(handler)), Exit.succeed(1));
  });

  test("attempt, in a run: ends when its finalizers and steps have (DESIGN, section 3)", async () => {
    const list: Array<string> = [];
    const note = (what: string) => Effect.sync(() => void list.push(what));
    const soon = Effect.promise(() => Promise.resolve());
    const never = Effect.onInterrupt(Effect.never, () => Effect.andThen(soon, note("closed")));
    const inner = Effect.all([never, step(Effect.andThen(soon, note("step ends"))), Need.roots()], { concurrency: 3 });
    const attempted = Need.attempt(Effect.all([Effect.never, inner], { concurrency: 2 }));
    const exit = await inTest(Effect.andThen(Effect.exit(attempted), note("ended")), ["elicitation.form"]);
    assertEquals([exit, list], [Exit.void, ["step ends", "closed", "ended"]]);
  });

  test("onCommit, in a run: reads cells as the pass left them, and a defect in it leaves the result", async () => {
    const list: Array<string> = [];
    const handler = Effect.gen(function* () {
      yield* Need.onCommit(Effect.die("boom"));
      yield* Need.onCommit(Effect.map(cell.get, (n) => list.push(`n ${n}`)));
      yield* cell.set(3);
      return "done";
    });
    const quiet = Effect.provideService(run(handler), References.MinimumLogLevel, "None");
    assertEquals(await Effect.runPromise(Effect.provide(quiet, layerFlow())), "done");
    assertEquals(list, ["n 3"]);
  });

  test("onCommit, in a run: the run dies of what a commit must not do, with the message that a server logs", async () => {
    const verbs: ReadonlyArray<readonly [string, Effect.Effect<unknown, never, unknown>]> = [
      ['Cannot ask "sure" while committing', Need.confirm("sure", "Sure?")],
      ['Cannot ask "roots" while committing', Need.roots()],
      ["Cannot start again while committing", Need.again],
      ['Cannot run the step "step" while committing', step(Effect.void)],
      ['Cannot use the state "n" while committing', cell.set(1)],
      ["Cannot register a commit while committing", Need.onCommit(Effect.void)],
    ];
    for (const [message, verb] of verbs) {
      const told: Array<string> = [];
      const commit = Effect.catchDefect(verb, (error) => Effect.sync(() => void told.push((error as Error).message)));
      await drive(() => Need.onCommit(commit));
      assertEquals([told, defect(await inTest(Need.onCommit(commit)))], [[message], message]);
    }
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
