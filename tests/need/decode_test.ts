/** Decodings that break, and answers that are huge: reading goes on, and says little. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as SchemaGetter from "effect/SchemaGetter";
import * as SchemaIssue from "effect/SchemaIssue";
import type * as Need from "../../src/need/mod.ts";
import { accept, form, reason } from "./help.ts";

describe("elicit: reading never throws", () => {
  const boom = (): never => {
    throw new Error("SECRET /etc/x");
  };
  const broken: ReadonlyArray<readonly [string, Need.FormSource]> = [
    ["a check that throws", Schema.Struct({ x: Schema.String.check(Schema.makeFilter(boom)) })],
    ["a check of the whole that throws", Schema.Struct({ x: Schema.String }).check(Schema.makeFilter(boom))],
    [
      "a decoding that throws",
      Schema.Struct({
        x: Schema.String.pipe(
          Schema.decodeTo(Schema.String, { decode: SchemaGetter.transform(boom), encode: SchemaGetter.passthrough() }),
        ),
      }),
    ],
    [
      "a decoding that takes its time",
      Schema.Struct({
        x: Schema.String.pipe(
          Schema.decodeTo(Schema.String, {
            decode: SchemaGetter.transformEffect(() => Effect.never),
            encode: SchemaGetter.passthrough(),
          }),
        ),
      }),
    ],
    [
      "a decoding that dies",
      Schema.Struct({
        x: Schema.String.pipe(
          Schema.decodeTo(Schema.String, {
            decode: SchemaGetter.transformEffect(() => Effect.die(new Error("SECRET /etc/x"))),
            encode: SchemaGetter.passthrough(),
          }),
        ),
      }),
    ],
  ];
  for (const [what, schema] of broken) {
    test(`${what} makes the answer invalid, and says nothing of why`, () => {
      const text = reason(form(schema)(accept({ x: "a" })));
      assertEquals(text, "The last answer cannot be used: it cannot be read");
    });
  }

  test("reasons are bounded and do not repeat the answer", () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`field number ${i}`, Schema.String]));
    const huge = "x".repeat(1_000_000);
    const echo = Schema.Struct({
      x: Schema.String.pipe(
        Schema.decodeTo(Schema.String, {
          decode: SchemaGetter.transformEffect((s: string) =>
            Effect.fail(new SchemaIssue.InvalidValue({ message: `cannot read "😀${s}"` }))
          ),
          encode: SchemaGetter.passthrough(),
        }),
      ),
    });
    for (
      const [schema, content] of [
        [Schema.Struct(many), {}],
        [Schema.Struct({ x: Schema.String.check(Schema.isMaxLength(3)) }), { x: huge }],
        [Schema.Struct({ x: Schema.Literals(["a"]) }), { x: huge }],
        [Schema.Struct({ x: Schema.Array(Schema.Literals(["a"])) }), { x: Array(100_000).fill(huge) }],
        [echo, { x: "😀".repeat(1000) }],
      ] as ReadonlyArray<readonly [Need.FormSource, unknown]>
    ) {
      const text = reason(form(schema)(accept(content)));
      assert(text.length <= 500, String(text.length));
      assert(text.isWellFormed());
      assert(!text.includes("xxxx"));
    }
  });
});

test("elicit: numbers are finite, as the same answer is read again from JSON in the next round", () => {
  const content = JSON.parse('{ "x": 1e400 }');
  assertEquals(content.x, Infinity);
  for (const [field, kind] of [[Schema.Number, "number"], [Schema.optionalKey(Schema.Number), "number"]] as const) {
    const text = reason(form(Schema.Struct({ x: field }))(accept(content)));
    assertEquals(text, `The last answer cannot be used: "x" must be a ${kind}`);
  }
  assertEquals(form(Schema.Struct({ x: Schema.Number }))(accept({ x: 1e300 })), {
    _tag: "Answer",
    value: { x: 1e300 },
  });
});
