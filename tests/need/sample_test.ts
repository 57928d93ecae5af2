/** `Need.sample` and `Need.roots` (2026-07-28, client/sampling and client/roots; cases B13, B33). */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as Need from "../../src/need/mod.ts";
import { specOf } from "../../src/need/need.ts";
import { answer, reason } from "./help.ts";

const text = { type: "text", text: "hi" } as const;
const image = { type: "image", data: "AA==", mimeType: "image/png" } as const;
const use = (id: string): Need.SamplingContent => ({ type: "tool_use", id, name: "weather", input: {} });
const result = (toolUseId: string): Need.SamplingContent => ({ type: "tool_result", toolUseId, content: [text] });
const user = (...content: ReadonlyArray<Need.SamplingContent>): Need.SamplingMessage => ({ role: "user", content });
const assistant = (...content: ReadonlyArray<Need.SamplingContent>): Need.SamplingMessage => ({
  role: "assistant",
  content,
});
const tool: Need.SamplingTool = { name: "weather", inputSchema: { type: "object" } };

const build = (more: object): unknown =>
  Need.sample("poem", { messages: [user(text)], maxTokens: 10, ...more } as Need.SamplingParams);

describe("sample: what is asked", () => {
  test("sends the parameters as they are", () => {
    const params: Need.SamplingParams = {
      messages: [{ role: "user", content: text }],
      maxTokens: 10,
      systemPrompt: "Be brief",
      includeContext: "none",
      temperature: 0,
      modelPreferences: { hints: [{ name: "claude" }], costPriority: 0, speedPriority: 1 },
      tools: [tool],
      toolChoice: { mode: "auto" },
    };
    const need = Need.sample("poem", params);
    assertEquals(need.request, { method: "sampling/createMessage", params });
    assertEquals(need.kind, "sampling");
    assertEquals(specOf(need).volunteer, false);
    assertEquals(specOf(Need.sample("x", { ...params })).identity(), specOf(need).identity());
  });

  const good: ReadonlyArray<readonly [string, ReadonlyArray<Need.SamplingMessage>]> = [
    ["one block that is no list", [{ role: "user", content: text }]],
    ["blocks of several kinds", [user(text, image)]],
    ["a tool use and its result", [user(text), assistant(use("1")), user(result("1"))]],
    ["a tool use beside a text", [user(text), assistant(text, use("1")), { role: "user", content: result("1") }]],
    ["two tool uses, answered in any order", [
      assistant(use("1"), use("2")),
      user(result("2"), result("1")),
      assistant(text),
    ]],
    ["the same id again, later", [
      assistant(use("1")),
      user(result("1")),
      assistant(use("1")),
      user(result("1")),
    ]],
  ];
  for (const [what, messages] of good) test(`takes ${what}`, () => void build({ messages }));

  const bad: ReadonlyArray<readonly [string, ReadonlyArray<unknown>, string]> = [
    ["tool results mixed with text", [assistant(use("1")), user(text, result("1"))], "message 2 mixes tool results"],
    [
      "a tool use without a result",
      [assistant(use("1"), use("2")), user(result("1"))],
      `does not answer the tool use "2"`,
    ],
    [
      "a tool use followed by something else",
      [assistant(use("1")), user(text)],
      `message 2 does not answer the tool use "1"`,
    ],
    [
      "a tool use followed by the assistant",
      [assistant(use("1")), assistant(text)],
      `does not answer the tool use "1"`,
    ],
    ["a tool use at the end", [user(text), assistant(use("1"))], `no message answers the tool use "1"`],
    ["a result of nothing", [user(result("1"))], `message 1 answers the tool use "1"`],
    ["a result of another", [assistant(use("1")), user(result("1"), result("2"))], `answers the tool use "2"`],
    ["a result that comes too late", [assistant(use("1")), user(result("1")), user(result("1"))], `message 3 answers`],
    ["a tool use of the user", [user(use("1"))], "message 1 uses a tool, which only the assistant may"],
    ["a tool result of the assistant", [assistant(result("1"))], "has a tool result, which only the user may give"],
    ["a tool use twice", [assistant(use("1"), use("1")), user(result("1"))], `has the tool use "1" twice`],
    ["a tool result twice", [assistant(use("1")), user(result("1"), result("1"))], `has the tool use "1" twice`],
    ["a role that does not exist", [{ role: "system", content: text }], `has the role "system"`],
    ["content of no kind", [{ role: "user", content: { type: "video" } }], "message 1 has malformed content"],
    ["content without its text", [{ role: "user", content: [{ type: "text" }] }], "message 1 has malformed content"],
  ];
  for (const [what, messages, why] of bad) {
    test(`refuses ${what}`, () => {
      const { message } = assertThrows(() => build({ messages }));
      assertStringIncludes(message, `Cannot build sample "poem": `);
      assertStringIncludes(message, why);
    });
  }

  const params: ReadonlyArray<readonly [object, string]> = [
    [{ maxTokens: 0 }, "maxTokens is not a positive whole number"],
    [{ maxTokens: 1.5 }, "maxTokens is not a positive whole number"],
    [{ maxTokens: Infinity }, "maxTokens is not a positive whole number"],
    [{ temperature: NaN }, "temperature is not a number"],
    [{ modelPreferences: { costPriority: 1.1 } }, "a priority is not between 0 and 1"],
    [{ includeContext: "everything" }, `includeContext is "everything"`],
    [{ toolChoice: { mode: "auto" } }, "toolChoice is given without tools"],
    [{ toolChoice: {}, tools: [] }, "toolChoice is given without tools"],
    [{ toolChoice: { mode: "any" }, tools: [tool] }, `toolChoice has the mode "any"`],
    [{ tools: [tool, tool] }, `the tool "weather" is given twice`],
    [{ tools: [{ ...tool, name: "" }] }, "a tool has no name"],
    [{ tools: [{ name: "x" }] }, `the inputSchema of the tool "x"`],
    [{ metadata: { at: new Date(0) } }, `"metadata.at" is no JSON`],
    [{ messages: [{ ...user(text), _meta: { at: new Date(0) } }] }, `"messages[0]._meta.at" is no JSON`],
  ];
  for (const [more, why] of params) {
    test(`refuses ${JSON.stringify(more)}`, () => {
      assertThrows(() => build(more), `Cannot build sample "poem": ${why}`);
    });
  }
});

describe("sample: answers", () => {
  const { read } = specOf(Need.sample("poem", { messages: [user(text)], maxTokens: 1 }));
  const base = { role: "assistant", model: "m" };

  test("B33: content is always a list", () => {
    assertEquals(answer(read({ ...base, content: text })), { ...base, content: [text] });
    assertEquals(answer(read({ ...base, content: [text, image] })), { ...base, content: [text, image] });
    assertEquals(answer(read({ ...base, content: [] })), { ...base, content: [] });
  });

  test("B33: takes two tool uses, each with its id", () => {
    const content = [use("1"), use("2")];
    assertEquals(answer(read({ ...base, stopReason: "toolUse", content })), {
      ...base,
      stopReason: "toolUse",
      content,
    });
  });

  test("takes all kinds of blocks, with what else they carry", () => {
    const meta = { annotations: { priority: 1 }, _meta: { a: 1 }, vendor: true };
    const blocks = [
      { ...text, ...meta },
      { ...image, ...meta },
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
      {
        type: "tool_result",
        toolUseId: "1",
        isError: true,
        structuredContent: null,
        content: [
          text,
          { type: "resource_link", uri: "a://b", name: "b" },
          { type: "resource", resource: { uri: "a://b", text: "" } },
          { type: "resource", resource: { uri: "a://b", blob: "AA==" } },
        ],
      },
    ];
    assertEquals((answer(read({ ...base, content: blocks })) as { content: unknown }).content, blocks);
  });

  test("B13: ignores members that it does not know, resultType included", () => {
    assertEquals(answer(read({ ...base, content: text, resultType: "complete", extra: 1 })), {
      ...base,
      content: [text],
    });
  });

  test("what a model says is the assistant's, whatever the client calls it", () => {
    assertEquals((answer(read({ ...base, role: "user", content: text })) as { role: string }).role, "assistant");
  });

  const bad: ReadonlyArray<readonly [unknown, string]> = [
    [1, "it is not an object"],
    [[], "it is not an object"],
    [null, "it is not an object"],
    [{}, "its role"],
    [{ action: "accept" }, "its role"],
    [{ ...base, role: "system", content: text }, "its role"],
    [{ role: "assistant", content: text }, "its model is not a text"],
    [{ ...base, model: 1, content: text }, "its model is not a text"],
    [{ ...base, stopReason: null, content: text }, "its stopReason is not a text"],
    [base, "its content is malformed"],
    [{ ...base, content: {} }, "its content is malformed"],
    [{ ...base, content: "hi" }, "its content is malformed"],
    [{ ...base, content: [text, {}] }, "its content is malformed"],
    [{ ...base, content: { type: "text" } }, "its content is malformed"],
    [{ ...base, content: { type: "toString" } }, "its content is malformed"],
    [{ ...base, content: Object.create(text) }, "its content is malformed"],
    [{ ...base, content: { type: "image", data: "AA==" } }, "its content is malformed"],
    [{ ...base, content: { ...text, annotations: "x" } }, "its content is malformed"],
    [{ ...base, content: { type: "tool_use", id: "1", name: "x", input: [] } }, "its content is malformed"],
    [{ ...base, content: { type: "tool_result", toolUseId: "1", content: "x" } }, "its content is malformed"],
    [{ ...base, content: { type: "tool_result", toolUseId: "1", content: [use("1")] } }, "its content is malformed"],
    [
      {
        ...base,
        content: { type: "tool_result", toolUseId: "1", content: [{ type: "resource", resource: { uri: "a:b" } }] },
      },
      "its content is malformed",
    ],
    [{ ...base, content: { type: "resource_link", uri: "a://b", name: "b" } }, "its content is malformed"],
  ];
  for (const [raw, why] of bad) {
    test(`B13: refuses ${JSON.stringify(raw)}`, () => assertStringIncludes(reason(read(raw)), why));
  }
});

describe("roots", () => {
  const need = Need.roots();
  const { read, volunteer } = specOf(need);

  test("asks without parameters, by the key roots", () => {
    assertEquals(need.request, { method: "roots/list" });
    assertEquals([need.key, need.kind, volunteer], ["roots", "roots", false]);
    assertEquals(Need.roots("other").key, "other");
  });

  test("B13: gives uri and name, and nothing else", () => {
    assertEquals(answer(read({ roots: [], resultType: "complete", x: 1 })), []);
    assertEquals(
      answer(read({ roots: [{ uri: "file:///a", name: "A", _meta: {}, x: 1 }, { uri: "FILE:///C:/b" }] })),
      [{ uri: "file:///a", name: "A" }, { uri: "FILE:///C:/b" }],
    );
  });

  const bad: ReadonlyArray<unknown> = [
    1,
    "x",
    null,
    [],
    {},
    { action: "accept" },
    { roots: {} },
    { roots: null },
    { roots: "file:///a" },
    { roots: [null] },
    { roots: [[]] },
    { roots: [{}] },
    { roots: [{ uri: 1 }] },
    { roots: [{ uri: "https://a.example" }] },
    { roots: [{ uri: "/etc" }] },
    { roots: [{ uri: "file:///a", name: 1 }] },
    { roots: [{ uri: "file:///a" }, {}] },
    Object.create({ roots: [] }),
  ];
  for (const raw of bad) test(`B13: refuses ${JSON.stringify(raw)}`, () => assertEquals(read(raw)._tag, "Invalid"));
});
