/** Builders: what goes over the wire, and what is refused before anybody is asked (2026-07-28, basic/patterns/mrtr). */
import { describe, test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import * as Schema from "effect/Schema";
import { Manual } from "@needful/mcp";
import type { Returned } from "../../src/need/manual.ts";

const message = "Who are you?";
const properties = { name: { type: "string" } } as const;

/** What a client gets. */
const wire = (request: unknown): unknown => JSON.parse(JSON.stringify(request));

/** Why a value cannot be returned; undefined if it can. */
const problem = (options: unknown): string | undefined =>
  (Manual.inputRequired(options as Manual.InputRequiredOptions) as unknown as Returned).problem;

describe("builders", () => {
  test("elicit: is a form of the protocol, without a mode", () => {
    const expected = {
      method: "elicitation/create",
      params: { message, requestedSchema: { type: "object", properties, required: ["name"] } },
    };
    assertEquals(wire(Manual.elicit({ message, schema: Schema.Struct({ name: Schema.String }) })), expected);
    const literal = { type: "object", properties, required: ["name"] } as const;
    assertEquals(wire(Manual.elicit({ message, schema: literal })), expected);
  });

  test("elicitUrl: is a page of the protocol, without an id of its own", () => {
    for (const url of ["https://shop.example/pay?i=1", new URL("https://shop.example/pay?i=1")]) {
      assertEquals(wire(Manual.elicitUrl({ message, url })), {
        method: "elicitation/create",
        params: { mode: "url", message, url: "https://shop.example/pay?i=1" },
      });
    }
  });

  test("createMessage and listRoots: are requests of the protocol", () => {
    const params = { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 5 } as const;
    assertEquals(wire(Manual.createMessage(params)), { method: "sampling/createMessage", params });
    assertEquals(wire(Manual.listRoots()), { method: "roots/list" });
  });

  test("elicit: refuses what forms cannot say, naming the field", () => {
    const nested = Schema.Struct({ address: Schema.Struct({ city: Schema.String }) });
    assertThrows(() => Manual.elicit({ message, schema: nested }), 'Cannot build form: field "address"');
    const literal = { type: "object", properties: { a: { type: "object" } } } as unknown as Manual.FormSchema;
    assertThrows(() => Manual.elicit({ message, schema: literal }), 'field "a" is an object');
  });

  test("elicitUrl: refuses other schemes and credentials", () => {
    for (const url of ["javascript:alert(1)", "/pay", "ftp://shop.example", "https://a:b@shop.example"]) {
      assertThrows(() => Manual.elicitUrl({ message, url }), "Cannot build URL elicitation");
    }
  });

  test("builders: refuse at once what has no message, and what is none", () => {
    const schema = { type: "object", properties } as const;
    for (const no of [undefined, null, 5, ["?"]]) {
      const message = no as unknown as string;
      assertThrows(() => Manual.elicit({ message, schema }), "Cannot build form: its message is not a text");
      assertThrows(
        () => Manual.elicitUrl({ message, url: "https://shop.example" }),
        "Cannot build URL elicitation: its message is not a text",
      );
    }
    const wrong: ReadonlyArray<readonly [unknown, string]> = [
      [{ messages: "Hi", maxTokens: 1 }, "messages is not a list"],
      [{ maxTokens: 1 }, "messages is not a list"],
      [{ messages: [null], maxTokens: 1 }, "message 1 is not an object"],
      [{ messages: ["Hi"], maxTokens: 1 }, "message 1 is not an object"],
      [{ messages: [], maxTokens: 1, tools: "t" }, "tools is not a list"],
      [{ messages: [], maxTokens: 1, tools: [null] }, "a tool has no name"],
    ];
    for (const [params, why] of wrong) {
      assertThrows(
        () => Manual.createMessage(params as Manual.SamplingParams),
        `Cannot build message request: ${why}`,
      );
    }
  });

  test("createMessage: refuses what breaks the rules of sampling", () => {
    assertThrows(
      () => Manual.createMessage({ messages: [], maxTokens: 0 }),
      "Cannot build message request: maxTokens is not a positive whole number",
    );
    const result = { type: "tool_result", toolUseId: "1", content: [] } as const;
    assertThrows(
      () => Manual.createMessage({ messages: [{ role: "user", content: result }], maxTokens: 1 }),
    );
  });
});

describe("inputRequired", () => {
  const form = Manual.elicit({ message, schema: { type: "object", properties } });

  test("inputRequired: takes requests, a state, or both; undefined requests are none", () => {
    for (
      const options of [
        { inputRequests: { a: form } },
        { inputRequests: { a: form, b: undefined } },
        { requestState: "" },
        { requestState: "s" },
        { inputRequests: {}, requestState: "s" },
        { inputRequests: { a: form }, requestState: "s" },
      ]
    ) assertEquals(problem(options), undefined, JSON.stringify(options));
  });

  test("inputRequired: neither requests nor a state (server requirement 6)", () => {
    const expected = "Cannot return inputRequired: it has neither requests nor a state";
    for (const options of [{}, { inputRequests: {} }, { inputRequests: { a: undefined } }]) {
      assertEquals(problem(options), expected);
    }
  });

  test("inputRequired: a state that is no text, or too long", () => {
    for (const requestState of [1, null, {}, ["s"]]) {
      assertEquals(problem({ requestState }), "Cannot return inputRequired: its requestState is not a text");
    }
    assertEquals(problem({ requestState: "x".repeat(65_536) }), undefined);
    assertEquals(
      problem({ requestState: "x".repeat(65_537) }),
      "Cannot return inputRequired: its requestState has 65537 characters, more than 65536",
    );
  });

  test("inputRequired: takes requests in the protocol's own words, and no others (server requirement 2)", () => {
    const schema = { type: "object", properties };
    const written = (method: unknown, params?: unknown) => ({ inputRequests: { a: { method, params } } });
    const good = [
      written("elicitation/create", { message, requestedSchema: schema }),
      written("elicitation/create", { message, mode: "form", requestedSchema: schema }),
      written("elicitation/create", { message, mode: "url", url: "https://shop.example" }),
      written("sampling/createMessage", { messages: [], maxTokens: 1 }),
      written("roots/list"),
    ];
    for (const options of good) assertEquals(problem(options), undefined, JSON.stringify(options));

    const says = (options: unknown): string =>
      problem(options)?.replace('Cannot return inputRequired: "a": ', "") ?? "";
    const none = "which is none of elicitation/create, sampling/createMessage and roots/list";
    assertEquals(says(written("tools/call", {})), `has the method "tools/call", ${none}`);
    assertEquals(says(written(undefined)), `has the method undefined, ${none}`);
    for (const value of [1, "x", null, []]) assertEquals(says({ inputRequests: { a: value } }), "is no request");
    assertEquals(
      says(written("elicitation/create", { message, mode: "voice", requestedSchema: schema })),
      'has the mode "voice", which is neither form nor url',
    );
    assertEquals(says(written("elicitation/create", { requestedSchema: schema })), "has no message");
    const nested = { type: "object", properties: { b: { type: "object" } } };
    assertEquals(
      says(written("elicitation/create", { message, requestedSchema: nested })),
      'Cannot build form: field "b" is an object',
    );
    assertEquals(
      says(written("sampling/createMessage", { messages: [] })),
      "Cannot build message request: maxTokens is not a positive whole number",
    );
  });

  test("inputRequired: what is no object has neither requests nor a state", () => {
    const not = (what: string) => `Cannot return inputRequired: ${what}`;
    for (const options of [undefined, null, 1, "s", [form]]) assertEquals(problem(options), not("it is not an object"));
    for (const inputRequests of [null, 5, "ab", [form], () => form]) {
      assertEquals(problem({ inputRequests }), not("its inputRequests is not an object"));
      assertEquals(problem({ inputRequests, requestState: "s" }), not("its inputRequests is not an object"));
    }
    assertEquals(problem(Object.freeze({ inputRequests: Object.freeze({ a: Object.freeze(form) }) })), undefined);
    assertEquals(problem({ inputRequests: undefined, requestState: "s" }), undefined);
    assertEquals(problem({ inputRequests: { a: form }, requestState: undefined }), undefined);
  });

  test("inputRequired: keys are texts of 1 to 256 characters, of any name", () => {
    const under = (key: string) => problem({ inputRequests: Object.fromEntries([[key, form]]) });
    for (const key of ["a", "__proto__", "constructor", "1", "x".repeat(256)]) assertEquals(under(key), undefined, key);
    assertEquals(under(""), 'Cannot return inputRequired: "": Cannot build form: its key is empty');
    assertEquals(under("x".repeat(257))?.includes("257 characters"), true);
  });

  test("isInputRequired: knows what inputRequired gives, and nothing else", () => {
    assertEquals(Manual.isInputRequired(Manual.inputRequired({ requestState: "s" })), true);
    for (const value of [{ resultType: "input_required", requestState: "s" }, "s", undefined, null]) {
      assertEquals(Manual.isInputRequired(value), false);
    }
  });
});
