/** JSON Schemas written by hand: `Tool.jsonSchema` (2026-07-28, basic, "JSON Schema Usage"). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { JsonRecord } from "../../src/model/json.ts";
import type { ToolReply } from "../../src/model/reply.ts";
import * as Tool from "../../src/server/tool.ts";

const tool = (schema: JsonRecord) =>
  Tool.make("raw", { input: Tool.jsonSchema(schema), handler: () => Effect.succeed("") });

const textOf = (schema: JsonRecord, args: JsonRecord): string | undefined => {
  const decoded = tool(schema).decode(args);
  if (decoded._tag === "Input") return undefined;
  const [block] = (decoded.reply as ToolReply).content;
  return block?.type === "text" ? block.text : "";
};

const address = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { type: "object", properties: { street: { type: "string" } }, required: ["street"] } },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
};

test("jsonSchema: is listed word for word, and what the author does to it later does not matter", () => {
  const schema: Record<string, unknown> = structuredClone(address);
  const { descriptor } = tool(schema);
  schema["type"] = "array";
  assertEquals(JSON.stringify(descriptor["inputSchema"]), JSON.stringify(address));
});

test("jsonSchema: accepts what is valid and gives it as it came", () => {
  const args = { name: "Ada", address: { street: "Main" } };
  assertEquals<unknown>(tool(address).decode(args), { _tag: "Input", input: args });
});

test("jsonSchema: names the fields that are wrong", () => {
  const text = textOf(address, { name: 1, address: {}, more: true }) ?? "";
  assertStringIncludes(text, "Invalid arguments for tool raw");
  assertStringIncludes(text, "- name: ");
  assertStringIncludes(text, "- address: ");
  assertStringIncludes(text, "street");
  assertStringIncludes(text, "- more: ");
});

test("jsonSchema: does not echo values", () => {
  const secret = "SECRET".repeat(1_000);
  assert(!(textOf({ type: "object", properties: { a: { const: 1 } } }, { a: secret }) ?? "SECRET").includes("SECRET"));
});

test("jsonSchema: takes members of prototypes neither for missing nor for wrong ones (section 3, rule 3)", () => {
  // Of what every object inherits: on Node `__proto__` too
  for (const name of ["constructor", "toString", "__proto__"]) {
    const schema = JSON.parse(`{ "type": "object", "properties": { "${name}": { "type": "string" } } }`);
    const own = JSON.parse(`{ "${name}": "x" }`);
    const wrong = JSON.parse(`{ "${name}": 1 }`);
    assertEquals([{}, own].map((args) => textOf(schema, args)), [undefined, undefined], name);
    assertStringIncludes(textOf(schema, wrong) ?? "", `- ${name}: `);
    assertEquals(textOf({ ...schema, required: [name] }, own), undefined);
    assertStringIncludes(textOf({ ...schema, required: [name] }, {}) ?? "", `"${name}"`);
    assertStringIncludes(textOf({ type: "object", dependentRequired: { a: [name] } }, { a: 1 }) ?? "", `"${name}"`);
  }
});

describe("jsonSchema: validates by", () => {
  const cases: ReadonlyArray<readonly [string, JsonRecord, JsonRecord, JsonRecord]> = [
    ["anyOf", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }, { b: 1 }, { c: 1 }],
    ["oneOf", { oneOf: [{ required: ["a"] }, { required: ["b"] }] }, { b: 1 }, { a: 1, b: 1 }],
    ["not", { not: { required: ["a"] } }, {}, { a: 1 }],
    ["if/then/else", { if: { required: ["a"] }, then: { required: ["b"] } }, { a: 1, b: 1 }, { a: 1 }],
    ["dependentRequired", { dependentRequired: { a: ["b"] } }, {}, { a: 1 }],
    ["propertyNames", { propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
    ["prefixItems", { properties: { a: { prefixItems: [{ type: "null" }], items: false } } }, { a: [null] }, {
      a: [1],
    }],
    ["contains", { properties: { a: { contains: { const: 1 } } } }, { a: [0, 1] }, { a: [0] }],
    ["a recursive $ref", { properties: { next: { $ref: "#" } }, required: ["v"] }, { v: 1, next: { v: 2 } }, {
      v: 1,
      next: {},
    }],
    ["$anchor", { $defs: { x: { $anchor: "x", const: 1 } }, properties: { a: { $ref: "#x" } } }, { a: 1 }, { a: 2 }],
    ["an escaped pointer", { $defs: { "a/b~c": { const: 1 } }, properties: { a: { $ref: "#/$defs/a~1b~0c" } } }, {
      a: 1,
    }, { a: 2 }],
    ["unevaluatedProperties", { allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, {
      b: 1,
    }],
  ];
  for (const [name, schema, good, bad] of cases) {
    test(name, () => {
      assertEquals(textOf({ type: "object", ...schema }, good), undefined);
      assert(textOf({ type: "object", ...schema }, bad) !== undefined);
    });
  }
});

describe("jsonSchema: fails when made, naming the tool, for", () => {
  const deep = (levels: number): JsonRecord => levels === 0 ? {} : { properties: { a: deep(levels - 1) } };
  const cases: ReadonlyArray<readonly [string, JsonRecord, string]> = [
    ["another dialect", { $schema: "http://json-schema.org/draft-07/schema#" }, "2020-12"],
    ["a remote $ref", { properties: { a: { $ref: "https://example.com/x" } } }, "leads out"],
    ["a relative $ref", { properties: { a: { $ref: "other.json" } } }, "leads out"],
    ["a $ref to nowhere", { properties: { a: { $ref: "#/$defs/a" } } }, "leads nowhere"],
    ["a $ref to what a missing anchor might be called", { properties: { a: { $ref: "#undefined" } } }, "leads nowhere"],
    ["a $ref to data", { default: { a: {} }, properties: { a: { $ref: "#/default/a" } } }, "leads nowhere"],
    ["a $ref that is no string", { properties: { a: { $ref: 1 } } }, "leads out"],
    ["a $ref to itself", { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }, "back to itself"],
    ["a root that applies itself", { allOf: [{ $ref: "#" }] }, "back to itself"],
    ["$dynamicRef", { properties: { a: { $dynamicRef: "#a" } } }, "not supported"],
    ["an $id inside", { properties: { a: { $id: "https://example.com/a" } } }, "document of its own"],
    ["a malformed keyword", { required: "a" }, "malformed"],
    ["an unknown type", { properties: { a: { type: "text" } } }, "malformed"],
    ["a broken pattern", { properties: { a: { pattern: "(" } } }, "malformed"],
    ["a subschema that is none", { properties: { a: "string" } }, "no schema"],
    ["too many levels", deep(70), "64 levels"],
    [
      "too many parts",
      { properties: Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`p${n}`, {}])) },
      "10000",
    ],
  ];
  for (const [name, schema, reason] of cases) {
    test(name, () => {
      const error = assertThrows(() => tool({ type: "object", ...schema }), reason);
      assertStringIncludes(error.message, 'Cannot make tool "raw": its input cannot be published');
    });
  }

  test("an input that is no object", () => void assertThrows(() => tool({ type: "array" }), 'tool "raw"'));

  test("references that double at each step", () => {
    const $defs = Object.fromEntries(
      Array.from(
        { length: 20 },
        (_, n) => [`a${n}`, n === 0 ? {} : { allOf: Array(2).fill({ $ref: `#/$defs/a${n - 1}` }) }],
      ),
    );
    assertThrows(() => tool({ type: "object", $defs, $ref: "#/$defs/a19" }), "over 10000 subschemas");
  });
});

test("jsonSchema: checks outputs, of any JSON type", () => {
  const lists = Tool.make("lists", {
    output: Tool.jsonSchema<ReadonlyArray<number>>({ type: "array", items: { type: "number" } }),
    handler: () => Effect.succeed([1]),
  });
  assertEquals<unknown>(lists.descriptor["outputSchema"], { type: "array", items: { type: "number" } });
  assertEquals<unknown>(lists.finish(Exit.succeed([1])), {
    _tag: "Good",
    reply: { _tag: "Tool", content: [{ type: "text", text: "[1]" }], structured: { value: [1] }, isError: false },
  });
  assertEquals(lists.finish(Exit.succeed(["a"]))._tag, "Bad");
});

describe("jsonSchema: does not take for ever", () => {
  const tooMuch = "Invalid arguments for tool raw:\n- the value is nested too deeply, or takes too long to check";
  const recursive = (node: JsonRecord): JsonRecord => ({
    type: "object",
    properties: { node: { $ref: "#/$defs/node" } },
    $defs: { node },
  });
  const nested = (depth: number, wrap: (inner: unknown) => unknown, leaf: unknown): unknown =>
    depth === 0 ? leaf : wrap(nested(depth - 1, wrap, leaf));

  const args = { type: "array", items: { $ref: "#/$defs/node" } };
  const branch = (op: string) => ({ type: "object", properties: { args, op: { const: op } }, required: ["op"] });
  const filter = recursive({
    oneOf: [branch("and"), branch("or"), {
      type: "object",
      properties: { field: { type: "string" } },
      required: ["field"],
    }],
  });
  const filtered = (depth: number, leaf: unknown = { field: "x" }) => ({
    node: nested(depth, (inner) => ({ op: "or", args: [inner] }), leaf),
  });

  test("alternatives that refer to themselves are tried again for each other, up to a bound", () => {
    assertEquals(textOf(filter, filtered(8)), undefined);
    for (const depth of [30, 60]) assertEquals(textOf(filter, filtered(depth)), tooMuch);
  });

  test("what is wrong is named where the bound allows it", () => {
    assertStringIncludes(textOf(filter, filtered(3, { field: 1 })) ?? "", "field");
    assertEquals(textOf(filter, filtered(60, { field: 1 })), tooMuch);
  });

  test("references that fan out, though none leads back to itself, are counted too", () => {
    const level = (next: string) => ({ anyOf: [1, 2].map(() => ({ properties: { a: { $ref: `#/$defs/${next}` } } })) });
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`l${i}`, i === 59 ? { type: "string" } : level(`l${i + 1}`)]),
    );
    const value = (leaf: unknown) => nested(59, (a) => ({ a }), leaf) as JsonRecord;
    assertEquals(textOf({ type: "object", $ref: "#/$defs/l0", $defs }, value(1)), tooMuch);
    // The first alternative that holds is enough
    assertEquals(textOf({ type: "object", $ref: "#/$defs/l0", $defs }, value("x")), undefined);
  });

  test("a value too deep for the stack is refused as one that is not valid, and no defect", () => {
    // The stacks of some runtimes are eight times as deep as those of others: each level of the value takes many steps
    const steps = (count: number, to: JsonRecord): JsonRecord => count === 0 ? to : { allOf: [steps(count - 1, to)] };
    const list = (count: number) =>
      recursive({ type: ["object", "null"], properties: { next: steps(count, { $ref: "#/$defs/node" }) } });
    const depth = (levels: number) => ({ node: nested(levels, (next) => ({ next }), null) });
    assertEquals(textOf(list(0), depth(50)), undefined);
    assertEquals(textOf(list(40), depth(990)), tooMuch);
  });

  test("large values are no deep ones", () => {
    const tree = recursive({ type: "object", properties: { args, name: { type: "string" } }, required: ["name"] });
    const leaves = Array.from({ length: 50_000 }, (_, i) => ({ name: `leaf ${i}`, args: [] }));
    assertEquals(textOf(tree, { node: { name: "root", args: leaves } }), undefined);
    assertEquals(
      textOf(filter, { node: { op: "and", args: Array.from({ length: 50_000 }, () => ({ field: "x" })) } }),
      undefined,
    );
  });
});
