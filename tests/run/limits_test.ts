/** Caps of DESIGN.md, section 5. */
import { test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as References from "effect/References";
import * as Schema from "effect/Schema";
import * as Need from "../../src/need/mod.ts";
import { start } from "../../src/run/journal.ts";
import { defaultLimits, limitsOf } from "../../src/run/limits.ts";
import { ask } from "./ask.ts";
import { drive, run, toldOutcome } from "./kit.ts";

const at = (round: number, pass = 1) => ({ ...start("flow"), round, pass });

const counted = (times: number) => {
  const cell = Need.state("n", { schema: Schema.Number, initial: 0 });
  return Effect.flatMap(
    cell.get,
    (n): Effect.Effect<number, never, Need.Flow> =>
      n === times ? Effect.succeed(n) : Effect.andThen(cell.set(n + 1), Need.again),
  );
};

test("defaultLimits: 16 rounds, 8 times again, 1 s, 30 s, 5 s, 1,000 turns", () => {
  const { gather, maxPasses, maxRounds, steps, turns, unwind } = defaultLimits;
  const millis = [gather, steps, unwind].map(Duration.toMillis);
  assertEquals([maxRounds, maxPasses, turns, ...millis], [16, 8, 1000, 1000, 30_000, 5000]);
});

test("maxRounds: round 16 may end the call but not suspend, and the error names what is still asked", async () => {
  assertEquals(toldOutcome(await run(ask("a"), { journal: at(15), responses: {} })), "asks a");
  assertEquals(toldOutcome(await run(Effect.succeed(1), { journal: at(16), responses: {} })), "ok 1");
  assertEquals(
    toldOutcome(await run(Effect.all([ask("a"), ask("b")], { concurrency: 2 }), { journal: at(16) })),
    'broken The call reached its limit of 16 rounds; still asked: "a", "b"',
  );
});

test("maxRounds: the error names the question that kept changing (rule 4, B17)", async () => {
  let changes = 0;
  const handler = () => Effect.andThen(ask("same"), ask("fickle", `question ${changes++}`));
  const flow = await drive(handler);
  assertEquals(
    flow.result,
    'broken The call reached its limit of 16 rounds; still asked: "fickle"; questions that kept changing: "fickle"',
  );
  assertEquals(flow.asks.length, 15);
});

test("maxRounds: keys that differ in every round end at the limit too, and no answer goes to another question", async () => {
  let changes = 0;
  const flow = await drive(() => Effect.suspend(() => ask(`key ${changes++}`)));
  assertEquals(flow.result, 'broken The call reached its limit of 16 rounds; still asked: "key 15"');
});

test("maxPasses: a flow starts again 8 times, not 9", async () => {
  assertEquals((await drive(() => counted(8))).result, "ok 8");
  const flow = await drive(() => counted(9));
  assertEquals(flow.result, "broken The call reached its limit: a handler may start again 8 times");
});

test("maxPasses: counts again, not the rounds of a pass", async () => {
  const handler = () =>
    Effect.flatMap(Effect.forEach(["1", "2", "3", "4", "5", "6"], (key) => ask(key)), () => counted(2));
  assertEquals((await drive(handler, undefined, { limits: { maxPasses: 2 } })).result, "ok 2");
});

test("state: a value that does not fit its schema ends the call, and names the cell", async () => {
  const cell = Need.state<unknown>("n", { schema: Schema.Number as never, initial: 0 });
  assertEquals(
    toldOutcome(await run(Effect.andThen(cell.set("x"), Need.again))),
    'broken The state "n" does not fit its schema',
  );
  const journal = { ...at(2), cells: new Map([["n", "x"]]) };
  assertEquals(
    toldOutcome(await run(cell.get, { journal })),
    'broken The state "n" of the earlier pass does not fit its schema',
  );
});

test("once: a result or a record that does not fit its schema ends the call, and names the step", async () => {
  const broken = 'broken The result of the step "s" does not fit its schema';
  const step = Need.once<unknown, never>("s", Effect.succeed("x"), Schema.Number as never);
  const journal = { ...at(2), steps: new Map([["s", { _tag: "Success", value: "x" } as const]]) };
  const quiet = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.catchCause(Effect.provideService(effect, References.MinimumLogLevel, "None"), () => Effect.void);
  assertEquals(toldOutcome(await run(quiet(step))), broken);
  assertEquals(toldOutcome(await run(quiet(step), { journal })), broken);
});

test("limitsOf: takes any duration, and keeps the defaults of what is not chosen", () => {
  assertEquals(limitsOf(), defaultLimits);
  assertEquals(limitsOf({ unwind: "50 millis", gather: 20, maxRounds: 2 }), {
    ...defaultLimits,
    unwind: Duration.millis(50),
    gather: Duration.millis(20),
    maxRounds: 2,
  });
});

test("limitsOf: refuses what is no limit", () => {
  for (const maxRounds of [0, 1.5, NaN, Infinity, -1]) {
    assertThrows(() => limitsOf({ maxRounds }), `Cannot limit the rounds of a flow to ${maxRounds}`);
  }
  assertThrows(() => limitsOf({ maxPasses: -1 }), "Cannot limit how often a flow starts again to -1");
  assertThrows(() => limitsOf({ turns: NaN }), "Cannot limit the turns of a round to NaN");
  assertThrows(() => limitsOf({ steps: "soon" as never }), "soon");
});
