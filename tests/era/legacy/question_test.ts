import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Legacy from "../../../src/era/legacy.ts";
import type { ContentBlock, SamplingContent } from "../../../src/model/content.ts";
import type { Question } from "../../../src/model/question.ts";
import { fields, type Name, revisions } from "./fields.ts";
import { blocks, form, multipleFields, plainFields, roots, sample, url } from "./fixtures.ts";
import { faults } from "./schema.ts";

const revision = (name: Name): Legacy.Revision => Legacy.findRevision(name)!;
const reason = (name: Name, question: Question): string | undefined => Legacy.canSay(revision(name), question);
const sayable = (question: Question): ReadonlyArray<string> =>
  revisions.filter((name) => reason(name, question) === undefined);

const definitions = {
  "elicitation/create": "ElicitRequest",
  "sampling/createMessage": "CreateMessageRequest",
  "roots/list": "ListRootsRequest",
};

/** The params of a request that is valid by the revision's schema. */
const asked = (name: Name, question: Question) => {
  assertEquals(reason(name, question), undefined);
  const message = JSON.parse(Legacy.ask(revision(name), 1, question));
  assertEquals(faults(name, "JSONRPCRequest", message), []);
  assertEquals(faults(name, definitions[question.method], message), [], name);
  return message.params;
};

const text: SamplingContent = { type: "text", text: "t" };
const toolUse: SamplingContent = { type: "tool_use", id: "1", name: "n", input: {} };

describe("canSay", () => {
  test("canSay: knows since when each question can be put (design, section 8)", () => {
    const since = (first: Name): ReadonlyArray<Name> => revisions.slice(0, revisions.indexOf(first) + 1);
    const message = (content: SamplingContent | ReadonlyArray<SamplingContent>) =>
      sample({ messages: [{ role: "user", content }] });
    assertEquals(sayable(roots), since("2024-11-05"));
    assertEquals(sayable(sample()), since("2024-11-05"));
    assertEquals(sayable(sample({ includeContext: "thisServer" })), since("2024-11-05"));
    assertEquals(sayable(message(blocks.audio as SamplingContent)), since("2025-03-26"));
    assertEquals(sayable(form(plainFields)), since("2025-06-18"));
    assertEquals(sayable(form({})), since("2025-06-18"));
    assertEquals(sayable(form(multipleFields)), since("2025-11-25"));
    assertEquals(sayable(url), since("2025-11-25"));
    assertEquals(sayable(message([text, text])), since("2025-11-25"));
    assertEquals(sayable(message([text])), since("2024-11-05"));
    assertEquals(sayable(message([])), since("2025-11-25"));
    assertEquals(sayable(message(toolUse)), since("2025-11-25"));
    assertEquals(sayable(sample({ tools: [] })), since("2025-11-25"));
    assertEquals(sayable(sample({ toolChoice: { mode: "none" } })), since("2025-11-25"));
  });

  test("canSay: gives a reason that names the revision, and what it lacks", () => {
    assertEquals(reason("2025-03-26", form({})), "Protocol revision 2025-03-26 has no elicitation");
    assertEquals(reason("2025-06-18", url), "Protocol revision 2025-06-18 has no elicitation by URL");
    assertStringIncludes(reason("2025-06-18", form(multipleFields))!, 'has no multiple choice, which "several" is');
    assertEquals(reason("2025-06-18", sample({ tools: [] })), "Protocol revision 2025-06-18 has no tools in sampling");
  });
});

describe("ask", () => {
  test("ask: writes forms with the fields of the newest revision as they are, and without a mode", () => {
    const question = form({ ...plainFields, ...multipleFields });
    assertEquals(asked("2025-11-25", question), question.params);
  });

  test("ask: writes titled choices as enum and enumNames, and no defaults but of booleans, on 2025-06-18", () => {
    const { $schema, ...schema } = asked("2025-06-18", form(plainFields)).requestedSchema;
    assertEquals($schema, undefined);
    assertEquals(schema, {
      type: "object",
      properties: {
        text: { type: "string", title: "T", description: "d", minLength: 1, maxLength: 2, format: "email" },
        number: { type: "number", title: "N", minimum: 0, maximum: 1 },
        integer: { type: "integer", minimum: 0 },
        flag: { type: "boolean", title: "B", description: "d", default: false },
        plain: { type: "string", enum: ["a", "b"] },
        titled: { type: "string", title: "C", enum: ["a", "b"], enumNames: ["A", "B"] },
      },
      required: [],
    });
  });

  test("ask: writes an empty form (B26)", () => {
    for (const name of ["2025-11-25", "2025-06-18"] as const) {
      assertEquals(asked(name, form({})).requestedSchema.properties, {});
    }
  });

  test("ask: gives a page its elicitationId, which 2025-11-25 demands (B19)", () => {
    assertEquals(asked("2025-11-25", url), {
      mode: "url",
      message: "m",
      url: "https://example.com/connect",
      elicitationId: "interaction-1",
    });
  });

  test("ask: writes questions to models as each revision has them", () => {
    for (const name of revisions) {
      const { messages: [message], ...params } = asked(name, sample());
      const { messages: _, ...expected } = sample().params;
      assertEquals(params, { ...expected });
      assertEquals(Object.keys(message).sort(), fields["SamplingMessage"]![name]);
      assertEquals(Object.keys(message.content).sort(), fields["TextContent"]![name]);
    }
  });

  test("ask: writes a single block of several as it is, where there are several", () => {
    const question = sample({ messages: [{ role: "user", content: [text] }] });
    assertEquals(asked("2025-11-25", question).messages[0].content, [text]);
    assertEquals(asked("2025-06-18", question).messages[0].content, text);
  });

  test("ask: writes tools, their uses and their results", () => {
    const content: ReadonlyArray<ContentBlock> = [blocks.resource_link];
    const result: SamplingContent = { type: "tool_result", toolUseId: "1", content, structuredContent: 1 };
    const question = sample({
      messages: [
        { role: "assistant", content: [toolUse] },
        { role: "user", content: [result, { ...result, structuredContent: { a: 1 }, isError: true }] },
      ],
      tools: [{ name: "n", inputSchema: { type: "object" }, strange: 1 }],
      toolChoice: { mode: "auto" },
    });
    const { messages, toolChoice, tools } = asked("2025-11-25", question);
    assertEquals([tools, toolChoice], [[{ name: "n", inputSchema: { type: "object" } }], { mode: "auto" }]);
    assertEquals(messages[0].content, [toolUse]);
    // A structured result is an object before 2026-07-28
    assertEquals("structuredContent" in messages[1].content[0], false);
    assertEquals(messages[1].content[1], { ...result, structuredContent: { a: 1 }, isError: true });
  });

  test("ask: asks for roots without params", () => {
    for (const name of revisions) assert(asked(name, roots) === undefined);
  });
});
