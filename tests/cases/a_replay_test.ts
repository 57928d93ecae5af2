/** Cases B17 and B32: a handler runs anew in every round, and its author need not know it. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { alike, type Counter, counter, who } from "./fixtures.ts";
import { inProcess } from "./serve.ts";
import {
  accept,
  again,
  asks,
  type Body,
  call,
  completes,
  decline,
  fails,
  FORM,
  type Json,
  prompt,
  read,
  send,
  type Target,
  text,
} from "./wire.ts";

type Asking = Effect.Effect<string, Need.Declined | Need.Cancelled, Need.Elicitation | Need.Flow>;

const one = (handler: Asking) =>
  McpServer.make({
    name: "one",
    version: "1",
    tools: [Tool.make("asks", { description: "Asks", handler: () => handler })],
  });

/** The tool's name, by which its rounds are run with `answers` until it completes; gives the number of rounds. */
const drive = async (target: Target, answers: Json, first: Body = call("asks", {}, FORM)) => {
  let reply = await send(target, first);
  let rounds = 1;
  while (reply.result?.resultType === "input_required") {
    assert(rounds++ < 12, reply.text);
    const keys = Object.keys(reply.result.inputRequests ?? {});
    const inputResponses = Object.fromEntries(keys.map((key) => [key, answers[key]]));
    reply = await send(target, again(first, { inputResponses, requestState: reply.result.requestState }));
  }
  return { reply, rounds };
};

const name = Effect.map(who, ({ name }) => name);

/** What an author may wrap around an ask; none of it may take the suspension for a failure of his. */
const combinators: { readonly [name: string]: (runs: Counter) => Asking } = {
  "catch": (runs) => Effect.catch(name, () => Effect.as(runs.count("caught"), "caught")),
  "catchCause": (runs) => Effect.catchCause(name, () => Effect.as(runs.count("caught"), "caught")),
  "catchDefect": (runs) => Effect.catchDefect(name, () => Effect.as(runs.count("caught"), "caught")),
  "exit": (runs) =>
    Effect.flatMap(
      Effect.exit(name),
      (exit) => exit._tag === "Success" ? Effect.succeed(exit.value) : Effect.as(runs.count("caught"), "caught"),
    ),
  "match": (runs) =>
    Effect.matchCauseEffect(name, {
      onFailure: () => Effect.as(runs.count("caught"), "caught"),
      onSuccess: Effect.succeed,
    }),
  "orElseSucceed": () => Effect.orElseSucceed(name, () => "else"),
  "retry": (runs) => Effect.retry(Effect.tapError(name, () => runs.count("caught")), { times: 5 }),
  "retry by a schedule": () => Effect.retry(name, Schedule.spaced("1 minute")),
  "timeout": (runs) =>
    Effect.catchTag(Effect.timeout(name, "20 millis"), "TimeoutError", () => Effect.as(runs.count("caught"), "late")),
  "race with never": () => Effect.race(name, Effect.never),
  "all, in parallel": () => Effect.map(Effect.all([name, Effect.void], { concurrency: "unbounded" }), ([name]) => name),
  "uninterruptible": () => Effect.uninterruptible(name),
  "a JavaScript try": (runs) =>
    Effect.gen(function* () {
      try {
        return yield* name;
      } catch {
        yield* runs.count("caught");
        return "caught";
      }
    }),
};

describe("B17: asks inside whatever an author writes around them", () => {
  for (const [wrapped, program] of Object.entries(combinators)) {
    test(`B17: an ask inside ${wrapped} suspends, is not caught, and goes on with its answer`, () => {
      const runs = counter();
      return inProcess(one(program(runs)), async (target) => {
        const { reply, rounds } = await drive(target, { who: accept({ name: "Ada" }) });
        completes(reply, "Ada");
        assertEquals([rounds, runs.of("caught")], [2, 0]);
      });
    });
  }

  test("B17: a no is the author's to catch, in each of them that catches failures", () => {
    const program = Effect.catchTag(name, "Declined", ({ key }) => Effect.succeed(`no ${key}`));
    return inProcess(one(program), async (target) => {
      completes((await drive(target, { who: decline })).reply, "no who");
    });
  });

  test("B17: finalizers run in every round, and can tell a suspension from an end", () => {
    const runs = counter();
    const note = Effect.flatMap(Need.isSuspending, (suspending) => runs.count(suspending ? "suspending" : "ending"));
    const program = Effect.gen(function* () {
      yield* Effect.acquireRelease(runs.count("acquired"), () => runs.count("released"));
      return yield* name;
    }).pipe(Effect.scoped, Effect.ensuring(runs.count("ensured")), Effect.onExit(() => note));
    return inProcess(one(program), async (target) => {
      completes((await drive(target, { who: accept({ name: "Ada" }) })).reply, "Ada");
      assertEquals(
        ["acquired", "released", "ensured", "suspending", "ending"].map(runs.of),
        [2, 2, 2, 1, 1],
      );
    });
  });

  test("B17: effects before an ask are repeated by every round, unless they stand in a step; commits run at the end only", () => {
    const runs = counter();
    const step = (key: string) => Need.once(key, Effect.as(runs.count(key), runs.of(key)), Schema.Int);
    const program = Effect.gen(function* () {
      yield* runs.count("plain");
      yield* step("before");
      yield* Need.onCommit(runs.count("committed"));
      const a = yield* who;
      yield* step("between");
      const b = yield* Need.elicit("b", { message: "And then?", schema: Schema.Struct({ v: Schema.String }) });
      return `${a.name} ${b.v}`;
    });
    return inProcess(one(program), async (target) => {
      const { reply, rounds } = await drive(target, { who: accept({ name: "Ada" }), b: accept({ v: "B" }) });
      completes(reply, "Ada B");
      assertEquals(rounds, 3);
      assertEquals(["plain", "before", "between", "committed"].map(runs.of), [3, 1, 1, 1]);
    });
  });

  test("B17: a step that failed stays failed, whatever catches it, and is not tried again", () => {
    const runs = counter();
    const charge = Need.once("charge", Effect.andThen(runs.count("charged"), Effect.fail("no funds")), {
      success: Schema.String,
      failure: Schema.String,
    });
    const program = Effect.gen(function* () {
      const charged = yield* Effect.catch(charge, (error) => Effect.succeed(`failed: ${error}`));
      const { name } = yield* who;
      return `${name} ${charged}`;
    });
    return inProcess(one(program), async (target) => {
      completes((await drive(target, { who: accept({ name: "Ada" }) })).reply, "Ada failed: no funds");
      assertEquals(runs.of("charged"), 1);
    });
  });
});

describe("B17: questions that change", () => {
  const key = (message: string) => Need.elicit("k", { message, schema: Schema.Struct({ v: Schema.String }) });

  test("B17: an answer is never given to another question under the same key: it is asked anew", () => {
    let round = 0;
    const program = Effect.suspend(() => Effect.map(key(`Question ${Math.min(++round, 2)}`), ({ v }) => v));
    return inProcess(one(program), async (target) => {
      const first = call("asks", {}, FORM);
      const one = asks(await send(target, first), "k");
      const retry = again(first, { inputResponses: { k: accept({ v: "to the first" }) }, requestState: one.state });
      const two = asks(await send(target, retry), "k");
      assertEquals(two.requests["k"]?.params["message"], "Question 2");
      const right = again(first, { inputResponses: { k: accept({ v: "to the second" }) }, requestState: two.state });
      completes(await send(target, right), "to the second");
    });
  });

  for (
    const [changing, question] of Object.entries({
      "schema": (n: number) =>
        Need.elicit("k", {
          message: "Same",
          schema: { type: "object", properties: { v: { type: "string", maxLength: n + 9 } } },
        }),
      "options": (n: number) => Need.choose("k", { message: "Same", options: ["a", `b${n}`] }),
      "method": (n: number) =>
        n % 2 === 0 ? Need.confirm("k", "Same") : Need.elicit("k", { message: "Same", schema: Schema.Struct({}) }),
    })
  ) {
    test(`B17: a question whose ${changing} changed is another one`, () => {
      let round = 0;
      const program = Effect.suspend(() => Effect.as(question(++round), "done"));
      return inProcess(one(program as Asking), async (target) => {
        const first = call("asks", {}, FORM);
        const { state } = asks(await send(target, first), "k");
        const answers = { inputResponses: { k: accept({ v: "a", choice: "a", ok: true }) }, requestState: state };
        asks(await send(target, again(first, answers)), "k");
      });
    });
  }

  test("B17: a question that is different in every round ends at the round cap, in an error that names its key", () => {
    let round = 0;
    const program = Effect.suspend(() => Effect.map(key(`Question ${++round}`), ({ v }) => v));
    return inProcess(one(program), async (target) => {
      const first = call("asks", {}, FORM);
      let reply = await send(target, first);
      for (let i = 1; i < 4; i++) {
        const { state } = asks(reply, "k");
        reply = await send(target, again(first, { inputResponses: { k: accept({ v: "x" }) }, requestState: state }));
      }
      const error = fails(reply, 200, -32603);
      assert(error.message.includes('"k"'), error.message);
    }, { limits: { maxRounds: 4 } });
  });

  test("B17: one key for two questions in one round is misuse, which nothing catches, and names the key", () => {
    const runs = counter();
    const twice = Effect.all([key("First"), key("Second")], { concurrency: "unbounded" }).pipe(
      Effect.catchCause(() => Effect.as(runs.count("caught"), "caught")),
      Effect.as("done"),
    );
    return inProcess(alike(twice), async (target) => {
      for (const body of [call("t", {}, FORM), prompt("p", {}, FORM), read("note:///r", FORM)]) {
        const error = fails(await send(target, body), 200, -32603);
        assert(error.message.includes('"k"'), error.message);
      }
      assertEquals(runs.of("caught"), 0);
    });
  });

  test("B17: equal questions under one key are one question", () => {
    const program = Effect.map(
      Effect.all([key("Same"), key("Same")], { concurrency: "unbounded" }),
      ([a, b]) => a.v + b.v,
    );
    return inProcess(one(program), async (target) => {
      completes((await drive(target, { k: accept({ v: "x" }) })).reply, "xx");
    });
  });

  test("B17: an answer that waited for its turn and then is no good is asked for again, until it is", () => {
    let round = 0;
    const early = key("Early");
    const other = Need.elicit("other", { message: "Other", schema: Schema.Struct({ v: Schema.String }) });
    // The second round does not come to the first question: its answer is kept unread
    const program = Effect.suspend(() =>
      Effect.map(++round === 2 ? Effect.andThen(other, early) : early, ({ v }) => v)
    );
    return inProcess(one(program), async (target) => {
      const first = call("asks", {}, FORM);
      const asked = asks(await send(target, first), "k");
      const bad = { inputResponses: { k: accept({ v: 7 }) }, requestState: asked.state };
      const two = asks(await send(target, again(first, bad)), "other");
      const three = asks(await send(target, again(first, { requestState: two.state })), "k");
      const good = { inputResponses: { k: accept({ v: "x" }) }, requestState: three.state };
      completes(await send(target, again(first, good)), "x");
    });
  });
});

describe("B17: misuse and limits", () => {
  const step = (inner: Effect.Effect<unknown, unknown, unknown>) =>
    Effect.as(Need.once("step", inner as Effect.Effect<void>, Schema.Void as never), "done") as Asking;

  for (
    const [name, inner] of Object.entries({
      "asks": Need.confirm("inside", "?"),
      "writes a cell": Need.state("inside", { schema: Schema.Int, initial: 0 }).set(1),
      "goes again": Need.again,
      "registers a commit": Need.onCommit(Effect.void),
    })
  ) {
    test(`B17: a step that ${name} is misuse, which nothing catches, and the step is named`, () => {
      const runs = counter();
      const program = Effect.catchCause(step(inner), () => Effect.as(runs.count("caught"), "caught"));
      return inProcess(one(program), async (target) => {
        const error = fails(await send(target, call("asks", {}, FORM)), 200, -32603);
        assert(error.message.includes('"step"'), error.message);
        assertEquals(runs.of("caught"), 0);
      });
    });
  }

  test("B17: a handler may start again 8 times, and is told so the next time", () =>
    inProcess(one(Need.again as Asking), async (target) => {
      const { reply, rounds } = await drive(target, {});
      const error = fails(reply, 200, -32603);
      assert(rounds === 9 && error.message.includes("8"), `${rounds}: ${error.message}`);
    }));

  test("B17: a finalizer that never ends holds up no reply, and one that asks two things neither", async () => {
    const hung = Effect.ensuring(name, Effect.never);
    await inProcess(one(hung), async (target) => {
      const started = performance.now();
      asks(await send(target, call("asks", {}, FORM)), "who");
      assert(performance.now() - started < 2000);
    }, { limits: { unwind: Duration.millis(30) } });
    const asking = Effect.ensuring(
      name,
      Effect.ignore(Effect.all([Need.confirm("x", "?"), Need.confirm("y", "?")], { concurrency: "unbounded" })),
    );
    await inProcess(one(asking), async (target) => {
      const first = call("asks", {}, FORM);
      const { state } = asks(await send(target, first), "who");
      const next = await send(
        target,
        again(first, { inputResponses: { who: accept({ name: "Ada" }) }, requestState: state }),
      );
      asks(next, "x", "y");
    });
  });

  test("B17: a branch that never asks holds a round open for as long as the limit says, and no longer", () => {
    const program = Effect.map(Need.all([name, Effect.never]), ([name]) => name);
    return inProcess(one(program), async (target) => {
      const started = performance.now();
      asks(await send(target, call("asks", {}, FORM)), "who");
      assert(performance.now() - started < 2000);
    }, { limits: { gather: Duration.millis(30) } });
  });
});

describe("B32: the person's time", () => {
  test("B32: nothing is held open between rounds: a limit of a handler counts its own rounds only", () => {
    const runs = counter();
    const program = Effect.gen(function* () {
      const a = yield* who;
      const b = yield* Need.elicit("b", { message: "And then?", schema: Schema.Struct({ v: Schema.String }) });
      return `${a.name} ${b.v}`;
    }).pipe(Effect.timeoutOrElse({ duration: "500 millis", orElse: () => Effect.as(runs.count("late"), "late") }));
    return inProcess(one(program), async (target) => {
      const first = call("asks", {}, FORM);
      const { state } = asks(await send(target, first), "who");
      await new Promise((resolve) => setTimeout(resolve, 600));
      const next = await send(
        target,
        again(first, { inputResponses: { who: accept({ name: "Ada" }) }, requestState: state }),
      );
      asks(next, "b");
      assertEquals(runs.of("late"), 0);
      assertEquals(text(next), undefined);
    });
  });
});
