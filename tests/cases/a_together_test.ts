/** Several asks of one round reach the client in one interim result, however they were started. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { alike } from "./fixtures.ts";
import { bothWays, inProcess } from "./serve.ts";
import { accept, again, ANY, asks, call, completes, type Json, prompt, read, send } from "./wire.ts";

const ask = (key: string) =>
  Effect.map(
    Need.elicit(key, { message: `What is ${key}?`, schema: Schema.Struct({ v: Schema.String }) }),
    ({ v }) => v,
  );
const poem = Effect.as(
  Need.sample("poem", { messages: [{ role: "user", content: { type: "text", text: "A poem" } }], maxTokens: 9 }),
  "poem",
);
const roots = Effect.map(Need.roots("roots"), (roots) => `${roots.length}`);
const unbounded = { concurrency: "unbounded" } as const;

type Asks = Need.Elicitation | Need.Sampling | Need.Roots | Need.Flow;
type No = Need.Declined | Need.Cancelled | Need.Refused;

const yields = (n: number) => Effect.forEach(Array.from({ length: n }), () => Effect.yieldNow, { discard: true });
const promises = (n: number) =>
  Effect.promise(async () => {
    for (let i = 0; i < n; i++) await null;
  });

const asked = (key: string): Effect.Effect<string, No, Asks> =>
  key === "poem" ? poem : key === "roots" ? roots : ask(key);

const programs: { readonly [name: string]: Effect.Effect<ReadonlyArray<string>, No, Asks> } = {
  "Need.all": Effect.map(
    Need.all({ a: ask("a"), b: ask("b"), poem, roots }),
    ({ a, b, poem, roots }) => [a, b, poem, roots],
  ),
  "Need.all of a tuple": Need.all([ask("a"), ask("b"), poem, roots]),
  "Effect.all": Effect.all([ask("a"), ask("b"), poem, roots], unbounded),
  "forEach": Effect.forEach(["a", "b", "poem", "roots"], asked, unbounded),
  "branches that yield first": Effect.all(
    [Effect.andThen(yields(1), ask("a")), Effect.andThen(yields(5), ask("b")), poem, Effect.andThen(yields(50), roots)],
    unbounded,
  ),
  "branches that wait for settled promises": Effect.all(
    [
      ask("a"),
      Effect.andThen(promises(1), ask("b")),
      Effect.andThen(promises(10), poem),
      Effect.andThen(promises(3), roots),
    ],
    unbounded,
  ),
  "branches of Need.all that fetch first": Need.all([
    ask("a"),
    Effect.andThen(Effect.sleep("20 millis"), ask("b")),
    Effect.andThen(Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 30))), poem),
    roots,
  ]),
  "branches with steps": Effect.all(
    [
      ask("a"),
      Effect.andThen(Need.once("slow", Effect.sleep("20 millis").pipe(Effect.as("x")), Schema.String), ask("b")),
      poem,
      roots,
    ],
    unbounded,
  ),
  "nested in groups": Effect.map(
    Effect.all([Effect.all([ask("a"), ask("b")], unbounded), Need.all([poem, roots])], unbounded),
    ([[a, b], [poem, roots]]) => [a, b, poem, roots],
  ),
  "forked fibers": Effect.gen(function* () {
    const fibers = yield* Effect.forEach(["a", "b", "poem", "roots"], (key) => Effect.forkChild(asked(key)));
    return yield* Effect.forEach(fibers, Fiber.join);
  }),
};

const answers: Json = {
  a: accept({ v: "1" }),
  b: accept({ v: "2" }),
  poem: { role: "assistant", model: "m", content: { type: "text", text: "Roses" } },
  roots: { roots: [{ uri: "file:///a" }] },
};

describe("one interim result for all asks of a round", () => {
  for (const [name, program] of Object.entries(programs)) {
    test(`${name}: four asks go out together, and their answers come back together`, async () => {
      const server = () =>
        McpServer.make({
          name: "together",
          version: "1",
          tools: [
            Tool.make("asks", { description: "Asks", handler: () => Effect.map(program, (all) => all.join(" ")) }),
          ],
        });
      await bothWays(server, async (target) => {
        const first = call("asks", {}, ANY);
        const { requests, state } = asks(await send(target, first), "a", "b", "poem", "roots");
        assertEquals(
          Object.entries(requests).map(([key, { method }]) => [key, method]).sort(),
          [["a", "elicitation/create"], ["b", "elicitation/create"], ["poem", "sampling/createMessage"], [
            "roots",
            "roots/list",
          ]],
        );
        completes(await send(target, again(first, { inputResponses: answers, requestState: state })), "1 2 poem 1");
      });
    });
  }

  test("prompts and resources send them together as well", () => {
    const both = Effect.map(
      Effect.all([ask("a"), Effect.andThen(Effect.yieldNow, ask("b"))], unbounded),
      (all) => all.join(" "),
    );
    return inProcess(alike(both), async (target) => {
      for (const first of [prompt("p", {}, ANY), read("note:///r", ANY)]) {
        const { state } = asks(await send(target, first), "a", "b");
        const reply = await send(target, again(first, { inputResponses: answers, requestState: state }));
        assertEquals(reply.result?.resultType, "complete", reply.text);
      }
    });
  });

  test("asks that depend on one another go out one after the other, and those that do not beside them", () => {
    const chain = Effect.flatMap(ask("a"), (a) => Effect.map(ask("c"), (c) => a + c));
    const program = Effect.map(Effect.all([chain, ask("b")], unbounded), (all) => all.join(" "));
    const server = McpServer.make({
      name: "chain",
      version: "1",
      tools: [Tool.make("asks", { description: "Asks", handler: () => program })],
    });
    return inProcess(server, async (target) => {
      const first = call("asks", {}, ANY);
      const one = asks(await send(target, first), "a", "b");
      const two = asks(await send(target, again(first, { inputResponses: answers, requestState: one.state })), "c");
      const last = { inputResponses: { c: accept({ v: "3" }) }, requestState: two.state };
      completes(await send(target, again(first, last)), "13 2");
    });
  });

  test("an ask that lost a race is not sent", () => {
    const program = Effect.flatMap(
      Effect.race(ask("lost"), Effect.succeed("won")),
      (won) => Effect.map(ask("a"), (a) => won + a),
    );
    const server = McpServer.make({
      name: "race",
      version: "1",
      tools: [Tool.make("asks", { description: "Asks", handler: () => program })],
    });
    return inProcess(server, async (target) => {
      const first = call("asks", {}, ANY);
      const { state } = asks(await send(target, first), "a");
      completes(await send(target, again(first, { inputResponses: answers, requestState: state })), "won1");
    });
  });
});
