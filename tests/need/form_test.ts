/** Forms: what goes on the wire, and what is refused when built (DESIGN section 4; cases B26, B27, B29). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as SchemaGetter from "effect/SchemaGetter";
import { specOf } from "../../src/need/need.ts";
import * as Need from "../../src/need/mod.ts";
import { literal, wire } from "./help.ts";

const message = "?";

/** The wire form of one field of an Effect schema, and whether it is required. */
const field = (schema: Schema.ConstraintDecoder<unknown> & Schema.Top): unknown => {
  const form = wire(Schema.Struct({ x: schema }) as Schema.ConstraintDecoder<unknown>) as {
    properties: { x: unknown };
    required?: ReadonlyArray<string>;
  };
  return form.required === undefined ? { optional: form.properties.x } : form.properties.x;
};

const { String: Text, Number: Num } = Schema;

describe("elicit: Effect schemas on the wire", () => {
  test("has no mode, and the schema's fields in order", () => {
    const need = Need.elicit("who", {
      message: "Who?",
      schema: Schema.Struct({ name: Text, age: Schema.optionalKey(Schema.Int) }),
    });
    assertEquals(need.key, "who");
    assertEquals(need.kind, "form");
    assertEquals(need.request, {
      method: "elicitation/create",
      params: {
        message: "Who?",
        requestedSchema: {
          type: "object",
          properties: { name: { type: "string" }, age: { type: "integer" } },
          required: ["name"],
        },
      },
    });
    assert(Effect.isEffect(need) && Need.isNeed(need));
  });

  test("B26: the empty struct is the empty form", () => {
    assertEquals(wire(Schema.Struct({})), { type: "object", properties: {} });
  });

  const cases: ReadonlyArray<readonly [string, Schema.Top & Schema.ConstraintDecoder<unknown>, unknown]> = [
    ["a text", Text, { type: "string" }],
    ["a text that is not empty", Schema.NonEmptyString, { type: "string", minLength: 1 }],
    ["lengths as they are", Text.check(Schema.isMinLength(2), Schema.isMaxLength(9)), {
      type: "string",
      minLength: 2,
      maxLength: 9,
    }],
    ["the tightest of several lengths", Text.check(Schema.isBetweenLength(1, 9), Schema.isMinLength(3)), {
      type: "string",
      minLength: 3,
      maxLength: 9,
    }],
    ["lengths in code points", Text.check(Schema.isMinCodePoints(2), Schema.isMaxCodePoints(4)), {
      type: "string",
      minLength: 2,
      maxLength: 4,
    }],
    ["no pattern", Text.check(Schema.isPattern(/^a+$/i)), { type: "string" }],
    ["no template", Schema.TemplateLiteral(["a-", Text]), { type: "string" }],
    ["a format", Text.annotate({ format: "email" }), { type: "string", format: "email" }],
    ["no format that forms do not have", Text.annotate({ format: "uuid" }), { type: "string" }],
    ["texts before checks", Text.annotate({ title: "Name" }).check(Schema.isMinLength(1)), {
      type: "string",
      minLength: 1,
      title: "Name",
    }],
    ["texts after checks", Text.check(Schema.isMinLength(1)).annotate({ title: "Name", description: "Yours" }), {
      type: "string",
      minLength: 1,
      title: "Name",
      description: "Yours",
    }],
    ["texts of the key first", Text.annotate({ title: "Inner" }).annotateKey({ title: "Outer" }), {
      type: "string",
      title: "Outer",
    }],
    ["a number", Num, { type: "number" }],
    ["a finite number", Schema.Finite, { type: "number" }],
    ["a number's bounds", Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1.5 })), {
      type: "number",
      minimum: 0,
      maximum: 1.5,
    }],
    ["no exclusive bounds", Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThan(1)), { type: "number" }],
    ["an integer without artificial bounds", Schema.Int, { type: "integer" }],
    [
      "exclusive bounds of an integer as inclusive ones",
      Schema.Int.check(Schema.isGreaterThan(0), Schema.isLessThan(10)),
      { type: "integer", minimum: 1, maximum: 9 },
    ],
    [
      "a half-open range of integers",
      Schema.Int.check(Schema.isBetween({ minimum: 0.5, maximum: 10, exclusiveMaximum: true })),
      { type: "integer", minimum: 0.5, maximum: 9 },
    ],
    ["a boolean", Schema.Boolean, { type: "boolean" }],
    ["a plain choice", Schema.Literals(["red", "green"]), { type: "string", enum: ["red", "green"] }],
    ["one option", Schema.Literal("red"), { type: "string", enum: ["red"] }],
    [
      "a titled choice",
      Schema.Union([Schema.Literal("r").annotate({ title: "Red" }), Schema.Literal("g")]),
      { type: "string", oneOf: [{ const: "r", title: "Red" }, { const: "g", title: "g" }] },
    ],
    ["an enum by its names", Schema.Enum({ Red: "r", Green: "g" }), {
      type: "string",
      oneOf: [{ const: "r", title: "Red" }, { const: "g", title: "Green" }],
    }],
    ["an enum whose names are its values", Schema.Enum({ red: "red" }), { type: "string", enum: ["red"] }],
    ["a choice of what is decoded", Schema.Literals(["one", "two"]).transform([1, 2]), {
      type: "string",
      enum: ["one", "two"],
    }],
    ["several of plain options", Schema.Array(Schema.Literals(["a", "b"])), {
      type: "array",
      items: { type: "string", enum: ["a", "b"] },
    }],
    [
      "several of titled options",
      Schema.Array(Schema.Union([Schema.Literal("a").annotate({ title: "A" }), Schema.Literal("b")])),
      { type: "array", items: { anyOf: [{ const: "a", title: "A" }, { const: "b", title: "b" }] } },
    ],
    [
      "numbers of options",
      Schema.Array(Schema.Literals(["a", "b"])).check(Schema.isMinLength(1), Schema.isMaxLength(2)),
      { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2 },
    ],
    ["a list that is not empty", Schema.NonEmptyArray(Schema.Literals(["a", "b"])), {
      type: "array",
      items: { type: "string", enum: ["a", "b"] },
      minItems: 1,
    }],
    ["a list of what is decoded", Schema.Array(Schema.Literals(["one", "two"]).transform([1, 2])), {
      type: "array",
      items: { type: "string", enum: ["one", "two"] },
    }],
    ["the encoded side", Schema.NumberFromString.annotate({ title: "Size" }), { type: "string", title: "Size" }],
    ["a date as the text it is", Schema.DateFromString, { type: "string" }],
    ["a date's format where it is given", Schema.DateFromString.annotate({ format: "date-time" }), {
      type: "string",
      format: "date-time",
    }],
    ["an optional key", Schema.optionalKey(Text), { optional: { type: "string" } }],
    ["an optional value", Schema.optional(Text.annotate({ title: "T" })), { optional: { type: "string", title: "T" } }],
    ["an optional choice", Schema.optional(Schema.Literals(["a", "b"])), {
      optional: { type: "string", enum: ["a", "b"] },
    }],
    ["an optional nullable", Schema.optionalKey(Schema.NullOr(Text)), { optional: { type: "string" } }],
    ["an optional nullable choice", Schema.optional(Schema.NullOr(Schema.Literals(["a", "b"]))), {
      optional: { type: "string", enum: ["a", "b"] },
    }],
    ["an Option of a key", Schema.OptionFromOptionalKey(Schema.Int), { optional: { type: "integer" } }],
    ["a default of the decoder as optional", Text.pipe(Schema.withDecodingDefaultKey(Effect.succeed("x"))), {
      optional: { type: "string" },
    }],
    ["a brand", Text.pipe(Schema.brand("Name")), { type: "string" }],
  ];
  for (const [what, schema, expected] of cases) test(`writes ${what}`, () => assertEquals(field(schema), expected));

  test("B29: keeps defaults in wire form, 0, empty text and false included", () => {
    const schema = Schema.Struct({
      s: Schema.optionalKey(Text.annotate({ default: "" })),
      i: Schema.optionalKey(Schema.Int.annotate({ default: 0 })),
      n: Schema.optionalKey(Schema.Finite.annotate({ default: 0.5 })),
      b: Schema.optionalKey(Schema.Boolean.annotate({ default: false })),
      e: Schema.optionalKey(Schema.Literals(["a", "b"]).annotate({ default: "b" })),
      m: Schema.optionalKey(Schema.Array(Schema.Literals(["a", "b"])).annotate({ default: [] })),
      decoded: Schema.optionalKey(Schema.NumberFromString.annotate({ default: 5 })),
      wrapped: Schema.optional(Schema.DateFromString).annotate({ default: new Date(0) }),
      encoded: Text.annotate({ default: "7" }).pipe(
        Schema.decodeTo(Num, { decode: SchemaGetter.Number(), encode: SchemaGetter.String() }),
      ),
    });
    const { properties } = wire(schema) as { properties: Record<string, { default?: unknown }> };
    assertEquals(Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default])), {
      s: "",
      i: 0,
      n: 0.5,
      b: false,
      e: "b",
      m: [],
      decoded: "5",
      wrapped: "1970-01-01T00:00:00.000Z",
      encoded: "7",
    });
  });

  test("takes classes and renamed keys by their encoded side", () => {
    class Pet extends Schema.Class<Pet>("Pet")({ name: Text.annotate({ title: "Name" }) }) {}
    assertEquals(wire(Pet), {
      type: "object",
      properties: { name: { type: "string", title: "Name" } },
      required: ["name"],
    });
    assertEquals(wire(Schema.Struct({ a: Schema.Int }).pipe(Schema.encodeKeys({ a: "b" }))), {
      type: "object",
      properties: { b: { type: "integer" } },
      required: ["b"],
    });
  });

  test("never writes what Effect's JSON Schema would: no $ref, $defs, allOf, anyOf of enums, additionalProperties", () => {
    const Named = Text.annotate({ identifier: "Name" }).check(Schema.isMinLength(1), Schema.isMaxLength(3));
    const text = JSON.stringify(wire(Schema.Struct({ a: Named, b: Schema.optional(Named), c: Schema.Finite })));
    for (const word of ["$ref", "$defs", "allOf", "anyOf", "additionalProperties", "enumNames", "exclusive", "null"]) {
      assert(!text.includes(word), word);
    }
  });

  test("a field named __proto__ is a field like any other", () => {
    const form = wire(Schema.Struct({ ["__proto__"]: Text, constructor: Schema.optionalKey(Text) })) as {
      properties: object;
      required: ReadonlyArray<string>;
    };
    assertEquals(Object.keys(form.properties), ["__proto__", "constructor"]);
    assertEquals(form.required, ["__proto__"]);
  });
});

describe("elicit: what forms cannot say is refused when built, with the field's name", () => {
  class Pet extends Schema.Class<Pet>("Pet")({ name: Text }) {}
  interface Tree {
    readonly next?: Tree;
  }
  const Tree: Schema.Codec<Tree> = Schema.Struct({
    next: Schema.optionalKey(Schema.suspend((): Schema.Codec<Tree> => Tree)),
  });
  const cases: ReadonlyArray<readonly [string, Schema.Top, string]> = [
    ["a nested object", Schema.Struct({ a: Text }), "is an object"],
    ["a nested class", Pet, "is an object"],
    ["a record", Schema.Record(Text, Text), "is a record"],
    ["a union", Schema.Union([Text, Num]), "is a union"],
    ["a required nullable", Schema.NullOr(Text), "may be null"],
    ["a recursive schema", Schema.suspend(() => Tree), "is recursive"],
    ["a literal that is a number", Schema.Literal(1), "is the literal 1, which is no text"],
    ["literals that are numbers", Schema.Literals([1, 2]), "is a union"],
    ["an enum of numbers", Schema.Enum({ A: 1 }), "is an enum whose values are not texts"],
    ["a list of texts", Schema.Array(Text), "is a list without fixed options"],
    ["a list of objects", Schema.Array(Schema.Struct({})), "is a list without fixed options"],
    ["a tuple", Schema.Tuple([Schema.Literal("a")]), "is a tuple"],
    ["a date", Schema.Date, "is not JSON on its encoded side"],
    ["a bigint", Schema.BigInt, "is bigint, which forms do not have"],
    ["unknown", Schema.Unknown, "is unknown, which forms do not have"],
    ["null", Schema.Null, "is null"],
    ["no options", Schema.Literals([]), "has no options"],
    ["an option that comes twice", Schema.Literals(["a", "a"]), "has the same option twice"],
    ["bounds in the wrong order", Text.check(Schema.isMinLength(3), Schema.isMaxLength(2)), "is more than maxLength"],
    [
      "a default out of bounds",
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 })).annotate({ default: 3 }),
      "has a default that",
    ],
    ["a default of another type", Text.annotate({ default: 3 as never }), "has a default that"],
    ["a default that is no option", Schema.Literals(["a"]).annotate({ default: "b" as never }), "has a default that"],
  ];
  for (const [what, schema, why] of cases) {
    test(what, () => {
      const build = () => wire(Schema.Struct({ fine: Text, address: schema }) as never);
      const { message } = assertThrows(build);
      assertStringIncludes(message, `Cannot build form "who": field "address" `);
      assertStringIncludes(message, why);
    });
  }

  test("the root is a struct", () => {
    assertThrows(() => wire(Text as never), `Cannot build form "who": its schema is string`);
    assertThrows(() => wire(Schema.Record(Text, Text) as never), "its schema is a record, not a struct");
    assertThrows(() => wire(Schema.Union([Schema.Struct({}), Schema.Struct({ a: Text })]) as never), "is a union");
    assertThrows(() => wire(Schema.Struct({ [Symbol.for("s")]: Text }) as never), "Symbol(s)");
  });

  test("a schema that is refused once is refused again", () => {
    const schema = Schema.Struct({ address: Schema.Struct({}) });
    assertThrows(() => wire(schema), `field "address" is an object`);
    assertThrows(() => wire(schema), `field "address" is an object`);
  });

  test("keys are texts of 1 to 256 characters, whatever they are", () => {
    const schema = Schema.Struct({ name: Text });
    for (const key of ["__proto__", "constructor", "row:1", "🔑", " ", "x".repeat(256)]) {
      assertEquals(Need.elicit(key, { message, schema }).key, key);
    }
    for (const key of ["", "x".repeat(257), undefined as never, 1 as never]) {
      assertThrows(() => Need.elicit(key, { message, schema }), "Cannot build form");
      assertThrows(() => Need.confirm(key, message), "Cannot build confirm");
    }
  });

  test("messages are texts", () => {
    const schema = Schema.Struct({ name: Text });
    for (const message of [undefined as never, 1n as never]) {
      assertThrows(() => Need.elicit("who", { message, schema }), `Cannot build form "who": its message is not a text`);
      assertThrows(() => Need.confirm("sure", message), `Cannot build confirm "sure": its message is not a text`);
      assertThrows(() => Need.choose("one", { message, options: ["a"] }), `Cannot build choice "one"`);
      const page = { message, url: "https://example.com/", done: Effect.succeedNone };
      assertThrows(() => Need.elicitUrl("page", page), `Cannot build URL elicitation "page"`);
    }
  });
});

describe("elicit: identity", () => {
  const schema = Schema.Struct({ name: Text });
  const identity = (options: Need.ElicitOptions<Need.FormSource>): string =>
    specOf(Need.elicit("who", options)).identity();

  test("is equal for equal questions, whatever values they are made from", () => {
    assertEquals(identity({ message, schema }), identity({ message, schema: Schema.Struct({ name: Text }) }));
    assertEquals(
      identity({ message, schema }),
      identity({ message, schema: literal({ name: { type: "string" } }, { required: ["name"] }) }),
    );
  });

  test("differs with the message, the schema, and with what may answer it", () => {
    const all = [
      identity({ message, schema }),
      identity({ message: "??", schema }),
      identity({ message, schema, mustAsk: true }),
      identity({ message, schema: Schema.Struct({ name: Schema.NonEmptyString }) }),
      identity({ message, schema: Schema.Struct({ name: Schema.optionalKey(Text) }) }),
      specOf(Need.confirm("who", message)).identity(),
      specOf(Need.choose("who", { message, options: ["a"] })).identity(),
      specOf(Need.choose("who", { message, options: ["b"] })).identity(),
      specOf(Need.elicitUrl("who", { message, url: "https://a.example", done: Effect.succeedNone })).identity(),
    ];
    assertEquals(new Set(all).size, all.length);
  });
});
