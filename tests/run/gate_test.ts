/** The invariants at the head of `src/run/gate.ts`, by their names. */
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Schema from "effect/Schema";
import * as Call from "../../src/need/call.ts";
import * as Need from "../../src/need/mod.ts";
import { prepare } from "../../src/run/context.ts";
import { interim } from "../../src/run/interim.ts";
import { ask, formsOnly, lacking } from "./ask.ts";
import { begin, endsAt, endsWithin, hostTurns, onTestClock, pass } from "./time.ts";
import { accept, carried, type Handler, roundOf, run, toldOutcome } from "./kit.ts";

const both = { concurrency: 2 } as const;
const now = { startImmediately: true } as const;

/** Notes of what ran. */
const notes = () => {
  const list: Array<string> = [];
  return { list, note: (what: string) => Effect.sync(() => void list.push(what)) };
};

test("G1: neither what is missing nor misuse is seen by the handler, and both decide the outcome", async () => {
  const { list, note } = notes();
  const blind = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.catchCause(Effect.onExit(effect, () => note("exit")), () => Effect.as(note("caught"), undefined));
  const missing = await run(blind(lacking), { capabilities: formsOnly });
  assertEquals(missing, {
    _tag: "Unaskable",
    missing: ["sampling"],
    key: "s",
    reason: "The client does not declare sampling",
  });
  const misuse = await run(blind(Effect.all([ask("a"), ask("a", "other")])), { responses: { a: accept("a", 1) } });
  assertEquals(toldOutcome(misuse), 'broken The key "a" stands for two different questions');
  // Finalizers ran; nobody caught anything.
  assertEquals(list, ["exit", "exit"]);
});

test("G1: misuse decides although the root ends well, because the misused branch lost a race", async () => {
  const misused = Effect.andThen(Effect.exit(ask("a")), ask("a", "other"));
  const outcome = await run(Effect.race(misused, Effect.succeed("value")), { responses: { a: accept("a", 1) } });
  assertEquals(toldOutcome(outcome), 'broken The key "a" stands for two different questions');
});

test("G2: after the close no verb acts, in uninterruptible regions and detached fibers neither", async () => {
  const { list, note } = notes();
  const told: Array<string> = [];
  const verbs = [
    ask("late"),
    Need.once("late", note("step"), Schema.Void),
    Need.state("n", { schema: Schema.Number, initial: 0 }).set(1),
    Need.onCommit(note("commit")),
    Need.again,
    Need.all([ask("later")]),
    Need.attempt(ask("latest").pipe(Effect.asVoid)),
  ];
  const tail = (verb: Handler) =>
    Effect.uninterruptible(Effect.andThen(
      Effect.catchCause(ask("a"), () => Call.progress({ progress: 1 })),
      Effect.andThen(Effect.onExit(verb, (exit) => note(exit._tag)), note("went on")),
    ));
  for (const verb of verbs) {
    const outcome = await run(tail(verb), { notify: ({ _tag }) => told.push(_tag) });
    assertEquals(toldOutcome(outcome), "asks a");
    await run(Effect.andThen(Effect.forkDetach(tail(verb), now), ask("b")), { notify: ({ _tag }) => told.push(_tag) });
  }
  assertEquals(new Set(list), new Set(["Failure"]));
  assertEquals(told, []);
});

test("G2: what leaks is a plain effect after a caught cause, uninterruptible or detached, and nothing else", async () => {
  const { list, note } = notes();
  const caught = (what: string) =>
    ask("a").pipe(Effect.catchCause(() => note(what)), Effect.andThen(note(`${what} on`)));
  await run(caught("interruptible"));
  await run(Effect.all([caught("branch"), caught("branch")], both));
  await run(Effect.flatMap(Effect.forkChild(caught("child"), now), Fiber.await));
  await run(Effect.andThen(Effect.forkDetach(caught("detached"), now), ask("b")));
  assertEquals(list, []);
  await run(Effect.uninterruptible(caught("uninterruptible")));
  await run(Effect.andThen(
    Effect.forkDetach(Effect.all([caught("x"), caught("x")], both).pipe(Effect.catchCause(() => note("subtree"))), now),
    ask("b"),
  ));
  assertEquals(list, ["uninterruptible", "uninterruptible on", "subtree"]);
});

test("G3: concurrent asks in uninterruptible regions do not hold the round, before the close and after it", async () => {
  const two = Effect.all([ask("x"), ask("y")], both);
  const blind = Effect.catchCause(two, () => Effect.void);
  const limits = { unwind: Duration.infinity };
  for (
    const [handler, asks] of [
      [Effect.uninterruptible(two), "asks x,y"],
      [Effect.uninterruptible(Effect.andThen(blind, two)), "asks x,y"],
      [Effect.uninterruptible(Effect.andThen(Effect.andThen(blind, blind), two)), "asks x,y"],
      [Effect.scoped(Effect.andThen(Effect.addFinalizer(() => Effect.ignore(two)), ask("a"))), "asks a"],
      [Effect.acquireUseRelease(two, () => Effect.void, () => Effect.void), "asks x,y"],
      [Effect.onInterrupt(ask("a"), () => Effect.asVoid(Effect.ignore(two))), "asks a"],
      [Effect.uninterruptible(Effect.all([ask("a"), Effect.andThen(blind, two)], both)), "asks a,x,y"],
    ] as ReadonlyArray<readonly [Handler, string]>
  ) {
    assertEquals(toldOutcome(await run(handler, { limits })), asks);
  }
});

test("G3: the root is interrupted before the fibers that are parked", async () => {
  const { list, note } = notes();
  await run(Effect.andThen(
    Effect.forkDetach(Effect.onInterrupt(ask("a"), () => note("detached")), now),
    Effect.onInterrupt(ask("b"), () => note("root")),
  ));
  assertEquals(list, ["root", "detached"]);
});

test("G3: from the 100th ask after the close on, asks park for good, and the reply goes out after the bound", async () => {
  let asks = 0;
  const counted = Effect.suspend(() => {
    asks++;
    return ask("a");
  });
  const handler = Effect.uninterruptible(
    Effect.forever(Effect.catchCause(counted, () => Effect.void), { disableYield: true }),
  );
  const outcome = await endsAt(begin(handler), "5 seconds");
  assertEquals(toldOutcome(outcome), "asks a");
  // One before the close and 100 after it.
  assertEquals(asks, 101);
});

test("G3: a finalizer that does not end holds the reply for 5 s, not longer", async () => {
  const handler = Effect.ensuring(ask("a"), Effect.never);
  const outcome = await endsAt(begin(handler), "5 seconds");
  assertEquals(toldOutcome(outcome), "asks a");
});

test("G4: the root is interrupted from outside, never from inside of its own stack", async () => {
  let inside = 0;
  let depth = 0;
  // What runs inside of the root's stack happens while `depth` is not 0.
  const watched = Effect.onExit(ask("a"), () =>
    Effect.sync(() => {
      if (depth > 0) inside++;
    }));
  const handler = Effect.andThen(
    Effect.promise(() => Promise.resolve()),
    Effect.suspend(() => {
      depth++;
      queueMicrotask(() => depth--);
      return watched;
    }),
  );
  assertEquals(toldOutcome(await run(handler)), "asks a");
  assertEquals(inside, 0);
});

test("G5: a step in flight is awaited, and its record is in the journal before the interim result goes out", async () => {
  const step = Need.once("step", Effect.as(Effect.sleep("29 seconds"), "done"), Schema.String);
  const outcome = await endsAt(begin(Effect.all([ask("a"), step], both)), "29 seconds");
  assert(outcome._tag === "InputRequired");
  assertEquals(outcome.journal.steps, new Map([["step", { _tag: "Success", value: "done" } as const]]));
});

test("G5: past 30 s the call ends with an error that names the step, and other work in flight is interrupted", async () => {
  const { list, note } = notes();
  const step = Need.once("charge", Effect.never, Schema.Void);
  const work = Effect.onInterrupt(Effect.never, () => note("interrupted"));
  const outcome = await endsAt(begin(Effect.all([ask("a"), step, work], { concurrency: 3 })), "30 seconds");
  assertEquals(toldOutcome(outcome), 'broken The step "charge" did not end in time, and it is not repeated');
  assertEquals(list, ["interrupted"]);
});

test("G5: steps that follow one another have 30 s each, and one of them that does not end is named", async () => {
  const steps = (last: Effect.Effect<unknown>) =>
    Effect.forEach(["a", "b", "c", "last"], (name) => {
      const work = name === "last" ? last : Effect.sleep("20 seconds");
      return Need.once(name, Effect.asVoid(work), Schema.Void);
    });
  const outcome = await endsAt(begin(Effect.all([ask("q"), steps(Effect.sleep("29 seconds"))], both)), "89 seconds");
  assert(outcome._tag === "InputRequired");
  assertEquals([...outcome.journal.steps.keys()], ["a", "b", "c", "last"]);
  const late = await endsAt(begin(Effect.all([ask("q"), steps(Effect.never)], both)), "90 seconds");
  assertEquals(toldOutcome(late), 'broken The step "last" did not end in time, and it is not repeated');
});

test("G5: a step that began before another one is late before it, whichever the round waits for", async () => {
  const short = Need.once("short", Effect.sleep("10 seconds"), Schema.Void);
  const stuck = Need.once("stuck", Effect.never, Schema.Void);
  const outcome = await endsAt(begin(Effect.all([ask("q"), short, stuck], { concurrency: 3 })), "30 seconds");
  assertEquals(toldOutcome(outcome), 'broken The step "stuck" did not end in time, and it is not repeated');
});

test("G6: a root that settles first completes the call, and what is pending is dropped", async () => {
  const pending = Effect.forkDetach(ask("a"), now);
  const lost = Effect.forkDetach(lacking, now);
  for (
    const [end, told] of [[Effect.succeed(1), "ok 1"], [Effect.fail("no"), "fail no"], [
      Effect.die("x"),
      "die x",
    ]] as const
  ) {
    const outcome = await run(Effect.andThen(pending, Effect.andThen(lost, end)), { capabilities: formsOnly });
    assertEquals(toldOutcome(outcome), told);
  }
});

/** Runs `f` with the host's ways to come back later counted. */
const counting = <A>(f: () => A): { readonly value: A; readonly calls: ReadonlyArray<string> } => {
  const host = globalThis as unknown as Record<string, (...args: ReadonlyArray<unknown>) => unknown>;
  const calls: Array<string> = [];
  const names = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"];
  const originals = names.map((name) => host[name]!);
  // deno-lint-ignore no-explicit-any -- `then` has the type that it has
  const then: any = Promise.prototype.then;
  for (const [i, name] of names.entries()) {
    host[name] = (...args) => {
      calls.push(name);
      return originals[i]!(...args);
    };
  }
  // deno-lint-ignore no-explicit-any -- as above
  Promise.prototype.then = function (this: any, ...args: any): any {
    calls.push("then");
    return then.apply(this, args);
  };
  const value = f();
  Promise.prototype.then = then;
  for (const [i, name] of names.entries()) host[name] = originals[i]!;
  return { value, calls };
};

test("G7: one fiber with one unmet need closes inside of its first call stack: no timer, no macrotask, no microtask", () => {
  interface Asker {
    readonly question: Effect.Effect<string, unknown, Need.Elicitation>;
  }
  const Asker = Context.Service<Asker>("test/G7/Asker");
  const shapes: ReadonlyArray<Handler> = [
    ask("a"),
    Effect.catchCause(ask("a"), () => Effect.void),
    Effect.exit(ask("a")),
    Effect.retry(ask("a"), { times: 3 }),
    Effect.uninterruptible(ask("a")),
    Effect.scoped(Effect.andThen(Effect.acquireRelease(Effect.void, () => Effect.void), ask("a"))),
    Effect.scoped(Effect.acquireRelease(ask("a"), () => Effect.void)),
    Effect.provideService(Effect.flatMap(Asker, ({ question }) => question), Asker, { question: ask("a") }),
    Effect.andThen(Need.once("step", Effect.void, Schema.Void), ask("a")),
    Effect.andThen(Need.onCommit(Effect.void), ask("a")),
    Need.optional(Need.confirm("a", "Sure?")),
    Need.all([Need.confirm("a", "Sure?"), Need.confirm("a", "Sure?")]),
    Effect.gen(function* () {
      for (let i = 0; i < 100; i++) yield* Effect.void;
      return yield* ask("a");
    }),
  ];
  for (const handler of shapes) {
    const services = prepare(Context.empty());
    const { value, calls } = counting(() => Effect.runFork(interim(handler, services, roundOf())).pollUnsafe());
    assert(value?._tag === "Success");
    assertEquals([toldOutcome(value.value), calls], ["asks a", []]);
  }
});

test("G7: a handler that asks for nothing and does not wait ends inside of its first call stack", () => {
  const services = prepare(Context.empty());
  const { value, calls } = counting(() => Effect.runFork(interim(Effect.succeed(1), services, roundOf())).pollUnsafe());
  assert(value?._tag === "Success");
  assertEquals([toldOutcome(value.value), calls], ["ok 1", []]);
});

test("G7: a fiber that forks others waits one quiet host turn, and never more than the limit of turns", async () => {
  const busy = Effect.all([ask("a"), Effect.forever(Effect.yieldNow)], both);
  const host = globalThis as { setImmediate: (run: () => void) => unknown };
  const { setImmediate } = host;
  let turns = 0;
  host.setImmediate = (run) => {
    turns++;
    return setImmediate(run);
  };
  assertEquals(toldOutcome(await run(Effect.all([ask("a"), ask("b")], both))), "asks a,b");
  assertEquals(turns, 1);
  turns = 0;
  assertEquals(toldOutcome(await run(busy, { limits: { turns: 10 } })), "asks a");
  host.setImmediate = setImmediate;
  // Ten of ours, and those in which the busy fiber goes on.
  assert(turns >= 10 && turns <= 30, `${turns} turns`);
});

test("G8: a round is a function of call, journal and answers: it can be run again, on another instance, with the same end", async () => {
  const handler = Effect.all([ask("a"), Need.once("step", Effect.succeed(1), Schema.Number), ask("b")], {
    concurrency: 3,
  });
  const services = prepare(Context.empty());
  const first = await Effect.runPromise(interim(handler, services, roundOf()));
  assert(first._tag === "InputRequired");
  const journal = carried(first.journal);
  const responses = { a: accept("a", 1) };
  const setting = { journal, responses };
  const second = await Effect.runPromise(interim(handler, services, roundOf(setting)));
  assertEquals(await Effect.runPromise(interim(handler, services, roundOf(setting))), second);
  assertEquals(await run(handler, setting), second);
  // The journal that went in is what it was.
  assertEquals(journal, carried(first.journal));
});

test("G9: the handler's clock stands still while a need is pending, and goes on with the rest of the time", async () => {
  const { list, note } = notes();
  const signal = Deferred.makeUnsafe<void>();
  const sleeper = Effect.andThen(Effect.sleep("10 seconds"), note("slept"));
  const limited = Effect.race(Effect.timeoutOption(ask("a"), "1 seconds"), Deferred.await(signal));
  // A step holds the round open, so that time can pass in it.
  const step = Need.once("step", Effect.sleep("20 seconds"), Schema.Void);
  const handler = Effect.all([sleeper, Effect.andThen(Effect.sleep("4 seconds"), limited), step], { concurrency: 3 });
  const outcome = await onTestClock(Effect.gen(function* () {
    const round = yield* begin(handler);
    yield* pass("4 seconds"); // Asks now; 6 s of the sleep are left.
    yield* pass("10 seconds");
    assertEquals(list, []);
    Deferred.doneUnsafe(signal, Effect.void); // The need is withdrawn: time goes on.
    yield* hostTurns(5);
    yield* pass("5 seconds");
    assertEquals(list, []);
    yield* pass("1 seconds");
    assertEquals(list, ["slept"]);
    return yield* Fiber.join(round);
  }));
  assertEquals(toldOutcome(outcome), "ok [null,null,null]");
});

test("G9: the clock runs in steps, and in branches of all that have not asked yet", async () => {
  const { list, note } = notes();
  const branch = Effect.andThen(Effect.sleep("300 millis"), Effect.andThen(note("branch"), ask("b")));
  const step = Need.once("step", Effect.andThen(Effect.sleep("2 seconds"), note("step")), Schema.Void);
  const asked = Effect.timeoutOption(ask("a"), "100 millis");
  const outcome = await onTestClock(Effect.gen(function* () {
    const round = yield* begin(Need.all([asked, branch, step]));
    yield* pass("300 millis");
    assertEquals(list, ["branch"]);
    yield* pass("1700 millis");
    return yield* Fiber.join(round);
  }));
  assertEquals(list, ["branch", "step"]);
  assertEquals(toldOutcome(outcome), "asks a,b");
});

test("G9: finalizers have a clock that runs", async () => {
  const { list, note } = notes();
  const handler = Effect.ensuring(ask("a"), Effect.andThen(Effect.sleep("1 seconds"), note("closed")));
  const outcome = await endsWithin(begin(handler), "1 second");
  assertEquals([toldOutcome(outcome), list], ["asks a", ["closed"]]);
});

test("G10: a need whose fiber left before the close is not sent, nor is it missing, nor does it hold the clock", async () => {
  for (
    const lost of [ask("x"), lacking, Need.again, Need.all([ask("x"), ask("y")])] as ReadonlyArray<Handler>
  ) {
    const handler = Effect.andThen(
      Effect.race(lost, Effect.succeed("value")),
      Effect.andThen(Effect.sleep(1), ask("a")),
    );
    assertEquals(toldOutcome(await run(handler, { capabilities: formsOnly })), "asks a");
  }
});

test("G10: a need that two fibers wait for stays while one of them does", async () => {
  const handler = Effect.all([ask("a"), Effect.andThen(Effect.race(ask("a"), Effect.succeed(1)), ask("b"))], both);
  assertEquals(toldOutcome(await run(handler)), "asks a,b");
});
