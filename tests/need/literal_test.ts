/** Forms of literal JSON Schemas: what is sent as it is, and what is refused when built (DESIGN section 4; case B27). */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { literal, wire } from "./help.ts";

describe("elicit: literal JSON Schemas", () => {
  const options = { const: "a", title: "A" };
  const fields: ReadonlyArray<object> = [
    {
      type: "string",
      title: "T",
      description: "D",
      minLength: 3,
      maxLength: 50,
      format: "email",
      default: "user@example.com",
    },
    { type: "string", format: "uri" },
    { type: "string", format: "date", default: "2028-02-29" },
    { type: "string", format: "date-time", default: "2026-07-28T00:00:00Z" },
    { type: "number", title: "T", description: "D", minimum: 0, maximum: 100, default: 50.5 },
    { type: "integer", minimum: -1, default: 0 },
    { type: "boolean", title: "T", description: "D", default: false },
    { type: "string", enum: ["Red", "Green"], default: "Red" },
    { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
    { type: "string", oneOf: [options], default: "a" },
    { type: "array", minItems: 1, maxItems: 2, items: { type: "string", enum: ["a", "b"] }, default: ["a", "b"] },
    { type: "array", items: { anyOf: [options] }, default: [] },
  ];
  for (const field of fields) {
    test(`sends as it is: ${JSON.stringify(field)}`, () => {
      const schema = literal({ x: field }, {
        required: ["x"],
        $schema: "https://json-schema.org/draft/2020-12/schema",
      });
      assertEquals(wire(schema), schema as unknown);
    });
  }

  const refused: ReadonlyArray<readonly [object, string]> = [
    [{ type: "object", properties: {} }, "is an object"],
    [{ type: "null" }, `has the type "null"`],
    [{ type: ["string", "null"] }, `has the type ["string","null"]`],
    [{}, "has the type undefined"],
    [{ $ref: "#/$defs/x" }, "has the type undefined"],
    [{ type: "string", pattern: "^a" }, `has "pattern", which forms do not have there`],
    [{ type: "string", const: "a" }, `has "const"`],
    [{ type: "string", examples: [] }, `has "examples"`],
    [{ type: "string", minimum: 1 }, `has "minimum"`],
    [{ type: "string", enum: ["a"], minLength: 1 }, `has "minLength"`],
    [{ type: "string", ["__proto__"]: 1 }, `has "__proto__"`],
    [{ type: "string", constructor: 1 }, `has "constructor"`],
    [{ type: "string", format: "uuid" }, `has a "format" that is none of email, uri, date, date-time`],
    [{ type: "string", format: "toString" }, `has a "format"`],
    [{ type: "string", minLength: -1 }, `has a "minLength" that is not a count`],
    [{ type: "string", minLength: 2, maxLength: 1 }, "is more than maxLength"],
    [{ type: "string", title: 1 }, `has a "title" that is not a text`],
    [{ type: "string", default: 1 }, "has a default"],
    [{ type: "string", maxLength: 1, default: "ab" }, "has a default"],
    [{ type: "string", enum: [] }, "has no options"],
    [{ type: "string", enum: ["a", "a"] }, "has the same option twice"],
    [{ type: "string", enum: ["a", 1] }, "has an option that is not a text"],
    [{ type: "string", enum: "a" }, "is not a list"],
    [{ type: "string", enum: ["a"], default: "b" }, "has a default"],
    [{ type: "string", enum: ["a"], enumNames: [] }, `has a "enumNames" that is not a list of texts as long as enum`],
    [{ type: "string", oneOf: [] }, "has no options"],
    [{ type: "string", oneOf: [options, options] }, "has the same option twice"],
    [{ type: "string", oneOf: [{ const: "a" }] }, "not a const with a title"],
    [{ type: "string", oneOf: [{ ...options, x: 1 }] }, "not a const with a title"],
    [{ type: "string", anyOf: [options] }, `has "anyOf"`],
    [{ type: "number", exclusiveMinimum: 0 }, `has "exclusiveMinimum"`],
    [{ type: "number", multipleOf: 2 }, `has "multipleOf"`],
    [{ type: "number", minimum: 2, maximum: 1 }, "is more than maximum"],
    [{ type: "number", minimum: "1" }, "is not a number"],
    [{ type: "integer", default: 1.5 }, "has a default"],
    [{ type: "boolean", default: "no" }, "has a default"],
    [{ type: "array" }, "is a list without fixed options"],
    [{ type: "array", items: { type: "string" } }, "does not list fixed options"],
    [{ type: "array", items: null }, `has a "items" that is not an object`],
    [{ type: "array", items: [{ type: "string", enum: ["a"] }] }, `has a "items" that is not an object`],
    [{ type: "array", items: { type: "number", enum: ["a"] } }, "does not list fixed options"],
    [{ type: "array", items: { anyOf: [] } }, "has no options"],
    [{ type: "array", items: { type: "string", enum: ["a"] }, uniqueItems: true }, `has "uniqueItems"`],
    [{ type: "array", items: { type: "string", enum: ["a"] }, minItems: 2 }, "more than there are options"],
    [{ type: "array", items: { type: "string", enum: ["a"] }, default: ["b"] }, "has a default"],
  ];
  for (const [field, why] of refused) {
    test(`refuses ${JSON.stringify(field)}`, () => {
      const { message } = assertThrows(() => wire(literal({ fine: { type: "string" }, x: field })));
      assertStringIncludes(message, `Cannot build form "who": field "x" `);
      assertStringIncludes(message, why);
    });
  }

  test("refuses roots that are no plain object schema", () => {
    const roots: ReadonlyArray<readonly [unknown, string]> = [
      [{ type: "string", properties: {} }, `the type of its schema is "string", not "object"`],
      [{ name: {} }, `its schema is neither a Schema.Struct nor a JSON Schema with the type "object"`],
      [{ type: "object" }, "its schema has no properties"],
      [literal({}, { additionalProperties: false }), `its schema has "additionalProperties", which forms do not have`],
      [literal({}, { $defs: {} }), `its schema has "$defs"`],
      [literal({}, { title: "x" }), `its schema has "title"`],
      [literal({}, { $schema: 1 }), `its "$schema" is not a text`],
      [literal({}, { required: ["a"] }), `its "required" names "a", which is no field`],
      [literal({}, { required: ["toString"] }), `its "required" names "toString"`],
      [literal({}, { required: "a" }), `its "required" is not a list`],
    ];
    for (const [schema, why] of roots) assertThrows(() => wire(schema as never), `Cannot build form "who": ${why}`);
  });
});
