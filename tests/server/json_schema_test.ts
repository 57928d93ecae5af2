/** Published inputs of Effect Schemas, shape by shape (case B69). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import { isRecord } from "../../src/model/json.ts";
import * as Tool from "../../src/server/tool.ts";

const tool = (input: Schema.Top) =>
  Tool.make("t", { input: input as unknown as Schema.Codec<unknown>, handler: () => Effect.succeed("") });

const published = (input: Schema.Top): unknown => tool(input).descriptor["inputSchema"];

/** The published form of one field. */
const field = (schema: Schema.Top): unknown => {
  const json = published(Schema.Struct({ a: schema }));
  return isRecord(json) && isRecord(json["properties"]) ? json["properties"]["a"] : undefined;
};

class Point extends Schema.Class<Point>("Point")({ x: Schema.Finite, y: Schema.optionalKey(Schema.Finite) }) {}

interface Tree {
  readonly value: string;
  readonly children: ReadonlyArray<Tree>;
}

const Tree: Schema.Codec<Tree> = Schema.Struct({
  value: Schema.String,
  children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree)),
}).annotate({ identifier: "Tree" });

const tree = {
  type: "object",
  properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
  required: ["value", "children"],
};

describe("inputSchema: is an object at its root for", () => {
  const cases: ReadonlyArray<readonly [string, Schema.Top, unknown]> = [
    ["a struct", Schema.Struct({ a: Schema.String, b: Schema.optionalKey(Schema.Finite) }), {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "number" } },
      required: ["a"],
    }],
    ["an empty struct", Schema.Struct({}), { type: "object", properties: {} }],
    ["a union", Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.Finite })]), {
      type: "object",
      anyOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { type: "object", properties: { b: { type: "number" } }, required: ["b"] },
      ],
    }],
    [
      "a tagged union",
      Schema.Union([Schema.TaggedStruct("A", { n: Schema.Int }), Schema.TaggedStruct("B", {})]),
      {
        type: "object",
        anyOf: [
          {
            type: "object",
            properties: { _tag: { type: "string", const: "A" }, n: { type: "integer" } },
            required: ["_tag", "n"],
          },
          { type: "object", properties: { _tag: { type: "string", const: "B" } }, required: ["_tag"] },
        ],
      },
    ],
    [
      "an intersection",
      Schema.Struct({ ...Schema.Struct({ a: Schema.String }).fields, ...Schema.Struct({ b: Schema.Boolean }).fields }),
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "boolean" } },
        required: ["a", "b"],
      },
    ],
    ["a record", Schema.Record(Schema.String, Schema.Finite), {
      type: "object",
      additionalProperties: { type: "number" },
    }],
    ["a record by patterns", Schema.Record(Schema.TemplateLiteral(["x-", Schema.String]), Schema.Finite), {
      type: "object",
      patternProperties: { "^x-[\\s\\S]*?$": { type: "number" } },
    }],
    [
      "a struct with a rest",
      Schema.StructWithRest(Schema.Struct({ a: Schema.String }), [Schema.Record(Schema.String, Schema.Unknown)]),
      {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        allOf: [{ additionalProperties: {} }],
      },
    ],
    ["a recursive type", Tree, { ...tree, $defs: { Tree: tree } }],
    ["a class", Point, {
      type: "object",
      properties: { x: { type: "number" }, y: { type: "number" } },
      required: ["x"],
    }],
    ["renamed keys", Schema.Struct({ a: Schema.String }).pipe(Schema.encodeKeys({ a: "wire" })), {
      type: "object",
      properties: { wire: { type: "string" } },
      required: ["wire"],
    }],
  ];
  for (const [name, schema, expected] of cases) test(name, () => assertEquals(published(schema), expected));
});

describe("inputSchema: publishes the field", () => {
  const cases: ReadonlyArray<readonly [string, Schema.Top, unknown]> = [
    // Effect's own export writes number-or-"NaN" and halves minimum lengths.
    ["number", Schema.Number, { type: "number" }],
    ["integer", Schema.Int, { type: "integer" }],
    ["bounds", Schema.Int.check(Schema.isGreaterThan(0), Schema.isLessThanOrEqualTo(9)), {
      type: "integer",
      exclusiveMinimum: 0,
      maximum: 9,
    }],
    ["the tighter of two bounds", Schema.Finite.check(Schema.isLessThan(5), Schema.isLessThan(3)), {
      type: "number",
      exclusiveMaximum: 3,
    }],
    ["lengths", Schema.String.check(Schema.isMinLength(3), Schema.isMaxLength(9)), {
      type: "string",
      minLength: 3,
      maxLength: 9,
    }],
    ["a pattern", Schema.String.check(Schema.isPattern(/^a/)), { type: "string", pattern: "^a" }],
    // JSON Schema has no flags; the check still holds for the arguments.
    ["a pattern with flags", Schema.String.check(Schema.isPattern(/^a/i)), { type: "string" }],
    ["two patterns", Schema.String.check(Schema.isPattern(/^a/), Schema.isPattern(/b$/)), {
      type: "string",
      pattern: "^a",
      allOf: [{ pattern: "b$" }],
    }],
    ["a literal", Schema.Literal("a"), { type: "string", const: "a" }],
    ["literals", Schema.Literals(["a", "b"]), { type: "string", enum: ["a", "b"] }],
    ["literals of several types", Schema.Literals(["a", 1]), { enum: ["a", 1] }],
    [
      "titled literals",
      Schema.Union([Schema.Literal("a").annotate({ title: "A" }), Schema.Literal("b").annotate({ title: "B" })]),
      { type: "string", oneOf: [{ const: "a", title: "A" }, { const: "b", title: "B" }] },
    ],
    ["null or a string", Schema.NullOr(Schema.String), { anyOf: [{ type: "string" }, { type: "null" }] }],
    ["an optional value", Schema.optional(Schema.String), { type: "string" }],
    ["a default", Schema.String.pipe(Schema.withDecodingDefault(Effect.succeed("x"))), { type: "string" }],
    ["a list", Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isUnique()), {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      uniqueItems: true,
    }],
    ["a list that is not empty", Schema.NonEmptyArray(Schema.String), {
      type: "array",
      items: { type: "string" },
      minItems: 1,
    }],
    ["a tuple", Schema.Tuple([Schema.String, Schema.optionalKey(Schema.Finite)]), {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: false,
      minItems: 1,
    }],
    ["anything", Schema.Unknown, {}],
    ["a transformed value", Schema.FiniteFromString, { type: "string" }],
    ["a date", Schema.Date, { type: "string" }],
    ["a class", Point, {
      type: "object",
      properties: { x: { type: "number" }, y: { type: "number" } },
      required: ["x"],
    }],
    [
      "annotations, with a check in between",
      Schema.String.annotate({ title: "T", description: "D", examples: ["a"], default: "b" }).check(
        Schema.isMinLength(1),
      ),
      { type: "string", minLength: 1, title: "T", description: "D", examples: ["a"], default: "b" },
    ],
    ["annotations of the decoded side", Schema.FiniteFromString.annotate({ description: "How many", default: 3 }), {
      type: "string",
      description: "How many",
      default: "3",
    }],
    [
      "annotations of the key",
      Schema.String.annotate({ description: "V" }).pipe(Schema.annotateKey({ description: "K" })),
      {
        type: "string",
        description: "K",
      },
    ],
  ];
  for (const [name, schema, expected] of cases) test(name, () => assertEquals(field(schema), expected));
});

test("inputSchema: keeps definitions at the root, of inner and mutually recursive types too", () => {
  const json = published(Schema.Struct({ deep: Schema.Array(Schema.Struct({ tree: Tree })) }));
  assert(isRecord(json));
  assertEquals<unknown>(json["$defs"], { Tree: tree });
  assertEquals(JSON.stringify(json).match(/\$defs":/g)?.length, 1);
  interface A {
    readonly b?: B;
  }
  interface B {
    readonly a?: A;
  }
  const a: Schema.Codec<A> = Schema.Struct({ b: Schema.optionalKey(Schema.suspend((): Schema.Codec<B> => b)) });
  const b: Schema.Codec<B> = Schema.Struct({ a: Schema.optionalKey(Schema.suspend((): Schema.Codec<A> => a)) });
  const mutual = tool(a);
  assertEquals(mutual.decode({ b: { a: { b: {} } } })._tag, "Input");
  assertEquals(mutual.decode({ b: { a: { b: 1 } } })._tag, "Refused");
  const references = JSON.stringify(mutual.descriptor["inputSchema"]).match(/"\$ref":"[^"]*"/g);
  for (const reference of new Set(references)) assert(/#\/\$defs\/Node2?"$/.test(reference), reference);
});

test("inputSchema: leaves nothing remote and nothing empty", () => {
  for (const schema of [Tree, Point, Schema.Union([Point, Tree])]) {
    const text = JSON.stringify(published(schema));
    assert(!/"\$ref":"(?!#)/.test(text), text);
    assert(!text.includes("{}"), text);
  }
});

describe("make: refuses, naming tool and field, an input of", () => {
  const cases: ReadonlyArray<readonly [string, Schema.Top, string]> = [
    ["a value without a JSON form", Schema.Struct({ a: Schema.Struct({ b: Schema.instanceOf(URL) }) }), 'field "a.b"'],
    ["a list of such values", Schema.Struct({ a: Schema.Array(Schema.instanceOf(URL)) }), 'field "a[]"'],
    ["a string", Schema.String, "not one of objects"],
    ["a list", Schema.Array(Schema.String), "not one of objects"],
    ["null or a string", Schema.NullOr(Schema.String), "not one of objects"],
    ["keys that are symbols", Schema.Struct({ [Symbol("a")]: Schema.String }), "key that is no string"],
    [
      "a list with elements behind it",
      Schema.Struct({ a: Schema.TupleWithRest(Schema.Tuple([]), [Schema.String, Schema.Finite]) }),
      'field "a"',
    ],
    ["keys of a certain length", Schema.Record(Schema.String.check(Schema.isMinLength(2)), Schema.String), "keys"],
  ];
  for (const [name, schema, reason] of cases) {
    test(name, () => assertStringIncludes(assertThrows(() => tool(schema), reason).message, 'Cannot make tool "t"'));
  }

  test("types without end", () => {
    const grow = (): Schema.Codec<unknown> =>
      Schema.Struct({ a: Schema.suspend(grow) }) as unknown as Schema.Codec<unknown>;
    assertThrows(() => tool(grow()), "recursive type");
  });
});

test("outputSchema: is published as it is, of any type", () => {
  const output = (schema: Schema.Top): unknown =>
    Tool.make("t", { output: schema as unknown as Schema.Codec<unknown>, handler: () => Effect.succeed("") })
      .descriptor["outputSchema"];
  assertEquals(output(Schema.Array(Schema.Finite)), { type: "array", items: { type: "number" } });
  assertEquals(output(Schema.NullOr(Schema.Int)), { anyOf: [{ type: "integer" }, { type: "null" }] });
  assertEquals(output(Tree), { ...tree, $defs: { Tree: tree } });
});

test("decode: gives the decoded side, transformed and with defaults", () => {
  const input = Schema.Struct({
    at: Schema.Date,
    n: Schema.FiniteFromString,
    tag: Schema.String.pipe(Schema.withDecodingDefault(Effect.succeed("none"))),
  });
  const decoded = tool(input).decode({ at: "2026-07-28T00:00:00.000Z", n: "12", more: true });
  assertEquals<unknown>(decoded, { _tag: "Input", input: { at: new Date(Date.UTC(2026, 6, 28)), n: 12, tag: "none" } });
});

test("finish: writes a date in its published form", () => {
  const dated = Tool.make("t", {
    output: Schema.Struct({ at: Schema.Date }),
    handler: () => Effect.succeed({ at: new Date(0) }),
  });
  const finished = dated.finish(Exit.succeed({ at: new Date(0) }));
  assert(finished._tag === "Good" && finished.reply._tag === "Tool");
  assertEquals(finished.reply.structured?.value, { at: "1970-01-01T00:00:00.000Z" });
});
