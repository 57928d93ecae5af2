/**
 * The examples that return and their twins that ask: the same questions in the same rounds, word for word, and the same
 * ends.
 */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import { accept, cancel, Client, decline, type Script } from "@needful/mcp/testing";
import { server } from "../../examples/returning.ts";

interface Scene {
  readonly says: string;
  readonly args?: { readonly [name: string]: unknown };
  readonly script: Script;
  /** What is said at the end; an error result if it begins so. */
  readonly text: string;
  readonly rounds: ReadonlyArray<ReadonlyArray<string>>;
}

const bad = accept({ name: "" });
const ada = accept({ name: "Ada" });
const oslo = accept({ city: "Oslo" });
const size = accept({ choice: "large" });
const toppings = accept({ choice: ["olives", "onions"] });
const declined = (key: string) => `error: The user declined "${key}"`;
const cancelled = (key: string) => `error: The user cancelled "${key}"`;
const numbers = (length: number) => ({ numbers: Array.from({ length }, (_, i) => i) });
const alone = (rounds: number): ReadonlyArray<ReadonlyArray<string>> => Array.from({ length: rounds }, () => []);

const wizard = { "size:1": size, "toppings:1": toppings } as const;
const again = { "size:2": accept({ choice: "small" }), "toppings:2": accept({ choice: [] }) } as const;

const scenes: { readonly [tool: string]: ReadonlyArray<Scene> } = {
  whoami: [
    { says: "a name", script: { username: ada }, text: "Hello, Ada!", rounds: [["username"], []] },
    {
      says: "no name, then one",
      script: { username: [bad, ada] },
      text: "Hello, Ada!",
      rounds: [["username"], ["username"], []],
    },
    { says: "no", script: { username: decline }, text: declined("username"), rounds: [["username"], []] },
    { says: "nothing", script: { username: cancel }, text: cancelled("username"), rounds: [["username"], []] },
    {
      says: "no name, then no",
      script: { username: [bad, decline] },
      text: declined("username"),
      rounds: [["username"], ["username"], []],
    },
  ],
  greet: [
    {
      says: "both",
      script: { name: ada, city: oslo },
      text: "Greetings to Ada in Oslo!",
      rounds: [["name", "city"], []],
    },
    {
      says: "the one",
      args: { city: "Rome" },
      script: { name: ada },
      text: "Greetings to Ada in Rome!",
      rounds: [["name"], []],
    },
    {
      says: "the other",
      args: { name: "Bea" },
      script: { city: oslo },
      text: "Greetings to Bea in Oslo!",
      rounds: [["city"], []],
    },
    { says: "none", args: { name: "Bea", city: "Rome" }, script: {}, text: "Greetings to Bea in Rome!", rounds: [[]] },
    {
      says: "one that is not valid",
      script: { name: [bad, ada], city: oslo },
      text: "Greetings to Ada in Oslo!",
      rounds: [["name", "city"], ["name"], []],
    },
    { says: "no to one", script: { name: ada, city: decline }, text: declined("city"), rounds: [["name", "city"], []] },
    {
      says: "no to both",
      script: { name: decline, city: cancel },
      text: declined("name"),
      rounds: [["name", "city"], []],
    },
  ],
  wizard: [
    {
      says: "bake it",
      script: { ...wizard, "review:1": accept({ choice: "bake" }) },
      text: "Baking a large pizza with olives, onions.",
      rounds: [["size:1"], ["toppings:1"], ["review:1"], []],
    },
    {
      says: "change it, and bake it",
      script: { ...wizard, "review:1": accept({ choice: "change" }), ...again, "review:2": accept({ choice: "bake" }) },
      text: "Baking a small pizza with nothing.",
      rounds: [["size:1"], ["toppings:1"], ["review:1"], ["size:2"], ["toppings:2"], ["review:2"], []],
    },
    {
      says: "a size that there is not, then one",
      script: { ...wizard, "size:1": [accept({ choice: "huge" }), size], "review:1": accept({ choice: "bake" }) },
      text: "Baking a large pizza with olives, onions.",
      rounds: [["size:1"], ["size:1"], ["toppings:1"], ["review:1"], []],
    },
    { says: "no to the size", script: { "size:1": decline }, text: declined("size:1"), rounds: [["size:1"], []] },
    {
      says: "nothing to the toppings",
      script: { "size:1": size, "toppings:1": cancel },
      text: cancelled("toppings:1"),
      rounds: [["size:1"], ["toppings:1"], []],
    },
    {
      says: "no in the second attempt",
      script: { ...wizard, "review:1": accept({ choice: "change" }), "size:2": decline },
      text: declined("size:2"),
      rounds: [["size:1"], ["toppings:1"], ["review:1"], ["size:2"], []],
    },
  ],
  sum: [
    { says: "no numbers", args: numbers(0), script: {}, text: "The sum is 0.", rounds: alone(1) },
    { says: "five", args: numbers(5), script: {}, text: "The sum is 10.", rounds: alone(1) },
    { says: "six", args: numbers(6), script: {}, text: "The sum is 15.", rounds: alone(2) },
    { says: "all that it takes", args: numbers(40), script: {}, text: "The sum is 780.", rounds: alone(8) },
    { says: "more than it takes", args: numbers(41), script: {}, text: "error: Invalid arguments", rounds: alone(1) },
  ],
};

for (const [tool, all] of Object.entries(scenes)) {
  describe(tool, () => {
    for (const { args = {}, rounds, says, script, text } of all) {
      test(`${tool}: comes to the same as manual_${tool} when the user says ${says}`, () =>
        Effect.gen(function* () {
          const client = yield* Client.make(server);
          /** What is said at the end, what was asked in each round that asks, and how many rounds there were. */
          const play = Effect.fnUntraced(function* (name: string) {
            const call = yield* client.callTool(name, args, script);
            const said = `${call.result.isError === true ? "error: " : ""}${call.text}`.replaceAll(name, tool);
            const asked = call.rounds.map(({ asked }) => Object.values(asked)).filter(({ length }) => length > 0);
            const words = asked.map((round) => round.map(({ key, method, params }) => ({ key, method, params })));
            return { same: { said, asked: words }, count: call.rounds.length };
          });
          const [asking, returning] = [yield* play(tool), yield* play(`manual_${tool}`)];
          assertEquals(returning.same, asking.same);
          assert(returning.same.said.startsWith(text), returning.same.said);
          const asks = rounds.filter(({ length }) => length > 0);
          assertEquals(returning.same.asked.map((round) => round.map(({ key }) => key)), asks);
          assertEquals(returning.count, rounds.length);
          // To start again takes a round of its own, where a state machine goes on to its first step at once
          assertEquals(asking.count, rounds.length + (asks.some(([key]) => key === "size:2") ? 1 : 0));
        }).pipe(Effect.scoped, Effect.runPromise));
    }
  });
}
