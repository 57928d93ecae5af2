/** Cases B27 and B29: the shapes of fields, and who fills in defaults. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { inProcess } from "./serve.ts";
import { accept, again, asks, call, completes, FORM, type Json, send } from "./wire.ts";

type Form = Effect.Effect<unknown, Need.Declined | Need.Cancelled, Need.Elicitation>;

const one = (form: Form) =>
  McpServer.make({
    name: "forms",
    version: "1",
    tools: [
      Tool.make("asks", { description: "Asks", handler: () => Effect.map(form, (value) => JSON.stringify(value)) }),
    ],
  });

interface Trial {
  readonly wire: Json;
  readonly good: ReadonlyArray<readonly [content: unknown, value: unknown]>;
  readonly bad: ReadonlyArray<unknown>;
}

/** Fails unless `form` has this schema on the wire, gives the values of good answers, and asks the bad ones again. */
const trial = (form: Form, { bad, good, wire }: Trial): Promise<void> =>
  inProcess(one(form), async (target) => {
    const first = call("asks", {}, FORM);
    const { requests, state } = asks(await send(target, first), "k");
    const { mode, requestedSchema } = requests["k"]!.params;
    assertEquals([mode, requestedSchema], [undefined, wire]);
    const text = JSON.stringify(requestedSchema);
    for (const keyword of ["$ref", "$defs", "allOf", "enumNames", "additionalProperties"]) {
      assert(!text.includes(keyword), text);
    }
    const answer = (content: unknown) =>
      send(target, again(first, { inputResponses: { k: accept(content) }, requestState: state }));
    for (const [content, value] of good) {
      completes(await answer(content), JSON.stringify(value));
    }
    for (const content of bad) asks(await answer(content), "k");
  });

const form = (fields: Json, required?: ReadonlyArray<string>): Json => ({
  type: "object",
  properties: fields,
  ...(required === undefined ? {} : { required }),
});

const sizes = ["small", 'la"rge', "👩‍👩‍👧", "__proto__"] as const;

describe("B27: enums", () => {
  const choice = (field: Json): Json => form({ choice: field }, ["choice"]);
  const options = [{ value: "s", title: "Small 🐁" }, { value: "l", title: 'The "large" one' }] as const;
  const titled = [{ const: "s", title: "Small 🐁" }, { const: "l", title: 'The "large" one' }];

  test("B27: a plain enum by choose", () =>
    trial(Need.choose("k", { message: "Which?", options: sizes }), {
      wire: choice({ type: "string", enum: [...sizes] }),
      good: sizes.map((size) => [{ choice: size }, size]),
      bad: [
        { choice: "medium" },
        { choice: "Small" },
        { choice: ["small"] },
        { choice: "" },
        { choice: "toString" },
        {},
        { choice: null },
      ],
    }));

  test("B27: a titled enum by choose", () =>
    trial(Need.choose("k", { message: "Which?", options }), {
      wire: choice({ type: "string", oneOf: titled }),
      good: [[{ choice: "s" }, "s"], [{ choice: "l", more: 1 }, "l"]],
      bad: [{ choice: "Small 🐁" }, { choice: "x" }],
    }));

  test("B27: a multiple choice, with bounds", () =>
    trial(Need.choose("k", { message: "Which?", options: sizes, multiple: true, min: 1, max: 2 }), {
      wire: choice({ type: "array", items: { type: "string", enum: [...sizes] }, minItems: 1, maxItems: 2 }),
      good: [[{ choice: ["small"] }, ["small"]], [{ choice: ["__proto__", "small"] }, ["__proto__", "small"]]],
      bad: [{ choice: [] }, { choice: [...sizes] }, { choice: ["medium"] }, { choice: "small" }, {
        choice: ["small", "small"],
      }, { choice: [1] }],
    }));

  test("B27: a titled multiple choice", () =>
    trial(Need.choose("k", { message: "Which?", options, multiple: true }), {
      wire: choice({ type: "array", items: { anyOf: titled } }),
      good: [[{ choice: [] }, []], [{ choice: ["l", "s"] }, ["l", "s"]]],
      bad: [{ choice: ["The large one"] }, { choice: ["s", "x"] }],
    }));

  test("B27: an enum with a default", () =>
    trial(Need.choose("k", { message: "Which?", options: ["a", "b"], default: "b" }), {
      wire: choice({ type: "string", enum: ["a", "b"], default: "b" }),
      good: [[{ choice: "a" }, "a"]],
      bad: [{}],
    }));

  test("B27: literals and lists of literals of an Effect Schema", () =>
    trial(
      Need.elicit("k", {
        message: "Which?",
        schema: Schema.Struct({ one: Schema.Literals(["a", "b"]), many: Schema.Array(Schema.Literals(["a", "b"])) }),
      }),
      {
        wire: form({
          one: { type: "string", enum: ["a", "b"] },
          many: { type: "array", items: { type: "string", enum: ["a", "b"] } },
        }, ["one", "many"]),
        good: [[{ one: "a", many: ["b"] }, { one: "a", many: ["b"] }]],
        bad: [{ one: "c", many: [] }, { one: "a", many: ["c"] }, { one: "a" }],
      },
    ));

  test("B27: options that are computed for this call", () => {
    const perCall = Effect.suspend(() =>
      Need.choose("k", { message: "Which?", options: ["x", "y", "z"].map((x) => `${x}1`) })
    );
    return trial(perCall, {
      wire: choice({ type: "string", enum: ["x1", "y1", "z1"] }),
      good: [[{ choice: "z1" }, "z1"]],
      bad: [{ choice: "z2" }],
    });
  });

  test("B27: no options, options that stand twice, and bounds that do not fit are errors when the need is built", () => {
    const build = (options: ReadonlyArray<string>, more: Json = {}) =>
      assertThrows(() => Need.choose("k", { message: "Which?", options, ...more }), '"k"');
    build([]);
    build(["a", "a"]);
    build(["a"], { default: "b" });
    build(["a"], { multiple: true, min: 2 });
    build(["a", "b"], { multiple: true, min: 2, max: 1 });
    build(["a"], { min: 1 });
  });
});

describe("B29: optional fields and defaults", () => {
  const optional = Schema.Struct({
    text: Schema.optionalKey(Schema.String.annotate({ default: "" })),
    count: Schema.optionalKey(Schema.Int.annotate({ default: 0 })),
    ratio: Schema.optionalKey(Schema.Finite.annotate({ default: 0.5 })),
    flag: Schema.optionalKey(Schema.Boolean.annotate({ default: false })),
    size: Schema.optionalKey(Schema.Literals(["s", "l"]).annotate({ default: "l" })),
    sizes: Schema.optionalKey(Schema.Array(Schema.Literals(["s", "l"])).annotate({ default: ["s"] })),
  });
  const fields: Json = {
    text: { type: "string", default: "" },
    count: { type: "integer", default: 0 },
    ratio: { type: "number", default: 0.5 },
    flag: { type: "boolean", default: false },
    size: { type: "string", enum: ["s", "l"], default: "l" },
    sizes: { type: "array", items: { type: "string", enum: ["s", "l"] }, default: ["s"] },
  };

  test('B29: defaults stand on the wire, 0, "" and false included, and absent fields stay absent (rule 5)', () =>
    trial(Need.elicit("k", { message: "Fill in", schema: optional }), {
      wire: form(fields),
      good: [
        [{}, {}],
        [undefined, {}],
        [{ text: "", count: 0, flag: false }, { text: "", count: 0, flag: false }],
        [{ sizes: [] }, { sizes: [] }],
      ],
      bad: [{ text: null }, { count: 0.5 }, { count: "0" }, { ratio: "x" }, { flag: 0 }, { size: "m" }, { sizes: "s" }],
    }));

  test("B29: the same by a literal JSON Schema", () =>
    trial(
      Need.elicit("k", {
        message: "Fill in",
        schema: {
          type: "object",
          properties: {
            text: { type: "string", default: "" },
            count: { type: "integer", default: 0 },
            flag: { type: "boolean", default: false },
          },
        },
      }),
      {
        wire: form({ text: fields["text"], count: fields["count"], flag: fields["flag"] }),
        good: [[{}, {}], [undefined, {}], [{ count: 3, flag: true }, { count: 3, flag: true }]],
        bad: [{ count: 1.5 }, { flag: "false" }, []],
      },
    ));

  test("B29: a required field with a default has to be sent all the same: the client fills it in", () =>
    trial(Need.elicit("k", { message: "Fill in", schema: Schema.Struct({ n: Schema.Int.annotate({ default: 3 }) }) }), {
      wire: form({ n: { type: "integer", default: 3 } }, ["n"]),
      good: [[{ n: 3 }, { n: 3 }]],
      bad: [{}, undefined],
    }));

  test("B29: a default that its own schema refuses is an error when the need is built", () => {
    for (
      const field of [
        { type: "integer", default: 0.5 },
        { type: "string", maxLength: 1, default: "long" },
        { type: "boolean", default: "false" },
        { type: "string", enum: ["a"], default: "b" },
        { type: "number", minimum: 1, default: 0 },
      ]
    ) {
      const schema = { type: "object", properties: { f: field } } as never;
      assertThrows(() => Need.elicit("k", { message: "Fill in", schema }), '"f"');
    }
  });

  test("B29: bounds and formats are said as they are, and hold for the answer", () =>
    trial(
      Need.elicit("k", {
        message: "Fill in",
        schema: {
          type: "object",
          properties: {
            mail: { type: "string", format: "email", minLength: 3, maxLength: 20 },
            age: { type: "integer", minimum: 0, maximum: 150 },
          },
          required: ["mail", "age"],
        },
      }),
      {
        wire: form(
          {
            mail: { type: "string", format: "email", minLength: 3, maxLength: 20 },
            age: { type: "integer", minimum: 0, maximum: 150 },
          },
          ["mail", "age"],
        ),
        good: [[{ mail: "a@b.example", age: 0 }, { mail: "a@b.example", age: 0 }]],
        bad: [{ mail: "no mail", age: 1 }, { mail: "a@b.example", age: 151 }, { mail: "a@b.example", age: -1 }, {
          mail: `${"a".repeat(20)}@b.example`,
          age: 1,
        }],
      },
    ));

  test("B29: what the wire cannot say still holds for the answer, and the handler gets the decoded value", () =>
    trial(
      Effect.map(
        Need.elicit("k", {
          message: "Fill in",
          schema: Schema.Struct({ n: Schema.FiniteFromString, even: Schema.Int.check(Schema.isMultipleOf(2)) }),
        }),
        ({ even, n }) => [typeof n, n, even],
      ),
      {
        wire: form({ n: { type: "string" }, even: { type: "integer" } }, ["n", "even"]),
        good: [[{ n: "1.5", even: 2, more: 1 }, ["number", 1.5, 2]]],
        bad: [{ n: "x", even: 2 }, { n: "1", even: 3 }, { n: 1, even: 2 }],
      },
    ));

  const refused: ReadonlyArray<readonly [string, Json]> = [
    ["a nested object", { type: "object", properties: {} }],
    ["a reference", { $ref: "#/$defs/x" }],
    ["a list of anything", { type: "array" }],
    ["a list of texts without options", { type: "array", items: { type: "string" } }],
    ["a list of objects", { type: "array", items: { type: "object" } }],
    ["null", { type: "null" }],
    ["two types", { type: ["string", "null"] }],
    ["no type", {}],
    ["allOf", { allOf: [{ type: "string" }] }],
    ["names of options that are not as many", { type: "string", enum: ["a", "b"], enumNames: ["A"] }],
    ["no options", { type: "string", enum: [] }],
    ["options that are no texts", { type: "string", enum: [1, 2] }],
    ["a format that forms do not have", { type: "string", format: "ipv4" }],
  ];
  for (const [name, field] of refused) {
    test(`B27: a field that is ${name} is refused when the need is built, and named`, () => {
      const schema = { type: "object", properties: { culprit: field } } as never;
      assertThrows(() => Need.elicit("k", { message: "Fill in", schema }), '"culprit"');
    });
  }

  for (
    const [name, schema] of Object.entries({
      "a nested struct": Schema.Struct({ culprit: Schema.Struct({ a: Schema.String }) }),
      "a union": Schema.Struct({ culprit: Schema.Union([Schema.String, Schema.Finite]) }),
      "required and nullable": Schema.Struct({ culprit: Schema.NullOr(Schema.String) }),
      "a record": Schema.Struct({ culprit: Schema.Record(Schema.String, Schema.String) }),
      "a tuple": Schema.Struct({ culprit: Schema.Tuple([Schema.String]) }),
      "a list without options": Schema.Struct({ culprit: Schema.Array(Schema.String) }),
      "a literal number": Schema.Struct({ culprit: Schema.Literals([1, 2]) }),
    })
  ) {
    test(`B27: a field of an Effect Schema that is ${name} is refused when the need is built, and named`, () => {
      assertThrows(() => Need.elicit("k", { message: "Fill in", schema: schema as never }), '"culprit"');
    });
  }
});
