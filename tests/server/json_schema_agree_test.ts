/**
 * The law of publishing (case B69): what is valid by the published schema is accepted, and what is accepted is valid by it.
 *
 * Generated are the schemas, and for each of them values that fit, that nearly fit, and that do not.
 */
import { test } from "node:test";
import { Validator } from "@cfworker/json-schema";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as fc from "fast-check";
import * as Tool from "../../src/server/tool.ts";

/** A schema, and values that are likely to be valid by it. */
interface Made {
  readonly schema: Schema.Codec<unknown>;
  readonly value: fc.Arbitrary<unknown>;
}

const codec = (schema: Schema.Top): Schema.Codec<unknown> => schema as unknown as Schema.Codec<unknown>;

/** Values are likely to be the good ones among `values`. */
const made = (schema: Schema.Top, ...values: ReadonlyArray<unknown>): Made => {
  const good = values.filter(Schema.is(Schema.toEncoded(schema)));
  return {
    schema: codec(schema),
    value: fc.oneof({ arbitrary: fc.constantFrom(...good), weight: 8 }, {
      arbitrary: fc.constantFrom(...values),
      weight: 1,
    }),
  };
};

const leaves: ReadonlyArray<Made> = [
  made(Schema.String, "", "a", "ab", "Infinity"),
  made(Schema.NonEmptyString, "", "a"),
  made(Schema.String.check(Schema.isMinLength(2)), "a", "ab", "abc"),
  made(Schema.String.check(Schema.isMaxLength(1)), "", "a", "ab"),
  made(Schema.String.check(Schema.isPattern(/^a+$/)), "a", "aa", "b"),
  made(Schema.String.check(Schema.isPattern(/^a/), Schema.isPattern(/b$/)), "ab", "a", "b", "aab"),
  made(Schema.String.check(Schema.isStartingWith("a.")), "a.b", "ab"),
  made(Schema.Trimmed, "a", " a"),
  made(Schema.Number, 0, 1, -1.5, "NaN", "Infinity"),
  made(Schema.Finite, 0, 1.5, "NaN"),
  made(Schema.Int, 0, 1, 1.5, -3),
  made(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })), -1, 0, 2, 3, 1.5),
  made(Schema.Finite.check(Schema.isGreaterThan(0), Schema.isLessThan(2)), 0, 0.5, 2),
  made(Schema.Finite.check(Schema.isMultipleOf(2)), 0, 2, 3),
  made(Schema.Boolean, true, false),
  made(Schema.Null, null),
  made(Schema.Literal("a"), "a", "b"),
  made(Schema.Literal(1), 1, 2, "1"),
  made(Schema.Literals(["a", "b"]), "a", "b", "c"),
  made(Schema.Literals(["a", 1, true]), "a", 1, true, false),
  made(Schema.TemplateLiteral(["a-", Schema.String]), "a-", "a-b", "b"),
  made(Schema.FiniteFromString.pipe(Schema.encodeTo(Schema.Literals(["1", "2"]))), "1", "2", "3"),
  made(Schema.Unknown, null, 1, "a", [], {}),
  made(Schema.Json, null, 1, "a", [], {}),
  made(Schema.ObjectKeyword, [], {}, 1),
  made(Schema.Struct({}), {}, 1, null, []),
];

/** Objects with these members, of which some are missing at times. */
const record = (members: { readonly [name: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fc.record(members), weight: 5 }, {
    arbitrary: fc.record(members, { requiredKeys: [] }),
    weight: 1,
  });

const names = ["a", "b", "__proto__"] as const;

const fields = (members: ReadonlyArray<readonly [string, Made, number]>): Made => ({
  schema: codec(Schema.Struct(Object.fromEntries(members.map(([name, { schema }, mode]) => [
    name,
    [schema, Schema.optionalKey(schema), Schema.optional(schema), Schema.NullOr(schema)][mode] ?? schema,
  ])))),
  value: record(Object.fromEntries(members.map(([name, { value }]) => [name, value]))),
});

const struct = (member: fc.Arbitrary<Made>): fc.Arbitrary<Made> =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...names), member, fc.nat(3)), {
    minLength: 1,
    selector: ([name]) => name,
  }).map(fields);

const list = ({ schema, value }: Made): Made => ({
  schema: codec(Schema.Array(schema)),
  value: fc.array(value, { maxLength: 3 }),
});

const { schema: anySchema } = fc.letrec<{ readonly schema: Made; readonly leaf: Made }>((tie) => ({
  leaf: fc.constantFrom(...leaves),
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie("leaf"),
    struct(tie("schema")),
    tie("schema").map(list),
    tie("schema").map((inner) => ({ ...list(inner), schema: codec(Schema.NonEmptyArray(inner.schema)) })),
    tie("schema").map((inner) => ({
      ...list(inner),
      schema: codec(Schema.Array(inner.schema).check(Schema.isMinLength(1), Schema.isMaxLength(2))),
    })),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]): Made => ({
      schema: codec(Schema.Tuple([a.schema, Schema.optionalKey(b.schema)])),
      value: fc.oneof(fc.tuple(a.value), fc.tuple(a.value, b.value), fc.tuple(a.value, b.value, b.value)),
    })),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]): Made => ({
      schema: codec(Schema.TupleWithRest(Schema.Tuple([a.schema]), [b.schema])),
      value: fc.oneof(fc.tuple(a.value), fc.tuple(a.value, b.value), fc.tuple(a.value, b.value, b.value)),
    })),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]): Made => ({
      schema: codec(Schema.Union([a.schema, b.schema])),
      value: fc.oneof(a.value, b.value),
    })),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]): Made => ({
      schema: codec(Schema.Union([a.schema, b.schema], { mode: "oneOf" })),
      value: fc.oneof(a.value, b.value),
    })),
    tie("schema").map(({ schema, value }): Made => ({
      schema: codec(Schema.Record(Schema.String, schema)),
      value: fc.dictionary(fc.constantFrom(...names), value),
    })),
    tie("schema").map(({ schema, value }): Made => ({
      schema: codec(Schema.Record(Schema.TemplateLiteral(["a", Schema.String]), schema)),
      value: fc.dictionary(fc.constantFrom("a", "ab", "b"), value),
    })),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]): Made => ({
      schema: codec(
        Schema.StructWithRest(Schema.Struct({ a: a.schema }), [Schema.Record(Schema.String, b.schema)]),
      ),
      value: record({ a: a.value, b: b.value }),
    })),
    tie("schema").map(({ schema, value }): Made => {
      interface Tree {
        readonly value: unknown;
        readonly next?: Tree;
      }
      const tree: Schema.Codec<Tree> = Schema.Struct({
        value: schema,
        next: Schema.optionalKey(Schema.suspend((): Schema.Codec<Tree> => tree)),
      });
      return {
        schema: codec(tree),
        value: fc.oneof(
          fc.record({ value }),
          fc.record({ value, next: fc.record({ value }) }),
          fc.record({ value, next: fc.record({ next: value }) }),
        ),
      };
    }),
  ),
}));

/**
 * Whether every integer in the value is one that programs agree on (RFC 8259, section 6). Effect's `Int` takes no others,
 * which its published schema does not say.
 */
const agreed = (value: unknown): boolean => {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== "object" || value === null || Object.values(value).every(agreed);
};

const anything = fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom("a", "b") }).filter(agreed);

const numRuns = 600;

test("publish: accepts what its JSON Schema allows, and nothing else, for generated schemas (case B69)", () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(
      struct(anySchema).chain((root) =>
        fc.tuple(
          fc.constant(root.schema),
          fc.array(
            fc.oneof({ arbitrary: root.value, weight: 4 }, {
              arbitrary: fc.dictionary(fc.constantFrom(...names), anything),
              weight: 1,
            }),
            {
              minLength: 8,
              maxLength: 8,
            },
          ),
        )
      ),
      ([schema, values]) => {
        const tool = Tool.make("t", { input: schema, handler: () => Effect.succeed("") });
        const published = tool.descriptor["inputSchema"] as { readonly type: unknown };
        assertEquals(published.type, "object");
        const validator = new Validator(JSON.parse(JSON.stringify(published)), "2020-12");
        for (const value of values) {
          const args = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
          const accepted = tool.decode(args)._tag === "Input";
          seen[accepted ? "accepted" : "refused"]++;
          assertEquals(
            accepted,
            validator.validate(args).valid,
            `${JSON.stringify(args)} is ${accepted ? "accepted" : "refused"} against ${JSON.stringify(published)}`,
          );
        }
      },
    ),
    { numRuns },
  );
  // Both sides of the law were tried.
  assert(seen.accepted > numRuns / 2 && seen.refused > numRuns, JSON.stringify(seen));
});
