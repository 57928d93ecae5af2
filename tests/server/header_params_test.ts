/** Parameters in headers: the rules of the spec (2026-07-28, server/tools, "x-mcp-header"), enforced when made. */
import { describe, test } from "node:test";
import { assertEquals, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { JsonRecord } from "../../src/model/json.ts";
import * as Tool from "../../src/server/tool.ts";

const handler = () => Effect.succeed("");

const raw = (schema: JsonRecord) => Tool.make("t", { input: Tool.jsonSchema({ type: "object", ...schema }), handler });

const marked = (name: unknown, type: unknown = "string"): JsonRecord => ({ type, "x-mcp-header": name });

test("header: marks fields of an Effect Schema, at any depth of structs, optional and transformed ones too", () => {
  const tool = Tool.make("t", {
    input: Schema.Struct({
      region: Schema.String.pipe(Tool.header("Region")),
      deep: Schema.Struct({ shard: Schema.Int.pipe(Tool.header("Shard")) }),
      dry: Schema.optional(Schema.Boolean.pipe(Tool.header("Dry-Run"))),
      tier: Schema.FiniteFromString.pipe(Tool.header("Tier")),
      kind: Schema.optionalKey(Schema.Literals(["a", "b"])).pipe(Tool.header("Kind")),
      plain: Schema.String,
    }),
    handler,
  });
  assertEquals(tool.headers, [
    { path: ["region"], name: "Region", type: "string" },
    { path: ["deep", "shard"], name: "Shard", type: "integer" },
    { path: ["dry"], name: "Dry-Run", type: "boolean" },
    { path: ["tier"], name: "Tier", type: "string" },
    { path: ["kind"], name: "Kind", type: "string" },
  ]);
  const { properties } = tool.descriptor["inputSchema"] as { readonly properties: JsonRecord };
  assertEquals<unknown>(properties["region"], { type: "string", "x-mcp-header": "Region" });
});

test("headers: are read from JSON Schemas, where a property or data of that name is none", () => {
  const tool = raw({
    properties: {
      region: marked("Region"),
      "x-mcp-header": { type: "number", default: { "x-mcp-header": "No" }, enum: [{ "x-mcp-header": "No" }] },
    },
  });
  assertEquals(tool.headers, [{ path: ["region"], name: "Region", type: "string" }]);
});

describe("make: refuses the tool with", () => {
  const cases: ReadonlyArray<readonly [string, JsonRecord, string]> = [
    ["an empty name", { properties: { a: marked("") } }, "no token"],
    ["a space", { properties: { a: marked("My Region") } }, "no token"],
    ["a colon", { properties: { a: marked("Region:") } }, "no token"],
    ["a line feed", { properties: { a: marked("Region\n") } }, "no token"],
    ["a character outside of ASCII", { properties: { a: marked("Région") } }, "no token"],
    ["a name that is no string", { properties: { a: marked(1) } }, "no token"],
    ["the same name in another case", { properties: { a: marked("Region"), b: marked("REGION") } }, "twice"],
    ["a number", { properties: { a: marked("A", "number") } }, "no string, integer or boolean"],
    ["an object", { properties: { a: marked("A", "object") } }, "no string, integer or boolean"],
    ["several types", { properties: { a: marked("A", ["string", "null"]) } }, "no string, integer or boolean"],
    ["no type", { properties: { a: { "x-mcp-header": "A" } } }, "no string, integer or boolean"],
    ["a mark on the root", { "x-mcp-header": "A" }, "named properties"],
    ["a mark in items", { properties: { a: { type: "array", items: marked("A") } } }, "named properties"],
    ["a mark in anyOf", { anyOf: [{ properties: { a: marked("A") } }] }, "named properties"],
    ["a mark in if", { if: { properties: { a: marked("A") } } }, "named properties"],
    ["a mark in $defs", { $defs: { a: { properties: { a: marked("A") } } } }, "named properties"],
    ["a mark in additionalProperties", { additionalProperties: marked("A") }, "named properties"],
    ["a mark in patternProperties", { patternProperties: { a: marked("A") } }, "named properties"],
  ];
  for (const [name, schema, reason] of cases) {
    test(name, () => {
      assertThrows(() => raw(schema), reason);
      assertThrows(() => raw(schema), 'Cannot make tool "t"');
    });
  }

  test("a mark on an element or an alternative of an Effect Schema", () => {
    const text = Schema.String.pipe(Tool.header("A"));
    for (const field of [Schema.Array(text), Schema.NullOr(text)]) {
      assertThrows(() => Tool.make("t", { input: Schema.Struct({ a: field }), handler }), "named properties");
    }
    const number = Schema.Finite.pipe(Tool.header("A"));
    assertThrows(() => Tool.make("t", { input: Schema.Struct({ a: number }), handler }), "no string, integer");
  });
});
