/** `interim` and `prepare`: what the server that calls them relies on. */
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Metric from "effect/Metric";
import * as Option from "effect/Option";
import * as References from "effect/References";
import * as Scheduler from "effect/Scheduler";
import * as Schema from "effect/Schema";
import * as Call from "../../src/need/call.ts";
import * as Need from "../../src/need/mod.ts";
import { make } from "../../src/need/need.ts";
import type { Notice } from "../../src/model/notice.ts";
import { prepare } from "../../src/run/context.ts";
import { interim } from "../../src/run/interim.ts";
import { ask } from "./ask.ts";
import { callInfo, drive, type Handler, once, roundOf, run, toldOutcome } from "./kit.ts";
import { begin, hostTurns, onTestClock, pass } from "./time.ts";

const both = { concurrency: 2 } as const;
const now = { startImmediately: true } as const;

test("interim: interrupting it interrupts the handler, whose finalizers end first (disconnect)", async () => {
  const list: Array<string> = [];
  const note = (what: string) => Effect.sync(() => void list.push(what));
  const handler = Effect.never.pipe(
    Effect.onInterrupt(() => note("interrupted")),
    Effect.ensuring(
      Effect.andThen(Effect.sleep("1 seconds"), Effect.flatMap(Need.isSuspending, (is) => note(`closed ${is}`))),
    ),
  );
  await onTestClock(Effect.gen(function* () {
    const round = yield* begin(handler);
    const interruption = yield* Effect.forkChild(Fiber.interrupt(round), now);
    yield* hostTurns(5);
    assertEquals(list, ["interrupted"]);
    assertEquals(interruption.pollUnsafe(), undefined);
    yield* pass("1 seconds");
    yield* Fiber.join(interruption);
    assertEquals(list, ["interrupted", "closed false"]);
  }));
});

test("interim: a handler that does not end holds an interruption for 5 s, a step in flight for 30 s more", async () => {
  for (
    const [handler, limit] of [[Effect.ensuring(Effect.never, Effect.never), 5], [
      Need.once("s", Effect.never, Schema.Void),
      35,
    ]] as const
  ) {
    await onTestClock(Effect.gen(function* () {
      const round = yield* begin(handler);
      const interruption = yield* Effect.forkChild(Fiber.interrupt(round), now);
      yield* pass(`${limit - 1} seconds`);
      assertEquals(interruption.pollUnsafe(), undefined);
      yield* pass("1 seconds");
      yield* Fiber.join(interruption);
    }));
  }
});

test("interim: concurrent asks in uninterruptible regions do not hold an interruption", async () => {
  const step = Deferred.makeUnsafe<void>();
  const busy = Effect.uninterruptible(
    Effect.all([ask("a"), ask("b"), Need.once("s", Deferred.await(step), Schema.Void)], { concurrency: 3 }),
  );
  const exit = await Effect.runPromise(Effect.gen(function* () {
    const round = yield* Effect.forkChild(once(busy), now);
    yield* hostTurns(2);
    const interruption = yield* Effect.forkChild(Fiber.interrupt(round), now);
    yield* Deferred.succeed(step, undefined);
    yield* Fiber.join(interruption);
    return round.pollUnsafe();
  }));
  assertEquals(exit?._tag, "Failure");
});

test("interim: a need that memoises across calls fails as interrupted, it does not hang", async () => {
  const shared = await Effect.runPromise(Effect.cached(ask("a")));
  const services = prepare(Context.empty());
  const [one, two] = await Effect.runPromise(Effect.all([
    interim(Effect.all([shared, Need.once("s", Effect.sleep(5), Schema.Void)], both), services, roundOf()),
    interim(Effect.andThen(Effect.yieldNow, shared), services, roundOf()),
  ], both));
  assertEquals([one, two].map(toldOutcome), ["asks a", "interrupted"]);
});

test("interim: 10,000 rounds that nobody comes back to leave no fiber behind (B16)", async () => {
  let live = 0;
  const services = prepare(Context.make(Metric.FiberRuntimeMetrics, {
    recordFiberStart: () => void live++,
    recordFiberEnd: () => void live--,
  }));
  const handlers: ReadonlyArray<Handler> = [
    ask("a"),
    Effect.all([ask("a"), ask("b")], both),
    Need.all([ask("a"), Effect.andThen(Effect.yieldNow, ask("b"))]),
    Effect.uninterruptible(Effect.all([ask("a"), Effect.timeout(ask("b"), "1 hour")], both)),
    Effect.andThen(
      Effect.forkDetach(ask("a"), now),
      Effect.andThen(Effect.forkDetach(Effect.sleep("1 hour"), now).pipe(Effect.flatMap(Fiber.interrupt)), ask("b")),
    ),
    Need.optional(Effect.asVoid(ask("a"))),
    Effect.race(Effect.sleep("1 hour"), ask("a")),
    Effect.scoped(Effect.andThen(Effect.addFinalizer(() => Effect.ignore(ask("x"))), ask("a"))),
    Effect.andThen(Need.once("s", Effect.void, Schema.Void), Need.again),
    Effect.andThen(Effect.promise(() => Promise.resolve()), ask("a")),
  ];
  for (let i = 0; i < 1000; i++) {
    const outcomes = await Promise.all(
      handlers.map((handler) => Effect.runPromise(interim(handler as Effect.Effect<unknown>, services, roundOf()))),
    );
    assert(outcomes.every(({ _tag }) => _tag === "InputRequired"));
  }
  await Effect.runPromise(hostTurns(5));
  assertEquals(live, 0);
});

test("interim: fibers that were about to park when the round was over end too", async () => {
  let live = 0;
  const counting = { recordFiberStart: () => void live++, recordFiberEnd: () => void live-- };
  for (let max = 3; max < 12; max++) {
    const services = Context.add(
      Context.make(Metric.FiberRuntimeMetrics, counting),
      Scheduler.MaxOpsBeforeYield,
      max,
    );
    for (let work = 0; work < 40; work++) {
      const handler = Effect.gen(function* () {
        yield* Effect.forkDetach(Effect.uninterruptible(ask("a")), now);
        for (let i = 0; i < work; i++) yield* Effect.void;
      });
      await run(handler, { services });
      await Effect.runPromise(hostTurns(12));
      assertEquals([max, work, live], [max, work, 0]);
    }
  }
});

test("interim: the ask is never the author's failure, finalizers run in every round, effects outside of steps too (B17)", async () => {
  const count = { outside: 0, inside: 0, finalized: 0, caught: 0 };
  const bump = (name: keyof typeof count) => Effect.sync(() => void count[name]++);
  const handler = () =>
    Effect.gen(function* () {
      yield* bump("outside");
      yield* Need.once("inside", bump("inside"), Schema.Void);
      return yield* ask("a").pipe(
        Effect.catchCause(() => Effect.andThen(bump("caught"), Effect.succeed("caught"))),
        Effect.retry({ times: 2 }),
        Effect.timeout("1 minute"),
        Effect.ensuring(bump("finalized")),
      );
    });
  const flow = await drive(handler);
  assertEquals([flow.result, count], ['ok "a"', { outside: 2, inside: 1, finalized: 2, caught: 0 }]);
});

test("notify: messages pass while the handler runs, in order, in steps too", async () => {
  const notices: Array<Notice> = [];
  const handler = Effect.gen(function* () {
    yield* Call.progress({ progress: 1 });
    yield* Need.once("s", Call.log("info", "step"), Schema.Void);
    yield* Effect.ensuring(ask("a"), Call.progress({ progress: 2 }));
  });
  await run(handler, { notify: (notice) => notices.push(notice) });
  assertEquals(notices, [
    { _tag: "Progress", progress: { progress: 1 } },
    { _tag: "Log", log: { level: "info", data: "step" } },
  ]);
});

test("info: the call's, and the flow's in every round", async () => {
  const handler = Effect.gen(function* () {
    const call = yield* Call.info;
    const flow = yield* Need.flow;
    return [
      Option.map(call, ({ target }) => target),
      flow.id,
      flow.round,
      flow.era,
      flow.principal.subject,
      yield* ask("a"),
    ];
  });
  const flow = await drive(() => handler);
  assertEquals(flow.result, 'ok [{"_id":"Option","_tag":"Some","value":"test"},"flow",2,"modern","anonymous","a"]');
  assertEquals(callInfo().target, "test");
});

test("disconnect: does nothing", async () => {
  assertEquals(toldOutcome(await run(Effect.as(Call.disconnect, 1))), "ok 1");
});

test("prepare: metrics of the author go on, for all fibers, and see each one start and end", async () => {
  const seen = { starts: 0, ends: 0 };
  const metrics = { recordFiberStart: () => void seen.starts++, recordFiberEnd: () => void seen.ends++ };
  const services = Context.make(Metric.FiberRuntimeMetrics, metrics);
  await run(Effect.all([ask("a"), ask("b")], both), { services });
  assertEquals(seen, { starts: 3, ends: 3 });
});

test("prepare: the author's scheduler runs the handler's tasks, and a round waits for what is in its queue", async () => {
  let tasks = 0;
  // Its tasks run some host turns later, so that only the count of them can hold the round.
  const scheduler = new Scheduler.MixedScheduler("async", (run) => {
    tasks++;
    setImmediate(() => setImmediate(() => setImmediate(run)));
    return () => {};
  });
  const handler = Effect.all([ask("a"), Effect.andThen(Effect.yieldNow, ask("b"))], both);
  const services = Context.make(Scheduler.Scheduler, scheduler);
  assertEquals(toldOutcome(await run(handler, { services })), "asks a,b");
  assertEquals(tasks, 1);
});

test("prepare: metrics and schedulers that the handler brings along do not mislead the gate", async () => {
  const blind = Effect.all([ask("a"), Effect.andThen(Effect.promise(() => Promise.resolve()), ask("b"))], both);
  assertEquals(toldOutcome(await run(Metric.enableRuntimeMetrics(blind))), "asks a,b");
  const own = Effect.provideService(blind, Scheduler.Scheduler, new Scheduler.MixedScheduler());
  assertEquals(toldOutcome(await run(own)), "asks a,b");
});

test("prepare: services and references of the author stay as they are, and a second time changes nothing", async () => {
  const services = prepare(Context.make(References.MinimumLogLevel, "Error"));
  assertEquals(prepare(services), services);
  const outcome = await Effect.runPromise(
    interim(Effect.flatMap(References.MinimumLogLevel, Effect.succeed), services, roundOf()),
  );
  assertEquals(toldOutcome(outcome), 'ok "Error"');
});

test("prepare: one context serves concurrent calls, each with its own gate", async () => {
  const services = prepare(Context.empty());
  const start = Deferred.makeUnsafe<void>();
  const handler = (key: string) => Effect.andThen(Deferred.await(start), Effect.all([ask(key), ask(`${key}2`)], both));
  const calls = ["a", "b", "c"].map((key) => Effect.runPromise(interim(handler(key), services, roundOf())));
  Deferred.doneUnsafe(start, Effect.void);
  assertEquals((await Promise.all(calls)).map(toldOutcome), ["asks a,a2", "asks b,b2", "asks c,c2"]);
});

test("outside of a call: the flow's verbs die, the interpreter's do without it", async () => {
  const services = prepare(Context.empty());
  const exit = await Effect.runPromise(
    Effect.exit(Effect.provideContext(Effect.andThen(ask("a"), Effect.void), services)),
  );
  assertEquals(exit._tag, "Failure");
  const plain = Effect.all([
    Need.isSuspending,
    Call.progress({ progress: 1 }),
    Call.disconnect,
    Effect.map(Call.info, Option.isNone),
  ]);
  assertEquals(await Effect.runPromise(Effect.provideContext(plain, services)), [false, undefined, undefined, true]);
});

test("a host without setImmediate: rounds settle by message channels, or by timers", async () => {
  const host = globalThis as Record<string, unknown>;
  const { MessageChannel: channel, setImmediate: immediate } = host;
  const handler = Effect.all([ask("a"), ask("b")], both);
  host.setImmediate = undefined;
  const byChannel = await run(handler);
  host.MessageChannel = undefined;
  const byTimer = await run(handler);
  Object.assign(host, { MessageChannel: channel, setImmediate: immediate });
  assertEquals([byChannel, byTimer].map(toldOutcome), ["asks a,b", "asks a,b"]);
});

test("interim: what breaks when the round is decided is the handler's own defect, not the process's", async () => {
  const broken = make<string, never, Need.Elicitation>({
    key: "broken",
    kind: "form",
    port: Need.Elicitation,
    request: () => ({ method: "roots/list" }),
    identity: () => {
      throw new Error("no identity");
    },
    read: () => ({ _tag: "Invalid", reason: "" }),
    volunteer: false,
  });
  const late = Effect.andThen(Effect.promise(() => Promise.resolve()), broken);
  for (const handler of [broken, late]) assertEquals(toldOutcome(await run(handler)), "die no identity");
});
