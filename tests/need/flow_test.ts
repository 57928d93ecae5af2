/** The verbs of the flow, over a port that notes what it is asked for; and what they do outside of a call. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as Cause from "effect/Cause";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import * as Call from "../../src/need/call.ts";
import { type FlowPort, Interpreter } from "../../src/need/flow.ts";
import * as Need from "../../src/need/mod.ts";
import type { Port } from "../../src/need/need.ts";
import { message } from "./help.ts";

const info: Need.FlowInfo = {
  id: "f",
  round: 2,
  era: "modern",
  principal: { subject: "anonymous", authenticated: false, claims: {} },
  step: undefined,
};

/** A flow of one round, in memory. */
const flowOf = (log: Array<unknown>): FlowPort => {
  const cells = new Map<string, unknown>();
  return {
    info: Effect.succeed(info),
    supports: (capability) => Effect.succeed(capability === "roots"),
    once: (name, effect, schema) => {
      log.push([name, schema.failure === undefined ? "cannot fail" : "may fail"]);
      return effect;
    },
    get: (cell) => Effect.sync(() => (cells.get(cell.name) ?? cell.initial) as typeof cell.initial),
    update: (cell, change) =>
      Effect.sync(() => {
        cells.set(cell.name, change((cells.get(cell.name) ?? cell.initial) as typeof cell.initial));
      }),
    onCommit: (effect) => Effect.sync(() => void log.push(effect)),
    again: Effect.interrupt,
  };
};

const inFlow = <A, E>(self: Effect.Effect<A, E, Need.Flow>, log: Array<unknown> = []): Exit.Exit<A, E> =>
  Effect.runSyncExit(Effect.provideService(self, Need.Flow, flowOf(log)));

describe("state", () => {
  test("get, set and update go to the flow's cell of that name", () => {
    const cell = Need.state("page", { schema: Schema.Int, initial: 1 });
    const other = Need.state("page", { schema: Schema.Int, initial: 9 });
    const program = Effect.gen(function* () {
      const first = yield* cell.get;
      yield* cell.update((n) => n + 1);
      const second = yield* other.get;
      yield* cell.set(7);
      return [first, second, yield* cell.get];
    });
    assertEquals(inFlow(program), Exit.succeed([1, 2, 7]));
  });

  test("names are texts of 1 to 256 characters", () => {
    assertThrows(() => Need.state("", { schema: Schema.Int, initial: 1 }), "Cannot build state: its key is empty");
    assertThrows(() => Need.once("x".repeat(257), Effect.void, Schema.Void), "its key has 257 characters");
  });
});

describe("once", () => {
  test("tells steps that may fail from those that cannot", () => {
    const log: Array<unknown> = [];
    const failing = Need.once("b", Effect.fail("no"), { success: Schema.Never, failure: Schema.String });
    assertEquals(inFlow(Need.once("a", Effect.succeed(1), Schema.Int), log), Exit.succeed(1));
    assertEquals(inFlow(failing, log), Exit.fail("no"));
    // The schema of a Result has members `success` and `failure`, like the pair of schemas.
    const result = Schema.Result(Schema.Int, Schema.String);
    inFlow(Need.once("c", Effect.die("not run") as Effect.Effect<typeof result.Type>, result), log);
    assertEquals(log, [["a", "cannot fail"], ["b", "may fail"], ["c", "cannot fail"]]);
  });
});

describe("onCommit, again, flow, supports", () => {
  test("go to the flow", () => {
    const log: Array<unknown> = [];
    const commit = Effect.void;
    assertEquals(inFlow(Need.onCommit(commit), log), Exit.void);
    assertEquals(log, [commit]);
    assert(Exit.hasInterrupts(inFlow(Need.again)));
    assertEquals(inFlow(Need.flow), Exit.succeed(info));
    assertEquals(inFlow(Need.supports("roots")), Exit.succeed(true));
    assertEquals(inFlow(Need.supports("sampling")), Exit.succeed(false));
  });
});

describe("need", () => {
  test("a need is put through the port of its kind, as itself", () => {
    const asked: Array<unknown> = [];
    const port = (name: string): Port => ({
      ask: (need) => Effect.suspend(() => (asked.push([name, need.key]), Effect.die("asked"))),
    });
    const ask = <A, E>(need: Effect.Effect<A, E, Need.Elicitation | Need.Sampling | Need.Roots>) =>
      need.pipe(
        Effect.provideService(Need.Elicitation, port("elicitation")),
        Effect.provideService(Need.Sampling, port("sampling")),
        Effect.provideService(Need.Roots, port("roots")),
        Effect.runSyncExit,
      );
    ask(Need.confirm("a", message));
    ask(Need.choose("b", { message, options: ["a"] }));
    ask(Need.elicit("c", { message, schema: Schema.Struct({}) }));
    ask(Need.elicitUrl("d", { message, url: "https://a.example", done: Effect.succeedNone }));
    ask(Need.sample("e", { messages: [], maxTokens: 1 }));
    ask(Need.roots("f").pipe(Effect.map((roots) => roots.length)));
    assertEquals(asked, [
      ["elicitation", "a"],
      ["elicitation", "b"],
      ["elicitation", "c"],
      ["elicitation", "d"],
      ["sampling", "e"],
      ["roots", "f"],
    ]);
  });
});

describe("outside of a call", () => {
  test("all runs its branches at once, as a tuple or a struct", async () => {
    // Each branch waits for the other, so one after the other would never end.
    const meet = Effect.gen(function* () {
      const [here, there] = [yield* Deferred.make<string>(), yield* Deferred.make<string>()];
      return yield* Need.all([
        Effect.andThen(Deferred.succeed(here, "a"), Deferred.await(there)),
        Effect.andThen(Deferred.succeed(there, "b"), Deferred.await(here)),
      ]);
    });
    assertEquals(await Effect.runPromise(meet), ["b", "a"]);
    const struct = await Effect.runPromise(
      Need.all({ ["__proto__"]: Effect.succeed(1), b: Effect.succeed("x"), toString: Effect.succeed(true) }),
    );
    assertEquals(Object.entries(struct), [["__proto__", 1], ["b", "x"], ["toString", true]]);
    assertEquals(await Effect.runPromise(Need.all([])), []);
    assertEquals(await Effect.runPromise(Need.all({})), {});
    assertEquals(await Effect.runPromiseExit(Need.all([Effect.never, Effect.fail("no")])), Exit.fail("no"));
  });

  test("attempt and optional let everything through", () => {
    assertEquals(Effect.runSync(Need.attempt(Effect.succeed(1))), 1);
    assertEquals(Effect.runSync(Need.optional(Effect.succeed(1))), Option.some(1));
    assertEquals(Effect.runSyncExit(Need.optional(Effect.fail("no"))), Exit.fail("no"));
  });

  test("nothing suspends, and Call does nothing", () => {
    assertEquals(Effect.runSync(Need.isSuspending), false);
    assertEquals(Effect.runSync(Call.info), Option.none());
    assertEquals(Effect.runSync(Call.progress({ progress: 1 })), undefined);
    assertEquals(Effect.runSync(Call.log("info", {})), undefined);
    assertEquals(Effect.runSync(Call.disconnect), undefined);
  });
});

type Interpreting = NonNullable<Effect.Success<typeof Interpreter>>;

const unanswerable = new Need.Unanswerable({ key: "a", reason: "The client cannot" });

const interpreter = (more: Partial<Interpreting>): Interpreting => ({
  all: (branches) => Effect.all(branches),
  attempt: (self) => self,
  notify: () => Effect.void,
  info: Effect.succeedNone,
  disconnect: Effect.void,
  isSuspending: Effect.succeed(true),
  ...more,
});

describe("in a call", () => {
  test("all gives its branches to the interpreter in order, and puts the results back under their names", () => {
    const log: Array<number> = [];
    const run = Effect.provideService(
      Need.all({ b: Effect.succeed(1), a: Effect.succeed("x") }),
      Interpreter,
      interpreter({ all: (branches) => (log.push(branches.length), Effect.all(branches)) }),
    );
    assertEquals(Object.entries(Effect.runSync(run)), [["b", 1], ["a", "x"]]);
    assertEquals(log, [2]);
  });

  /** As if a need in every attempt could not be asked. */
  const unable = interpreter({ attempt: () => Effect.fail(unanswerable) });
  const under = <A, E>(self: Effect.Effect<A, E, Need.Elicitation>, by: Interpreting): Exit.Exit<A, E> =>
    self.pipe(
      Effect.provideService(Interpreter, by),
      Effect.provideService(Need.Elicitation, { ask: () => Effect.die("asked") }),
      Effect.runSyncExit,
    );

  test("optional is none where attempt is Unanswerable, for a bare need and for a program", () => {
    const need = Need.confirm("a", message);
    assertEquals(under(Need.optional(need), unable), Exit.succeed(Option.none()));
    assertEquals(under(Need.optional(Effect.void), unable), Exit.succeed(Option.none()));
    assertEquals(under(Need.attempt(Effect.void), unable), Exit.fail(unanswerable));
  });

  test("optional hands a bare need to the interpreter as it is", () => {
    const need = Need.confirm("a", message);
    const seen: Array<unknown> = [];
    under(Need.optional(need), interpreter({ attempt: (self) => (seen.push(self), Effect.fail(unanswerable)) }));
    assert(seen[0] === need);
  });

  test("optional does not take an Unanswerable of the author's own attempt for its own", () => {
    const inner = Effect.fail(unanswerable);
    const through = interpreter({});
    assertEquals(under(Need.optional(inner), through), Exit.fail(unanswerable));
    assertEquals(
      under(Need.optional(Effect.catch(inner, () => Effect.succeed(1))), through),
      Exit.succeed(Option.some(1)),
    );
  });

  test("optional keeps refusals and defects as they are", () => {
    const through = interpreter({});
    const declined = new Need.Declined({ key: "a" });
    assertEquals(under(Need.optional(Effect.fail(declined)), through), Exit.fail(declined));
    assertEquals(under(Need.optional(Effect.die("boom")), through), Exit.die("boom"));
    const both = Cause.combine(Cause.fail("no"), Cause.die("boom"));
    assertEquals(under(Need.optional(Effect.failCause(both)), through), Exit.failCause(both));
  });

  test("Call sends notices, but no numbers that JSON cannot say", () => {
    const notices: Array<unknown> = [];
    const noting = interpreter({ notify: (notice) => Effect.sync(() => void notices.push(notice)) });
    under(Call.progress({ progress: 1, total: 2, message: "half" }), noting);
    under(Call.progress({ progress: NaN }), noting);
    under(Call.progress({ progress: 1, total: Infinity }), noting);
    under(Call.log("warning", { a: 1 }, "shop"), noting);
    under(Call.log("debug", undefined), noting);
    assertEquals(notices, [
      { _tag: "Progress", progress: { progress: 1, total: 2, message: "half" } },
      { _tag: "Log", log: { level: "warning", data: { a: 1 }, logger: "shop" } },
      { _tag: "Log", log: { level: "debug", data: null } },
    ]);
    assertEquals(under(Need.isSuspending, noting), Exit.succeed(true));
  });
});

describe("errors", () => {
  test("say what was declined, dismissed, refused or could not be asked", () => {
    assertEquals(new Need.Declined({ key: "sure" }).message, `The user declined "sure"`);
    assertEquals(new Need.Cancelled({ key: "sure" }).message, `The user cancelled "sure"`);
    assertEquals(new Need.Refused({ key: "poem", reason: "no" }).message, `The client refused "poem": no`);
    assertEquals(unanswerable.message, `Cannot ask "a": The client cannot`);
  });
});
