/**
 * Programs that must work (DESIGN.md, section 5), and more of their kind, as a table that both interpreters run: what a
 * program comes to must not depend on the era. Only `asks`, the keys of each interim result, is of the modern era.
 */
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Latch from "effect/Latch";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Queue from "effect/Queue";
import * as Request from "effect/Request";
import * as RequestResolver from "effect/RequestResolver";
import * as Schema from "effect/Schema";
import * as Semaphore from "effect/Semaphore";
import * as Stream from "effect/Stream";
import type { JsonRecord } from "../../src/model/json.ts";
import * as Need from "../../src/need/mod.ts";
import { ask } from "./ask.ts";
import { type Handler, told } from "./kit.ts";

type Note = (what: string) => Effect.Effect<void>;

/** One program. */
export interface Program {
  readonly name: string;
  /** `note` is what any effect does, `act` what only steps and commits do. */
  readonly handler: (note: Note, act: Note) => Handler;
  readonly result: string;
  readonly asks: ReadonlyArray<ReadonlyArray<string>>;
  /** Notes of the last round. */
  readonly log?: ReadonlyArray<string>;
  /** Acts of the whole flow. */
  readonly acts?: ReadonlyArray<string>;
  /** Whether the result depends on which of two short times is over first. */
  readonly timed?: boolean;
  /** Of a client that cannot be asked for everything. */
  readonly capabilities?: JsonRecord;
  /** Answers other than an accept. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

interface Asker {
  readonly question: (key: string) => ReturnType<typeof ask>;
}
const Asker: Context.Service<Asker, Asker> = Context.Service<Asker>("test/Asker");

interface Setting {
  readonly value: string;
}
const Setting: Context.Service<Setting, Setting> = Context.Service<Setting>("test/Setting");

interface Lookup extends Request.Request<string, never, Need.Elicitation> {
  readonly key: string;
}
const Lookup: Request.Constructor<Lookup> = Request.of<Lookup>();

const resolver = RequestResolver.make<Lookup>((entries) =>
  Effect.forEach(
    entries,
    (entry) => Effect.flatMap(Effect.orDie(ask(entry.request.key)), (value) => Request.succeed(entry, value)),
    { discard: true, concurrency: "unbounded" },
  ) as Effect.Effect<void>
);

const both = { concurrency: 2 } as const;
const unbounded = { concurrency: "unbounded" } as const;
const startNow = { startImmediately: true } as const;
const promised = Effect.promise(() => Promise.resolve());
const locked = (permits: number): Handler =>
  Effect.flatMap(
    Semaphore.make(permits),
    (semaphore) => Effect.all([semaphore.withPermits(1)(ask("a")), semaphore.withPermits(1)(ask("b"))], both),
  );
const after = <R>(effect: Effect.Effect<unknown, never, R>, key: string) => Effect.andThen(effect, ask(key));
const bare = (key: string) => Need.elicit(key, { message: "?", schema: Schema.Struct({ v: Schema.String }) });
const declined = { action: "decline" };

/** The programs that section 5 lists by name. */
const listed: ReadonlyArray<Program> = [
  {
    name: "a need inside catchCause",
    handler: (note) => ask("a").pipe(Effect.catchCause(() => note("caught"))),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "a need inside exit",
    handler: () => Effect.map(Effect.exit(ask("a")), Exit.isSuccess),
    result: "ok true",
    asks: [["a"]],
  },
  {
    name: "a need inside ignore",
    handler: (note) => Effect.ignore(ask("a")).pipe(Effect.andThen(note("on"))),
    result: "ok undefined",
    asks: [["a"]],
    log: ["on"],
  },
  {
    name: "a need inside retry",
    handler: (note) => Effect.andThen(note("try"), ask("a")).pipe(Effect.retry({ times: 3 })),
    result: "fail Declined a",
    asks: [["a"]],
    answers: { a: declined },
    log: ["try", "try", "try", "try"],
  },
  {
    name: "a need inside timeout",
    timed: true,
    handler: () => Effect.map(Effect.timeoutOption(ask("a"), 50), Option.getOrElse(() => "late")),
    result: 'ok "a"',
    asks: [["a"]],
  },
  { name: "a need inside race", handler: () => Effect.race(ask("a"), ask("b")), result: 'ok "a"', asks: [["a", "b"]] },
  {
    name: "a need raced by a sleep",
    timed: true,
    handler: () => Effect.race(ask("a"), Effect.as(Effect.sleep(50), "slept")),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "a need inside uninterruptible",
    handler: (note) => Effect.uninterruptible(ask("a").pipe(Effect.tap(() => note("after")))),
    result: 'ok "a"',
    asks: [["a"]],
    log: ["after"],
  },
  {
    name: "uninterruptible(all)",
    handler: () => Effect.uninterruptible(Effect.all([ask("a"), ask("b")], both)),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "a need after acquireRelease",
    handler: (note) =>
      Effect.scoped(Effect.andThen(Effect.acquireRelease(note("acquired"), () => note("released")), ask("a"))),
    result: 'ok "a"',
    asks: [["a"]],
    log: ["acquired", "released"],
  },
  {
    name: "a need inside the acquire of acquireRelease",
    handler: (note) => Effect.scoped(Effect.acquireRelease(ask("a"), () => note("released"))),
    result: 'ok "a"',
    asks: [["a"]],
    log: ["released"],
  },
  {
    name: "a finalizer that asks two things",
    handler: () =>
      Effect.scoped(Effect.andThen(
        Effect.addFinalizer(() => Effect.ignore(Effect.all([ask("x"), ask("y")], both))),
        ask("a"),
      )),
    result: 'ok "a"',
    asks: [["a"], ["x", "y"]],
  },
  {
    name: "fork and await",
    handler: () => Effect.flatMap(Effect.forkChild(ask("a")), (fiber) => Effect.flatten(Fiber.await(fiber))),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "forkDetach",
    handler: () => Effect.flatMap(Effect.forkDetach(ask("a")), Fiber.join),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "cached",
    handler: () => Effect.flatMap(Effect.cached(ask("a")), (cached) => Effect.all([cached, cached], both)),
    result: 'ok ["a","a"]',
    asks: [["a"]],
  },
  {
    name: "forEach with concurrency 1",
    handler: () => Effect.forEach(["1", "2", "3"], (key) => ask(key)),
    result: 'ok ["1","2","3"]',
    asks: [["1"], ["2"], ["3"]],
  },
  {
    name: "forEach with concurrency 2",
    handler: () => Effect.forEach(["1", "2", "3", "4", "5"], (key) => ask(key), both),
    result: 'ok ["1","2","3","4","5"]',
    asks: [["1", "2"], ["3", "4"], ["5"]],
  },
  {
    name: "forEach without a limit",
    handler: () => Effect.forEach(["1", "2", "3"], (key) => ask(key), unbounded),
    result: 'ok ["1","2","3"]',
    asks: [["1", "2", "3"]],
  },
  { name: "a semaphore of one", handler: () => locked(1), result: 'ok ["a","b"]', asks: [["a"], ["b"]] },
  { name: "a semaphore of two", handler: () => locked(2), result: 'ok ["a","b"]', asks: [["a", "b"]] },
  {
    name: "a stream",
    handler: () => Stream.runCollect(Stream.mapEffect(Stream.make("1", "2"), (key) => ask(key))),
    result: 'ok ["1","2"]',
    asks: [["1"], ["2"]],
  },
  {
    name: "a concurrent stream",
    handler: () => Stream.runCollect(Stream.mapEffect(Stream.make("1", "2", "3"), (key) => ask(key), unbounded)),
    result: 'ok ["1","2","3"]',
    asks: [["1", "2", "3"]],
  },
  {
    name: "branches that yield before asking",
    handler: () =>
      Effect.all(
        [ask("a"), after(Effect.yieldNow, "b"), after(Effect.repeat(Effect.yieldNow, { times: 4 }), "c")],
        unbounded,
      ),
    result: 'ok ["a","b","c"]',
    asks: [["a", "b", "c"]],
  },
  {
    name: "a need inside of a called service",
    handler: () =>
      Effect.flatMap(Asker, (asker) => asker.question("a")).pipe(Effect.provideService(Asker, { question: ask })),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "Effect.scoped",
    handler: (note) => Effect.scoped(Effect.andThen(Effect.addFinalizer(() => note("closed")), ask("a"))),
    result: 'ok "a"',
    asks: [["a"]],
    log: ["closed"],
  },
  {
    name: "race(need, value) followed by another ask",
    handler: () => Effect.all([Effect.race(ask("a"), Effect.succeed("value")), ask("b")]),
    result: 'ok ["value","b"]',
    asks: [["b"]],
  },
];

/** More of the same kinds. */
const more: ReadonlyArray<Program> = [
  { name: "no need", handler: () => Effect.succeed(1), result: "ok 1", asks: [] },
  { name: "a need after a promise", handler: () => after(promised, "a"), result: 'ok "a"', asks: [["a"]] },
  { name: "a need after a sleep", handler: () => after(Effect.sleep(1), "a"), result: 'ok "a"', asks: [["a"]] },
  {
    name: "a need after 20,000 operations",
    handler: () =>
      Effect.gen(function* () {
        for (let i = 0; i < 20_000; i++) yield* Effect.void;
        return yield* ask("a");
      }),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "raceFirst(need, failure)",
    handler: () => Effect.raceFirst(ask("a"), Effect.fail("boom")),
    result: "fail boom",
    asks: [],
  },
  {
    name: "a fork that nobody waits for",
    handler: () => Effect.as(Effect.forkChild(ask("a"), startNow), "main"),
    result: 'ok "main"',
    asks: [],
  },
  {
    name: "forkDetach, then a sleep",
    timed: true,
    handler: () => ask("a").pipe(Effect.forkDetach(startNow), Effect.andThen(Effect.sleep(100)), Effect.as("main")),
    result: 'ok "main"',
    asks: [["a"]],
  },
  {
    name: "forkScoped beside a need",
    handler: () => Effect.scoped(Effect.andThen(Effect.forkScoped(ask("a")), ask("b"))),
    result: 'ok "b"',
    asks: [["b", "a"]],
  },
  {
    name: "all, one branch after five promises",
    handler: () => Effect.all([ask("a"), after(Effect.repeat(promised, { times: 4 }), "b")], both),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "all, one branch after a sleep of no time",
    handler: () => Effect.all([ask("a"), after(Effect.sleep(0), "b")], both),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "all, one branch after a sleep",
    timed: true,
    handler: () => Effect.all([ask("a"), after(Effect.sleep(100), "b")], both),
    result: 'ok ["a","b"]',
    asks: [["a"], ["b"]],
  },
  {
    name: "all, one branch of 20,000 operations",
    handler: () =>
      Effect.all([
        ask("a"),
        Effect.gen(function* () {
          for (let i = 0; i < 20_000; i++) yield* Effect.void;
          return yield* ask("b");
        }),
      ], both),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "Need.all, one branch after a sleep",
    handler: () => Need.all([ask("a"), after(Effect.sleep(2), "b")]),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "Need.all inside of Need.all",
    handler: () => Need.all([Need.all([ask("a"), after(Effect.sleep(2), "b")]), ask("c")]),
    result: 'ok [["a","b"],"c"]',
    asks: [["a", "c", "b"]],
  },
  {
    name: "Need.all, a time limit in one branch",
    timed: true,
    handler: () => Need.all([Effect.timeoutOption(ask("a"), 1), after(Effect.sleep(4), "b")]),
    result: 'ok [{"_id":"Option","_tag":"Some","value":"a"},"b"]',
    asks: [["a", "b"]],
  },
  {
    name: "Need.all of bare needs",
    handler: () => Need.all({ a: Need.confirm("a", "?"), b: Need.confirm("b", "?"), again: Need.confirm("a", "?") }),
    result: 'ok {"a":true,"b":false,"again":true}',
    asks: [["a", "b"]],
    answers: { a: { action: "accept", content: { ok: true } }, b: declined },
  },
  {
    name: "Need.all of bare needs, one of them declined",
    handler: () => Need.all([bare("a"), bare("b")]).pipe(Effect.catchTag("Declined", ({ key }) => ask(`not ${key}`))),
    result: 'ok "not b"',
    asks: [["a", "b"], ["not b"]],
    answers: { b: declined },
  },
  {
    name: "Need.all of bare needs, one key for two questions",
    handler: (note) => Need.all([bare("a"), Need.confirm("a", "?")]).pipe(Effect.catchCause(() => note("caught"))),
    result: 'broken The key "a" stands for two different questions',
    asks: [],
  },
  {
    name: "Need.all of bare needs that loses a race",
    handler: () => Effect.all([Effect.race(Need.all([bare("a"), bare("b")]), Effect.succeed("value")), ask("c")]),
    result: 'ok ["value","c"]',
    asks: [["c"]],
  },
  {
    name: "Need.all of bare needs in a branch of Need.all",
    handler: () => Need.all([Need.all([bare("a"), bare("b")]), after(Effect.sleep(2), "c")]),
    result: 'ok [[{"v":"a"},{"v":"b"}],"c"]',
    asks: [["a", "b", "c"]],
  },
  {
    name: "Need.all, a branch that fails at once",
    handler: () => Need.all([Effect.fail("boom"), ask("a")]).pipe(Effect.catch(() => ask("b"))),
    result: 'ok "b"',
    asks: [["b"]],
  },
  {
    name: "all, a step before the second need",
    handler: () => Effect.all([ask("a"), after(Need.once("step", Effect.sleep(2), Schema.Void), "b")], both),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "all, a branch that fails at once",
    handler: () => Effect.all([ask("a"), Effect.fail("boom")], both),
    result: "fail boom",
    asks: [],
  },
  {
    name: "all, a branch that fails after a yield",
    handler: () => Effect.all([ask("a"), Effect.andThen(Effect.yieldNow, Effect.fail("boom"))], both),
    result: "fail boom",
    asks: [],
  },
  {
    name: "all, a branch that fails later",
    timed: true,
    handler: () => Effect.all([ask("a"), Effect.andThen(Effect.sleep(100), Effect.fail("boom"))], both),
    result: "fail boom",
    asks: [["a"]],
  },
  {
    name: "all, a branch that dies",
    handler: () => Effect.all([ask("a"), Effect.die("boom")], both),
    result: "die boom",
    asks: [],
  },
  {
    name: "one key, equal questions",
    handler: () => Effect.all([ask("a"), ask("a")], both),
    result: 'ok ["a","a"]',
    asks: [["a"]],
  },
  {
    name: "one key, two questions",
    handler: () => Effect.all([ask("a"), ask("a", "other")], both),
    result: 'broken The key "a" stands for two different questions',
    asks: [],
  },
  {
    name: "one key, two questions, in a catchCause",
    handler: (note) => Effect.all([ask("a"), ask("a", "other").pipe(Effect.catchCause(() => note("caught")))], both),
    result: 'broken The key "a" stands for two different questions',
    asks: [],
  },
  {
    name: "one key, two kinds of questions",
    handler: () => Effect.all([ask("a"), Need.confirm("a", "? a")], both),
    result: 'broken The key "a" stands for two different questions',
    asks: [],
  },
  {
    name: "a key that stands on a prototype chain",
    handler: () => Effect.all([ask("__proto__"), ask("constructor"), ask("toString")], unbounded),
    result: 'ok ["__proto__","constructor","toString"]',
    asks: [["__proto__", "constructor", "toString"]],
  },
  {
    name: "a layer that asks",
    handler: () =>
      Effect.map(Setting, ({ value }) => value).pipe(
        Effect.provide(Layer.effect(Setting)(Effect.map(ask("a"), (value) => ({ value })))),
      ),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "a layer with a resource around a need",
    handler: (note) =>
      ask("a").pipe(
        Effect.provide(
          Layer.effect(Setting)(
            Effect.acquireRelease(Effect.as(note("acquired"), { value: "x" }), () => note("released")),
          ),
        ),
      ),
    result: 'ok "a"',
    asks: [["a"]],
    log: ["acquired", "released"],
  },
  {
    name: "a deferred from one branch to the other",
    handler: () =>
      Effect.flatMap(Deferred.make<void>(), (signal) =>
        Effect.all([
          ask("a").pipe(Effect.tap(() => Deferred.succeed(signal, undefined))),
          after(Deferred.await(signal), "b"),
        ], both)),
    result: 'ok ["a","b"]',
    asks: [["a"], ["b"]],
  },
  {
    name: "a deferred from a third branch that yields",
    handler: () =>
      Effect.flatMap(Deferred.make<void>(), (signal) =>
        Effect.all([
          ask("a"),
          after(Deferred.await(signal), "b"),
          Effect.andThen(Effect.yieldNow, Deferred.succeed(signal, undefined)),
        ], unbounded)),
    result: 'ok ["a","b",true]',
    asks: [["a", "b"]],
  },
  {
    name: "merged streams",
    handler: () =>
      Effect.map(
        Stream.runCollect(Stream.merge(Stream.fromEffect(ask("a")), Stream.fromEffect(ask("b")))),
        (values) => values.length,
      ),
    result: "ok 2",
    asks: [["a", "b"]],
  },
  {
    name: "a buffered stream",
    handler: () =>
      Stream.make("1", "2").pipe(
        Stream.mapEffect((key) => ask(key)),
        Stream.buffer({ capacity: 2 }),
        Stream.runCollect,
      ),
    result: 'ok ["1","2"]',
    asks: [["1"], ["2"]],
  },
  {
    name: "a worker at a queue",
    handler: () =>
      Effect.gen(function* () {
        const queue = yield* Queue.unbounded<string>();
        const worker = yield* Effect.forkChild(Effect.flatMap(Queue.take(queue), (key) => ask(key)));
        yield* Queue.offer(queue, "a");
        return yield* Fiber.join(worker);
      }),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "a latch",
    handler: () =>
      Effect.flatMap(
        Latch.make(false),
        (latch) => Effect.all([after(latch.await, "b"), ask("a").pipe(Effect.tap(() => latch.open))], both),
      ),
    result: 'ok ["b","a"]',
    asks: [["a"], ["b"]],
  },
  {
    name: "a need repeated",
    handler: () => Effect.repeat(ask("a"), { times: 2 }),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "a request resolver that asks",
    handler: () =>
      Effect.all(
        [Effect.request(Lookup({ key: "a" }), resolver), Effect.request(Lookup({ key: "b" }), resolver)],
        both,
      ),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  { name: "a defect", handler: () => Effect.die(new Error("boom")), result: "die boom", asks: [] },
  { name: "a handler that interrupts itself", handler: () => Effect.interrupt, result: "interrupted", asks: [] },
  {
    name: "uninterruptible(race)",
    handler: () => Effect.uninterruptible(Effect.race(ask("a"), ask("b"))),
    result: 'ok "a"',
    asks: [["a", "b"]],
  },
  {
    name: "uninterruptible(timeout)",
    timed: true,
    handler: () => Effect.uninterruptible(Effect.timeout(ask("a"), 50)),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "uninterruptible(fork and join)",
    handler: () => Effect.uninterruptible(Effect.flatMap(Effect.forkChild(ask("a"), startNow), Fiber.join)),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "uninterruptible(fork and await)",
    handler: () =>
      Effect.uninterruptible(
        Effect.flatMap(Effect.forkChild(ask("a")), (fiber) => Effect.flatten(Fiber.await(fiber))),
      ),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "uninterruptible(semaphore)",
    handler: () => Effect.uninterruptible(locked(1)),
    result: 'ok ["a","b"]',
    asks: [["a"], ["b"]],
  },
  {
    name: "uninterruptible(forEach with concurrency 2)",
    handler: () => Effect.uninterruptible(Effect.forEach(["1", "2", "3"], (key) => ask(key), both)),
    result: 'ok ["1","2","3"]',
    asks: [["1", "2"], ["3"]],
  },
  {
    name: "a release that asks two things",
    handler: () =>
      Effect.acquireUseRelease(
        Effect.void,
        () => Effect.succeed("used"),
        () => Effect.ignore(Effect.all([ask("a"), ask("b")], both)),
      ),
    result: 'ok "used"',
    asks: [["a", "b"]],
  },
  {
    name: "fork(uninterruptible(all))",
    handler: () =>
      Effect.flatMap(
        Effect.forkChild(Effect.uninterruptible(Effect.all([ask("a"), ask("b")], both))),
        (fiber) => Effect.flatten(Fiber.await(fiber)),
      ),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
  {
    name: "uninterruptible(cached)",
    handler: () =>
      Effect.uninterruptible(Effect.flatMap(Effect.cached(ask("a")), (cached) => Effect.all([cached, cached], both))),
    result: 'ok ["a","a"]',
    asks: [["a"]],
  },
  {
    name: "uninterruptible(all) beside a need, in a catchCause",
    handler: (note) =>
      Effect.all([ask("a"), Effect.uninterruptible(Effect.all([ask("b"), ask("c")], both))], both).pipe(
        Effect.catchCause(() => note("caught")),
      ),
    result: 'ok ["a",["b","c"]]',
    asks: [["a", "b", "c"]],
  },
  {
    name: "forkDetach(all) beside a need",
    handler: () => Effect.andThen(Effect.forkDetach(Effect.all([ask("a"), ask("b")], both), startNow), ask("c")),
    result: 'ok "c"',
    asks: [["a", "b", "c"]],
  },
  {
    name: "declined, and handled",
    handler: () => ask("a").pipe(Effect.catchTag("Declined", () => ask("b"))),
    result: 'ok "b"',
    asks: [["a"], ["b"]],
    answers: { a: declined },
  },
  { name: "declined", handler: () => ask("a"), result: "fail Declined a", asks: [["a"]], answers: { a: declined } },
  {
    name: "cancelled",
    handler: () => ask("a"),
    result: "fail Cancelled a",
    asks: [["a"]],
    answers: { a: { action: "cancel" } },
  },
];

const counted = Need.state("n", { schema: Schema.Number, initial: 0 });
const sum = Need.state("sum", { schema: Schema.Array(Schema.String), initial: [] });
const question = { messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 10 } as const;
const sample = Need.sample("s", question);
const formsOnly = { elicitation: {} };
const Oops = Schema.Struct({ why: Schema.String });
const fails = { success: Schema.String, failure: Oops };
const outcome = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.map(Effect.exit(effect), told);

/** Steps, commits, cells, passes, attempts. */
const flows: ReadonlyArray<Program> = [
  {
    name: "a step before a need",
    handler: (_, act) => Effect.andThen(Need.once("step", act("step"), Schema.Void), ask("a")),
    result: 'ok "a"',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step between needs gives its decoded record in every round",
    handler: (_, act) =>
      Effect.gen(function* () {
        const seen = yield* Need.once(
          "step",
          Effect.as(act("step"), { at: new Date(0), extra: true }),
          Schema.Struct({ at: Schema.Date }),
        );
        yield* ask("a");
        return [Object.keys(seen), seen.at.getTime()];
      }),
    result: 'ok [["at"],0]',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step that fails",
    handler: (_, act) =>
      Need.once("step", Effect.andThen(act("step"), Effect.fail({ why: "no" })), fails).pipe(
        Effect.catch(({ why }) => Effect.map(ask("a"), (a) => why + a)),
      ),
    result: 'ok "noa"',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step that dies",
    handler: (_, act) =>
      Effect.all([
        outcome(Need.once("step", Effect.andThen(act("step"), Effect.die(new Error("boom"))), Schema.Void)),
        ask("a"),
      ]),
    result: 'ok ["die boom","a"]',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step that interrupts itself",
    handler: (_, act) =>
      Effect.all([
        Effect.map(
          Effect.exit(Need.once("step", Effect.andThen(act("step"), Effect.interrupt), Schema.Void)),
          Exit.isFailure,
        ),
        ask("a"),
      ]),
    result: 'ok [true,"a"]',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step in flight when the round ends",
    handler: (_, act) =>
      Effect.all([ask("a"), Need.once("step", Effect.andThen(Effect.sleep(2), act("step")), Schema.Void)], both),
    result: 'ok ["a",null]',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step whose branch is interrupted by a failing sibling",
    handler: (_, act) =>
      Effect.all([
        Need.once("step", Effect.andThen(Effect.sleep(2), act("step")), Schema.Void),
        Effect.andThen(Effect.yieldNow, Effect.fail("boom")),
      ], both).pipe(Effect.catch(() => ask("a"))),
    result: 'ok "a"',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "one step asked for by two branches",
    handler: (_, act) => {
      const step = Need.once("step", Effect.as(Effect.andThen(Effect.sleep(2), act("step")), "x"), Schema.String);
      return Effect.all([step, step, ask("a")], unbounded);
    },
    result: 'ok ["x","x","a"]',
    asks: [["a"]],
    acts: ["step"],
  },
  {
    name: "a step inside of a step",
    handler: (_, act) =>
      Effect.andThen(
        Need.once("outer", Effect.andThen(act("outer"), Need.once("inner", act("inner"), Schema.Void)), Schema.Void),
        ask("a"),
      ),
    result: 'ok "a"',
    asks: [["a"]],
    acts: ["outer", "inner"],
  },
  {
    name: "a step that waits for itself",
    handler: () => {
      const step: Handler<void, never> = Need.once("step", Effect.suspend(() => step), Schema.Void);
      return step;
    },
    result: 'broken The step "step" waits for itself',
    asks: [],
  },
  {
    name: "a time limit inside of a step",
    handler: () =>
      Effect.all([
        ask("a"),
        Need.once("step", Effect.map(Effect.timeoutOption(Effect.never, 2), Option.isNone), Schema.Boolean),
      ], both),
    result: 'ok ["a",true]',
    asks: [["a"]],
  },
  {
    name: "the flow's info inside of a step",
    handler: () =>
      Effect.gen(function* () {
        const step = Need.once("step", Effect.map(Need.flow, ({ id, step }) => `${id} ${step}`), Schema.String);
        return [yield* step, (yield* Need.flow).step === undefined, yield* ask("a")];
      }),
    result: 'ok ["flow step",true,"a"]',
    asks: [["a"]],
  },
  {
    name: "an ask inside of a step",
    handler: (note) =>
      Need.once("step", Effect.orDie(ask("a")), Schema.String).pipe(Effect.catchCause(() => note("caught"))),
    result: 'broken Cannot ask "a" inside of the step "step"',
    asks: [],
  },
  {
    name: "an ask inside of a step, caught there, beside a need",
    handler: (note) =>
      Effect.all([
        ask("b"),
        Need.once("step", Effect.catchCause(Effect.asVoid(ask("a")), () => note("caught")), Schema.Void),
      ], both),
    result: 'broken Cannot ask "a" inside of the step "step"',
    asks: [],
    // A step is an uninterruptible region: what catches causes in there sees the interruption (G2).
    log: ["caught"],
  },
  {
    name: "a cell inside of a step",
    handler: () => Need.once("step", counted.set(1), Schema.Void),
    result: 'broken Cannot use the state "n" inside of the step "step"',
    asks: [],
  },
  {
    name: "a commit inside of a step",
    handler: () => Need.once("step", Need.onCommit(Effect.void), Schema.Void),
    result: 'broken Cannot register a commit inside of the step "step"',
    asks: [],
  },
  {
    name: "again inside of a step",
    handler: () => Need.once("step", Need.again, Schema.Void),
    result: 'broken Cannot start again inside of the step "step"',
    asks: [],
  },
  {
    name: "commits run once, in order, after the result",
    handler: (_, act) =>
      Effect.gen(function* () {
        yield* Need.onCommit(act("first"));
        yield* ask("a");
        yield* Need.onCommit(act("second"));
        yield* ask("b");
        yield* Need.once("step", act("step"), Schema.Void);
      }),
    result: "ok undefined",
    asks: [["a"], ["b"]],
    acts: ["step", "first", "second"],
  },
  {
    name: "commits of a handler that fails do not run",
    handler: (_, act) => Effect.andThen(Need.onCommit(act("commit")), Effect.andThen(ask("a"), Effect.fail("boom"))),
    result: "fail boom",
    asks: [["a"]],
  },
  {
    name: "a commit that dies, one that asks, one that is good",
    handler: (_, act) =>
      Effect.gen(function* () {
        yield* Need.onCommit(Effect.die("boom"));
        yield* Need.onCommit(Effect.orDie(ask("a")));
        yield* Need.onCommit(Need.again);
        yield* Need.onCommit(Need.once("step", act("step"), Schema.Void));
        yield* Need.onCommit(counted.set(1));
        yield* Need.onCommit(Need.onCommit(act("inner")));
        yield* Need.onCommit(act("commit"));
      }),
    result: "ok undefined",
    asks: [],
    acts: ["commit"],
  },
  {
    name: "a commit keeps the services of its place",
    handler: (_, act) =>
      Effect.provideService(
        Need.onCommit(Effect.flatMap(Setting, ({ value }) => act(value))),
        Setting,
        { value: "inside" },
      ),
    result: "ok undefined",
    asks: [],
    acts: ["inside"],
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
    name: "commits of an earlier pass do not run",
    handler: (_, act) =>
      Effect.gen(function* () {
        const n = yield* counted.get;
        yield* Need.onCommit(act(`commit ${n}`));
        if (n < 2) return yield* Effect.andThen(counted.set(n + 1), Need.again);
      }),
    result: "ok undefined",
    asks: [[], []],
    acts: ["commit 2"],
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
  {
    name: "a need that the client cannot be asked",
    handler: (note) => Effect.catchCause(sample, () => note("caught")),
    result: "lacks sampling",
    asks: [],
    capabilities: formsOnly,
  },
  {
    name: "all that the client lacks is named at once",
    handler: () => Effect.all([ask("a"), sample, Effect.andThen(Effect.yieldNow, Need.roots()), sample], unbounded),
    result: "lacks sampling,roots",
    asks: [],
    capabilities: formsOnly,
  },
  {
    name: "optional, a bare need",
    handler: () => Effect.all([Effect.map(Need.optional(sample), Option.isNone), ask("a")]),
    result: 'ok [true,"a"]',
    asks: [["a"]],
    capabilities: formsOnly,
  },
  {
    name: "optional, a program that catches everything",
    handler: (note) =>
      Effect.all([
        Effect.map(
          Need.optional(Effect.andThen(ask("a"), Effect.catchCause(sample, () => note("caught")))),
          Option.isNone,
        ),
        ask("b"),
      ]),
    result: 'ok [true,"b"]',
    asks: [["a"], ["b"]],
    capabilities: formsOnly,
  },
  {
    name: "attempt runs the finalizers of what it gives up",
    handler: (note) =>
      Need.attempt(Effect.ensuring(Effect.all([ask("a"), sample], both), note("closed"))).pipe(
        Effect.catchTag("Unanswerable", ({ key }) => Effect.map(ask("b"), (b) => key + b)),
      ),
    result: 'ok "sb"',
    asks: [["b"]],
    log: ["closed"],
    capabilities: formsOnly,
  },
  {
    name: "attempt, uninterruptible(all)",
    handler: () =>
      Effect.map(
        Need.optional(Effect.uninterruptible(Effect.all([ask("a"), sample, ask("b")], unbounded))),
        Option.isNone,
      ),
    result: "ok true",
    asks: [],
    capabilities: formsOnly,
  },
  {
    name: "attempt, Need.all of bare needs",
    handler: (note) =>
      Effect.all([
        Effect.map(
          Need.optional(Effect.catchCause(Need.all([bare("a"), sample]), () => note("caught"))),
          Option.isNone,
        ),
        Need.all([bare("b")]),
      ]),
    result: 'ok [true,[{"v":"b"}]]',
    asks: [["b"]],
    capabilities: formsOnly,
  },
  {
    name: "all that the client lacks, of bare needs",
    handler: () => Need.all([bare("a"), Need.roots(), sample]),
    result: "lacks sampling,roots",
    asks: [],
    capabilities: formsOnly,
  },
  {
    name: "attempt inside of attempt",
    handler: () =>
      Need.optional(Effect.all([Effect.map(Need.optional(Effect.asVoid(sample)), Option.isNone), ask("a")])).pipe(
        Effect.map(Option.getOrNull),
      ),
    result: 'ok [true,"a"]',
    asks: [["a"]],
    capabilities: formsOnly,
  },
  {
    name: "attempt lets refusals and failures pass",
    handler: () =>
      Effect.all([outcome(Need.attempt(Effect.asVoid(ask("a")))), outcome(Need.attempt(Effect.fail("boom")))]),
    result: 'ok ["fail Declined a","fail boom"]',
    asks: [["a"]],
    answers: { a: declined },
    capabilities: formsOnly,
  },
  {
    name: "attempt beside a need, in one round",
    handler: () => Effect.all([Need.attempt(Effect.asVoid(ask("a"))), ask("b")], both),
    result: 'ok [null,"b"]',
    asks: [["a", "b"]],
    capabilities: formsOnly,
  },
];

/** All programs. */
export const programs: ReadonlyArray<Program> = [...listed, ...more, ...flows];
