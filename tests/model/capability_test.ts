/** The capability gate (case B18; 2026-07-28, client/elicitation, "Capabilities"; client/sampling, "Capabilities"). */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { capabilities, type Capability, required, supports } from "../../src/model/capability.ts";
import { needed, type Question } from "../../src/model/question.ts";

/** All that a client with these declarations can be asked for. */
const declared = (of: unknown): ReadonlyArray<Capability> =>
  capabilities.filter((capability) => supports(of as Record<string, unknown>, capability));

describe("supports", () => {
  const matrix: ReadonlyArray<readonly [unknown, ReadonlyArray<Capability>]> = [
    [{}, []],
    [{ elicitation: {} }, ["elicitation.form"]],
    [{ elicitation: { form: {} } }, ["elicitation.form"]],
    [{ elicitation: { url: {} } }, ["elicitation.url"]],
    [{ elicitation: { form: {}, url: {} } }, ["elicitation.form", "elicitation.url"]],
    // Empty but for what we do not know: the client declares form mode only.
    [{ elicitation: { "vendor.x/y": {} } }, ["elicitation.form"]],
    [{ sampling: {} }, ["sampling"]],
    [{ sampling: { tools: {} } }, ["sampling", "sampling.tools"]],
    [{ sampling: { context: {} } }, ["sampling", "sampling.context"]],
    [{ sampling: { tools: {}, context: {} }, roots: { listChanged: true } }, [
      "sampling",
      "sampling.tools",
      "sampling.context",
      "roots",
    ]],
    [{ roots: {} }, ["roots"]],
    [{ "vendor.x/y": {} }, []],
    // A value that is no object declares nothing.
    [{ elicitation: true }, []],
    [{ elicitation: null, roots: 1, sampling: [] }, []],
    [{ elicitation: { form: true } }, []],
    [{ elicitation: { url: [] } }, []],
    [{ elicitation: { form: {}, url: 1 } }, ["elicitation.form"]],
    [{ sampling: { tools: true } }, ["sampling"]],
    // Neither does what an object inherits.
    [Object.create({ elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }), []],
    [{ elicitation: Object.create({ url: {} }) }, ["elicitation.form"]],
    [{ sampling: Object.create({ tools: {} }) }, ["sampling"]],
  ];
  for (const [of, expected] of matrix) {
    test(`B18: ${JSON.stringify(of)} declares ${expected.join(", ") || "nothing"}`, () => {
      assertEquals(declared(of), expected);
    });
  }
});

describe("required", () => {
  const cases: ReadonlyArray<readonly [ReadonlyArray<Capability>, unknown]> = [
    [[], {}],
    [["elicitation.form"], { elicitation: { form: {} } }],
    [["elicitation.url"], { elicitation: { url: {} } }],
    [["sampling"], { sampling: {} }],
    [["sampling.tools"], { sampling: { tools: {} } }],
    [["roots", "elicitation.form", "elicitation.url", "sampling.context", "sampling"], {
      roots: {},
      elicitation: { form: {}, url: {} },
      sampling: { context: {} },
    }],
  ];
  for (const [missing, object] of cases) {
    test(`B18: names exactly ${missing.join(", ") || "nothing"}`, () => assertEquals(required(missing), object));
  }

  test("a client that declares what is required supports it", () => {
    for (const capability of capabilities) assertEquals(supports(required([capability]), capability), true);
  });
});

describe("needed", () => {
  const form: Question = {
    method: "elicitation/create",
    params: { message: "?", requestedSchema: { type: "object", properties: {} } },
  };
  const url: Question = {
    method: "elicitation/create",
    params: { mode: "url", message: "?", url: "https://a.example" },
    interaction: "1",
  };
  const sampling = (more: object): Question => ({
    method: "sampling/createMessage",
    params: { messages: [], maxTokens: 1, ...more },
  });
  const tools = [{ name: "a", inputSchema: { type: "object" } }];
  const cases: ReadonlyArray<readonly [string, Question, ReadonlyArray<Capability>]> = [
    ["a form", form, ["elicitation.form"]],
    ["a page", url, ["elicitation.url"]],
    ["roots", { method: "roots/list" }, ["roots"]],
    ["a message", sampling({}), ["sampling"]],
    ["a message with tools", sampling({ tools }), ["sampling", "sampling.tools"]],
    ["a message with a tool choice", sampling({ toolChoice: {} }), ["sampling", "sampling.tools"]],
    ["a message without context", sampling({ includeContext: "none" }), ["sampling"]],
    ["a message with context", sampling({ includeContext: "thisServer" }), ["sampling", "sampling.context"]],
  ];
  for (const [what, question, expected] of cases) {
    test(`B18: ${what} needs ${expected.join(", ")}`, () => assertEquals(needed(question), expected));
  }
});
