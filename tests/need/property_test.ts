/** Forms and answers, generated: what the form allows is read, and what is encoded is read back. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import fc from "fast-check";
import type * as Need from "../../src/need/mod.ts";
import { accept, answer, form, wire } from "./help.ts";

const name = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "a", "b"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
);

/** A field of a literal form, and values that it allows. */
type Case = { readonly field: Need.FormField; readonly value: fc.Arbitrary<unknown> };

const bounds = fc.tuple(fc.nat(4), fc.nat(4)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

const options = fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 5 }), { minLength: 1, maxLength: 5 });

const literalField: fc.Arbitrary<Case> = fc.oneof(
  bounds.map(([minLength, maxLength]): Case => ({
    field: { type: "string", minLength, maxLength },
    value: fc.array(fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), { minLength, maxLength })
      .map((points) => points.join(""))
      // Halves that meet by chance become one character.
      .filter((text) => [...text].length >= minLength),
  })),
  bounds.map(([minimum, maximum]): Case => ({
    field: { type: "number", minimum, maximum },
    value: fc.double({ min: minimum, max: maximum, noNaN: true }),
  })),
  bounds.map(([minimum, maximum]): Case => ({
    field: { type: "integer", minimum, maximum },
    value: fc.integer({ min: minimum, max: maximum }),
  })),
  fc.constant<Case>({ field: { type: "boolean" }, value: fc.boolean() }),
  options.map((values): Case => ({ field: { type: "string", enum: values }, value: fc.constantFrom(...values) })),
  options.map((values): Case => ({
    field: { type: "string", oneOf: values.map((value) => ({ const: value, title: "T" })) },
    value: fc.constantFrom(...values),
  })),
  options.map((values): Case => ({
    field: { type: "array", items: { type: "string", enum: values }, minItems: 1 },
    value: fc.array(fc.constantFrom(...values), { minLength: 1 }),
  })),
  fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }).map((date): Case => ({
    field: { type: "string", format: "date-time" },
    value: fc.constant(date.toISOString()),
  })),
);

/** A form of literal fields, with a content that it allows. */
const filled = fc.uniqueArray(fc.tuple(name, literalField, fc.boolean()), { selector: ([name]) => name, maxLength: 6 })
  .chain((fields) =>
    fc.tuple(...fields.map(([, { value }, required]) => required ? value : fc.option(value, { nil: undefined })))
      .map((values) => {
        const entries = fields.flatMap(([name], i) => values[i] === undefined ? [] : [[name, values[i]] as const]);
        const properties = JSON.parse(
          `{${fields.map(([name, { field }]) => `${JSON.stringify(name)}:${JSON.stringify(field)}`).join()}}`,
        );
        const required = fields.filter(([, , required]) => required).map(([name]) => name);
        return {
          schema: { type: "object", properties, required } as Need.FormSchema,
          content: JSON.parse(`{${entries.map(([n, v]) => `${JSON.stringify(n)}:${JSON.stringify(v)}`).join()}}`),
          required,
        };
      })
  );

describe("literal forms", () => {
  test("a content that the form allows is read as it is", () => {
    fc.assert(fc.property(filled, ({ content, schema }) => {
      const value = answer(form(schema)(accept(content))) as object;
      assertEquals(Object.entries(value).sort(), Object.entries(content).sort());
    }));
  });

  test("a content that lacks what is required is not", () => {
    fc.assert(fc.property(filled, ({ content, required, schema }) => {
      fc.pre(required.length > 0);
      const without = JSON.parse(JSON.stringify(content));
      delete without[required[0]!];
      assertEquals(form(schema)(accept(without))._tag, "Invalid");
    }));
  });

  test("whatever comes is read without a throw, and ends in an answer, a refusal or a short reason", () => {
    fc.assert(fc.property(filled, fc.anything(), fc.jsonValue(), ({ schema }, raw, content) => {
      for (const given of [raw, content, accept(raw), accept(content)]) {
        const reading = form(schema)(given);
        assert(reading._tag !== "Invalid" || reading.reason.length <= 500);
      }
    }));
  });
});

/** A field of an Effect schema, and values of its decoded side. */
type Typed = { readonly field: Schema.Codec<unknown, unknown>; readonly value: fc.Arbitrary<unknown> };

const texts = (min: number, max: number): fc.Arbitrary<string> =>
  fc.array(fc.string({ unit: "grapheme-composite", minLength: 1, maxLength: 1 }), { minLength: min, maxLength: max })
    .map((points) => points.join(""))
    .filter((text) => [...text].length >= min && [...text].length <= max);

const schemaField = fc.oneof(
  bounds.map(([min, max]) => ({
    field: Schema.String.check(Schema.isMinCodePoints(min), Schema.isMaxCodePoints(max)),
    value: texts(min, max),
  })),
  bounds.map(([minimum, maximum]) => ({
    field: Schema.Finite.check(Schema.isBetween({ minimum, maximum })),
    // JSON has no negative zero.
    value: fc.double({ min: minimum, max: maximum, noNaN: true }).map((n) => n + 0),
  })),
  bounds.map(([minimum, maximum]) => ({
    field: Schema.Int.check(Schema.isBetween({ minimum, maximum })),
    value: fc.integer({ min: minimum, max: maximum }),
  })),
  fc.constant({ field: Schema.Boolean, value: fc.boolean() }),
  fc.constant({ field: Schema.NumberFromString, value: fc.integer() }),
  options.map((values) => ({ field: Schema.Literals(values), value: fc.constantFrom(...values) })),
  options.map((values) => ({
    field: Schema.Array(Schema.Literals(values)),
    value: fc.array(fc.constantFrom(...values)),
  })),
) as fc.Arbitrary<Typed>;

const put = (record: object, name: string, value: unknown): void => {
  Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true });
};

/** A struct of such fields, with a value of its decoded side. */
const typed = fc.uniqueArray(fc.tuple(name, schemaField, fc.boolean()), { selector: ([name]) => name, maxLength: 5 })
  .chain((fields) =>
    fc.tuple(...fields.map(([, { value }, required]) => required ? value : fc.option(value, { nil: undefined })))
      .map((values) => {
        const members = {};
        // Without a prototype, because Effect's encoder takes inherited members for fields.
        const value: object = Object.create(null);
        fields.forEach(([name, { field }, required], i) => {
          put(members, name, required ? field : Schema.optionalKey(field));
          if (values[i] !== undefined) put(value, name, values[i]);
        });
        return { schema: Schema.Struct(members) as unknown as Schema.Codec<object, object>, value };
      })
  );

describe("forms of Effect schemas", () => {
  test("what the schema encodes is read back as the same value, by the form that is sent too", () => {
    fc.assert(fc.property(typed, ({ schema, value }) => {
      const encoded = Schema.encodeUnknownExit(schema)(value);
      assert(Exit.isSuccess(encoded));
      const content = JSON.parse(JSON.stringify(encoded.value));
      assertEquals(Object.entries(answer(form(schema)(accept(content))) as object), Object.entries(value));
      assertEquals(form(wire(schema) as Need.FormSchema)(accept(content))._tag, "Answer");
    }));
  });

  test("a content that the form refuses is refused, with the same words", () => {
    fc.assert(fc.property(typed, fc.nat(), fc.jsonValue(), ({ schema }, at, value) => {
      const emitted = wire(schema) as Need.FormSchema;
      const names = Object.keys(emitted.properties);
      fc.pre(names.length > 0);
      const content = {};
      put(content, names[at % names.length]!, value);
      const reading = form(emitted)(accept(content));
      fc.pre(reading._tag === "Invalid");
      assertEquals(form(schema)(accept(content)), reading);
    }));
  });

  test("the form that is sent is itself a form that may be written literally", () => {
    fc.assert(fc.property(typed, ({ schema }) => {
      const emitted = wire(schema) as Need.FormSchema;
      assertEquals(wire(emitted), emitted as unknown);
    }));
  });
});

test("a date is a day of the calendar, as the platform has it", () => {
  const read = form(Schema.Struct({ x: Schema.String.annotate({ format: "date" }) }));
  const two = (n: number) => String(n).padStart(2, "0");
  const day = fc.tuple(fc.integer({ min: 1000, max: 9999 }), fc.nat(13), fc.nat(33));
  const edges = fc.tuple(
    fc.constantFrom(1900, 2000, 2023, 2024),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 28, max: 32 }),
  );
  fc.assert(
    fc.property(fc.oneof(day, edges), ([year, month, date]) => {
      const at = new Date(Date.UTC(year, month - 1, date));
      const real = at.getUTCMonth() === month - 1 && at.getUTCDate() === date;
      assertEquals(read(accept({ x: `${year}-${two(month)}-${two(date)}` }))._tag === "Answer", real);
    }),
    { numRuns: 1_000 },
  );
});
