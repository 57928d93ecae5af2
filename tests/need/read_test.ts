/** What becomes of raw answers to forms (DESIGN section 3, rules 4-5; cases B12, B13, B26, B27, B29). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import type * as Need from "../../src/need/mod.ts";
import { accept, answer, failure, form, malformed, reason } from "./help.ts";

const sources: ReadonlyArray<readonly [string, Need.FormSource]> = [
  ["Effect schema", Schema.Struct({ name: Schema.String, age: Schema.optionalKey(Schema.Int) })],
  ["literal schema", {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer" } },
    required: ["name"],
  }],
];

for (const [what, source] of sources) {
  describe(`elicit: answers to a form of an ${what}`, () => {
    const read = form(source);

    test("B12: takes the envelope, and not its content in its place", () => {
      assertEquals(answer(read(accept({ name: "Ada" }))), { name: "Ada" });
      assertStringIncludes(reason(read({ name: "Ada" })), `its action is not "accept", "decline" or "cancel"`);
      assertStringIncludes(reason(read(accept({ name: 7 }))), `"name" must be a text`);
      assertStringIncludes(reason(read(accept())), `"name" is missing`);
    });

    test("B13: ignores members that it does not know, resultType included", () => {
      assertEquals(answer(read({ action: "accept", content: { name: "Ada" }, resultType: "complete", _meta: 1 })), {
        name: "Ada",
      });
    });

    test("leaves out content that is no field", () => {
      const value = answer(read(accept(JSON.parse(`{"name":"Ada","admin":true,"__proto__":{"admin":true}}`))));
      assertEquals(value, { name: "Ada" });
      assertEquals((value as { admin?: unknown }).admin, undefined);
    });

    test("B13: decline and cancel are answers, validated by nobody", () => {
      for (const content of [{}, { content: { name: 7 } }, { content: null }, { content: "x" }]) {
        const declined = failure(read({ action: "decline", ...content }));
        assertEquals([declined._tag, declined.key], ["Declined", "who"]);
        const cancelled = failure(read({ action: "cancel", ...content }));
        assertEquals([cancelled._tag, cancelled.key], ["Cancelled", "who"]);
      }
    });

    test("B13: refuses whatever has no action", () => {
      for (const raw of malformed) assertStringIncludes(reason(read(raw)), "The last answer cannot be used: ");
    });

    test("refuses content that is no object", () => {
      for (const content of [null, [], ["Ada"], "Ada", 1, true]) {
        assertStringIncludes(reason(read(accept(content))), "its content is not an object");
      }
    });

    test("names every field that is wrong, and only those", () => {
      const text = reason(read(accept({ age: 1.5 })));
      assertStringIncludes(text, `"name" is missing`);
      assertStringIncludes(text, `"age" must be a whole number`);
      assert(!reason(read(accept({ name: "Ada", age: "7" }))).includes("name"));
    });

    test("inherited members are no answers", () => {
      assertStringIncludes(reason(read(accept(Object.create({ name: "Ada" })))), `"name" is missing`);
    });

    test("B29: an absent optional field stays absent, and null is not absent", () => {
      assertEquals(Object.keys(answer(read(accept({ name: "Ada" }))) as object), ["name"]);
      assertStringIncludes(reason(read(accept({ name: "Ada", age: null }))), `"age" must be a whole number`);
    });
  });
}

describe("elicit: names that every object inherits", () => {
  const names = {
    ["__proto__"]: Schema.String,
    toString: Schema.String,
    constructor: Schema.optionalKey(Schema.String),
  };
  const properties = JSON.parse(
    `{"__proto__":{"type":"string"},"toString":{"type":"string"},"constructor":{"type":"string"}}`,
  );
  for (
    const [what, source] of [
      ["Effect schema", Schema.Struct(names)],
      ["literal schema", { type: "object", properties, required: ["__proto__", "toString"] }],
    ] as ReadonlyArray<readonly [string, Need.FormSource]>
  ) {
    test(`an ${what} reads its own members only`, () => {
      const read = form(source);
      const text = reason(read(accept({})));
      assertStringIncludes(text, `"__proto__" is missing`);
      assertStringIncludes(text, `"toString" is missing`);
      assert(!text.includes("constructor"));
      const value = answer(read(accept(JSON.parse(`{"__proto__":"a","toString":"b"}`)))) as object;
      assertEquals(Object.entries(value).sort(), [["__proto__", "a"], ["toString", "b"]]);
    });
  }
});

describe("elicit: the empty form", () => {
  for (const source of [Schema.Struct({}), { type: "object", properties: {} }] as ReadonlyArray<Need.FormSource>) {
    test("B26: accept without content and with empty content both mean accepted", () => {
      const read = form(source);
      assertEquals(answer(read(accept())), {});
      assertEquals(answer(read(accept({}))), {});
      assertEquals(answer(read(accept({ extra: 1 }))), {});
    });
  }
});

describe("elicit: what the form says is enforced", () => {
  const bad: ReadonlyArray<readonly [Need.FormField, ReadonlyArray<unknown>, ReadonlyArray<unknown>, string]> = [
    [{ type: "string", minLength: 2 }, ["ab", "😀😀"], ["a", "", "😀"], "must have at least 2 characters"],
    [{ type: "string", maxLength: 1 }, ["", "a", "😀"], ["ab", "😀a"], "must have at most 1 character"],
    [{ type: "string", format: "email" }, ["a@b", "ada+1@example.co.uk", "ünï@exämple.org"], [
      "ada",
      "@b",
      "a@",
      "a@b@c",
      "a b@c.d",
      "a@b..c",
      "a@.c",
      "a@b.\n",
    ], "must be an e-mail address"],
    [{ type: "string", format: "uri" }, ["https://a.example/x?y#z", "mailto:a@b", "urn:isbn:1"], [
      "a.example",
      "/x",
      "https://",
      "https://a b",
      "",
      " https://a.example",
    ], "must be a URI"],
    [{ type: "string", format: "date" }, ["2026-07-28", "2028-02-29", "2000-02-29"], [
      "2026-7-28",
      "2026-02-29",
      "1900-02-29",
      "2026-13-01",
      "2026-00-10",
      "2026-04-31",
      "2026-01-00",
      "2026-07-28T00:00:00Z",
      "2026-07-28\n",
    ], "must be a date"],
    [
      { type: "string", format: "date-time" },
      [
        "2026-07-28T09:30:00Z",
        "2026-07-28t09:30:00.123z",
        "2026-07-28T23:59:60+14:00",
      ],
      ["2026-07-28", "2026-07-28T09:30Z", "2026-07-28T09:30:00", "2026-02-30T00:00:00Z", "2026-07-28T24:00:00Z"],
      "must be a date and time",
    ],
    [{ type: "number", minimum: 0, maximum: 1 }, [0, 0.5, 1], [-0.1], "must be at least 0"],
    [{ type: "number" }, [1e300, -1], ["1", null, [1], true], "must be a number"],
    [{ type: "integer", maximum: 3 }, [3, -1, 2.0], [4], "must be at most 3"],
    [{ type: "boolean" }, [true, false], [0, 1, "true", null], "must be true or false"],
    [
      { type: "string", enum: ["a", "__proto__"] },
      ["a", "__proto__"],
      ["b", "", 1, "toString"],
      "must be one of the options",
    ],
    [{ type: "string", oneOf: [{ const: "a", title: "A" }] }, ["a"], ["A"], "must be one of the options"],
    [
      { type: "array", items: { type: "string", enum: ["a", "b"] } },
      [[], ["b", "a"]],
      [["c"], [1], ["a", null]],
      "must hold nothing but the options",
    ],
    [
      { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
      [["a"]],
      ["a", { 0: "a", length: 1 }],
      "must be a list of options",
    ],
    [
      { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1 },
      [["a"]],
      [[]],
      "must have at least 1 option",
    ],
    [
      { type: "array", items: { type: "string", enum: ["a", "b"] }, maxItems: 1 },
      [["a"]],
      [["a", "b"]],
      "must have at most 1 option",
    ],
  ];
  for (const [field, good, wrong, why] of bad) {
    test(JSON.stringify(field), () => {
      const read = form({ type: "object", properties: { x: field } });
      for (const x of good) assertEquals(answer(read(accept({ x }))), { x });
      for (const x of wrong) assertStringIncludes(reason(read(accept({ x }))), `"x" ${why}`);
    });
  }

  test("formats of Effect schemas too", () => {
    const read = form(Schema.Struct({
      mail: Schema.String.annotate({ format: "email" }),
      at: Schema.optionalKey(Schema.DateFromString.annotate({ format: "date" })),
    }));
    assertEquals(answer(read(accept({ mail: "a@b", at: "2026-07-28" }))), {
      mail: "a@b",
      at: new Date("2026-07-28T00:00:00Z"),
    });
    assertStringIncludes(reason(read(accept({ mail: "ab" }))), `"mail" must be an e-mail address`);
    assertStringIncludes(reason(read(accept({ mail: "a@b", at: "2026-07-28T00:00:00Z" }))), `"at" must be a date`);
  });
});

describe("elicit: what the wire cannot say is enforced", () => {
  const cases: ReadonlyArray<readonly [string, Need.FormSource, unknown, unknown, string]> = [
    ["a pattern", Schema.Struct({ x: Schema.String.check(Schema.isPattern(/^a+$/)) }), "aa", "b", `"x" must be `],
    ["an exclusive bound", Schema.Struct({ x: Schema.Finite.check(Schema.isGreaterThan(0)) }), 0.1, 0, `"x" must be `],
    ["a multiple", Schema.Struct({ x: Schema.Finite.check(Schema.isMultipleOf(2)) }), 4, 3, `"x" must be `],
    [
      "a set",
      Schema.Struct({ x: Schema.Array(Schema.Literals(["a", "b"])).check(Schema.isUnique()) }),
      ["a", "b"],
      ["a", "a"],
      `"x" must be `,
    ],
    [
      "the author's own check, in the author's words",
      Schema.Struct({ x: Schema.String.check(Schema.makeFilter((s) => s === "please" || "say please")) }),
      "please",
      "now",
      `"x": say please`,
    ],
    [
      "a check without words",
      Schema.Struct({ x: Schema.String.check(Schema.makeFilter((s) => s === "please")) }),
      "please",
      "now",
      `"x" is not valid`,
    ],
  ];
  for (const [what, schema, good, wrong, why] of cases) {
    test(what, () => {
      const read = form(schema);
      assertEquals(answer(read(accept({ x: good }))), { x: good });
      assertStringIncludes(reason(read(accept({ x: wrong }))), why);
    });
  }

  test("the author's own words go before those of the form", () => {
    const read = form(Schema.Struct({
      a: Schema.String.check(Schema.isMinLength(3, { message: "give three letters" })),
      b: Schema.String.annotateKey({ messageMissingKey: "we need your b" }),
      c: Schema.String.annotate({ message: "c, please" }),
      d: Schema.Int,
    }));
    assertEquals(
      reason(read(accept({ a: "x", c: 1, d: 1.5 }))),
      `The last answer cannot be used: "a": give three letters; "b": we need your b; "c": c, please; ` +
        `"d" must be a whole number`,
    );
  });

  test("a check across fields", () => {
    const read = form(
      Schema.Struct({ from: Schema.Int, to: Schema.Int }).check(
        Schema.makeFilter(({ from, to }) => from <= to || "the end is before the start"),
      ),
    );
    assertEquals(answer(read(accept({ from: 1, to: 2 }))), { from: 1, to: 2 });
    assertStringIncludes(reason(read(accept({ from: 2, to: 1 }))), "the end is before the start");
  });

  test("decodes: what the handler gets is the type side", () => {
    class Pet extends Schema.Class<Pet>("Pet")({ age: Schema.NumberFromString }) {}
    const value = answer(form(Pet)(accept({ age: "7" })));
    assert(value instanceof Pet);
    assertEquals(value.age, 7);
    assertStringIncludes(reason(form(Pet)(accept({ age: 7 }))), `"age" must be a text`);
  });

  test("defaults of the decoder are the author's, defaults of the form are the client's", () => {
    const read = form(Schema.Struct({
      a: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("decoder"))),
      b: Schema.optionalKey(Schema.String.annotate({ default: "form" })),
    }));
    assertEquals(answer(read(accept({}))), { a: "decoder" });
  });

  test("an optional nullable may be null, and an Option absent", () => {
    const read = form(Schema.Struct({
      a: Schema.optionalKey(Schema.NullOr(Schema.String)),
      b: Schema.OptionFromOptionalKey(Schema.String),
    }));
    assertEquals(answer(read(accept({ a: null }))), { a: null, b: Option.none() });
    assertEquals(answer(read(accept({ a: "x", b: "y" }))), { a: "x", b: Option.some("y") });
  });
});
