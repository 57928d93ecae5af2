/** What an editor shows for the verbs: types that a person can read, in the words of this package and of Effect. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertEquals } from "@std/assert";
import { run } from "../process.ts";

const config = fileURLToPath(new URL("../../deno.json", import.meta.url));

const preamble = `
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Call, Catalog, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";
import { layerElicitation } from "@needful/mcp/testing";

class Broke extends Schema.TaggedError<Broke>()("Broke", { why: Schema.String }) {}
const Person = Schema.Struct({ name: Schema.NonEmptyString, age: Schema.optionalKey(Schema.Int) });
const message = "?";
const person = Need.elicit("who", { message, schema: Person });
const poem = Need.sample("poem", { messages: [], maxTokens: 100 });
const tool = Tool.make("t", {
  input: Person,
  handler: Effect.fn(function* ({ name }) {
    yield* Catalog.Catalog;
    return (yield* Need.confirm("sure", message)) ? name : "no";
  }),
});
`;

/** Expressions, and the types that they are shown with. */
const shown: ReadonlyArray<readonly [expression: string, type: string]> = [
  ["person", "Need<{ readonly name: string; readonly age?: number; }, Declined | Cancelled, Elicitation>"],
  [
    `Need.elicit("who", { message, schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } })`,
    "Need<{ readonly n: number; }, Declined | Cancelled, Elicitation>",
  ],
  [`Need.confirm("sure", message)`, "Need<boolean, never, Elicitation>"],
  [`Need.choose("one", { message, options: ["a", "b"] })`, `Need<"a" | "b", Declined | Cancelled, Elicitation>`],
  [
    `Need.choose("some", { message, options: ["a", "b"], multiple: true })`,
    `Need<readonly ("a" | "b")[], Declined | Cancelled, Elicitation>`,
  ],
  [
    `Need.elicitUrl("page", { message, url: "https://example.com/", done: Effect.succeedSome(1) })`,
    "Need<number, Declined | Cancelled, Elicitation>",
  ],
  ["poem", "Need<Sample, Refused, Sampling>"],
  ["Need.roots()", "Need<readonly Root[], never, Roots>"],
  [`Need.state("n", { schema: Schema.Number, initial: 0 })`, "Cell<number>"],
  [`Need.once("step", Effect.succeed("x"), Schema.String)`, "Effect<string, never, Flow>"],
  [
    `Need.once("step", Effect.fail(new Broke({ why: "" })), { success: Schema.String, failure: Broke })`,
    "Effect<string, Broke, Flow>",
  ],
  ["Need.onCommit(Effect.void)", "Effect<void, never, Flow>"],
  ["Need.again", "Effect<never, never, Flow>"],
  [
    "Need.all({ person, poem })",
    "Effect<{ readonly person: { readonly name: string; readonly age?: number; }; readonly poem: Sample; }, " +
    "Declined | Cancelled | Refused, Elicitation | Sampling>",
  ],
  [
    "Need.all([Need.roots(), poem])",
    "Effect<[readonly Root[], Sample], Refused, Roots | Sampling>",
  ],
  ["Need.optional(Need.roots())", "Effect<Option<readonly Root[]>, never, Roots>"],
  ["Need.attempt(poem)", "Effect<Sample, Refused | Unanswerable, Sampling>"],
  [`Need.supports("roots")`, "Effect<boolean, never, Flow>"],
  ["Need.flow", "Effect<FlowInfo, never, Flow>"],
  ["Call.info", "Effect<Option<CallInfo>, never, never>"],
  ["tool", "Tool<Elicitation | Catalog>"],
  [
    `Resource.template("a://{b}", { name: "a", handler: ({ b }) => Effect.as(Need.roots(), b) })`,
    "Template<Roots>",
  ],
  [
    `Prompt.make("p", { args: Schema.Struct({ name: Schema.String }), handler: ({ name }) => Effect.succeed(name) })`,
    "Prompt<never>",
  ],
  [`McpServer.make({ name: "s", version: "1", tools: [tool] })`, "McpServer<never>"],
  [
    `DenoServer.layer(McpServer.make({ name: "s", version: "1", tools: [tool] }))`,
    "Layer<Catalog | Listening, ServeError, never>",
  ],
  ["layerElicitation({})", "Layer<Elicitation, never, never>"],
];

/** The compiler's own order of the members of a union says nothing. */
const ordered = (type: string): string =>
  type.replaceAll(/\w+(?: \| \w+)+/g, (union) => union.split(" | ").sort().join(" | "));

test("types of the verbs are shown as a person would write them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "needful-types-"));
  try {
    const file = join(folder, "types.ts");
    const lines = shown.map(([expression], i) => `export const shown${i}: 0 = ${expression};\n`);
    await writeFile(file, preamble + lines.join(""));
    const { output } = await run(["check", "--config", config, file]);
    const types = [...output.matchAll(/Type '([^']+)' is not assignable to type '0'/g)].map(([, type]) => type!);
    assertEquals(types.map(ordered), shown.map(([, type]) => ordered(type)), output);
  } finally {
    await rm(folder, { recursive: true });
  }
});
