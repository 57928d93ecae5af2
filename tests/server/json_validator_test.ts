/** What is valid by a JSON Schema written by hand (JSON Schema 2020-12, core and validation), and what finding out costs. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import type { JsonRecord } from "../../src/model/json.ts";
import type { ToolReply } from "../../src/model/reply.ts";
import * as Tool from "../../src/server/tool.ts";

/** What is wrong with the arguments; undefined if they are valid. */
const check = (schema: JsonRecord): (args: JsonRecord) => string | undefined => {
  const input = Tool.jsonSchema({ type: "object", ...schema });
  const tool = Tool.make("raw", { input, handler: () => Effect.succeed("") });
  return (args) => {
    const decoded = tool.decode(args);
    if (decoded._tag === "Input") return undefined;
    const { content: [block], isError } = decoded.reply as ToolReply;
    assertEquals(isError, true);
    return block?.type === "text" ? block.text : "";
  };
};

/** The same for one argument, `v`. */
const checkOne = (schema: JsonRecord): (v: unknown) => string | undefined => {
  const textOf = check({ properties: { v: schema } });
  return (v) => textOf({ v });
};

const range = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, index) => index);

type Cases = ReadonlyArray<
  readonly [name: string, schema: JsonRecord, good: ReadonlyArray<unknown>, bad: ReadonlyArray<unknown>]
>;

const judge = (cases: Cases): void => {
  for (const [name, schema, good, bad] of cases) {
    test(name, () => {
      const textOf = checkOne(schema);
      for (const value of good) assertEquals(textOf(value), undefined, JSON.stringify(value));
      for (const value of bad) assertStringIncludes(textOf(value) ?? "", "- v", JSON.stringify(value));
    });
  }
};

describe("jsonSchema: holds a list for unique (validation, section 6.4.3) as", () => {
  const unique = { uniqueItems: true };
  judge([
    ["scalars", unique, [[], [1, "1", true, null, "true", "null"], [0, false, "", []]], [[1, 2, 1], ["a", "a"]]],
    ["numbers, by what they are worth", unique, [[1, 1.5]], [
      JSON.parse("[1, 1.0]"),
      [0, -0],
      JSON.parse("[1e2, 100]"),
    ]],
    ["texts like the names that lists are compared by", unique, [["#0", [1], "#1", { a: 1 }], [["[1]"], [[1]]]], []],
    ["objects, in whatever order their members are", unique, [[{ a: 1 }, { a: 2 }, { b: 1 }, {}]], [[
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ]]],
    ["lists in lists", unique, [[[1, 2], [2, 1], [[1, 2]], [1]]], [[[[1]], [[1]]]]],
    ["members named like those of prototypes", unique, [[JSON.parse('{"__proto__":1}'), {}]], [[
      JSON.parse('{"__proto__":1}'),
      JSON.parse('{"__proto__":1}'),
    ]]],
    ["anything, if the keyword is false", { uniqueItems: false }, [[1, 1]], []],
    ["no list", unique, ["aa", { a: 1, b: 1 }], []],
  ]);
});

describe("jsonSchema: uniqueItems counts where it stands", () => {
  const unique = { uniqueItems: true };
  const tagged = { properties: { kind: { const: "set" } }, required: ["kind"] };
  const sets = { properties: { of: unique } };
  judge([
    ["under anyOf", { anyOf: [unique, { maxItems: 2 }] }, [[1, 2, 3], [1, 1]], [[1, 1, 1]]],
    ["under oneOf", { oneOf: [unique, { maxItems: 2 }] }, [[1, 2, 3], [1, 1]], [[1, 1, 1], [1, 2]]],
    ["under allOf", { allOf: [unique] }, [[1]], [[1, 1]]],
    ["under not", { not: unique }, [[1, 1]], [[1, 2], 1]],
    ["under if", { if: unique, then: { minItems: 2 }, else: { maxItems: 2 } }, [[1, 2], [1, 1]], [[1], [1, 1, 1]]],
    ["under then", { if: tagged, then: sets }, [{ kind: "list", of: [1, 1] }], [{ kind: "set", of: [1, 1] }]],
    ["under else", { if: tagged, else: sets }, [{ kind: "set", of: [1, 1] }], [{ kind: "list", of: [1, 1] }]],
    ["under dependentSchemas", { dependentSchemas: { set: sets } }, [{ of: [1, 1] }], [{ set: 1, of: [1, 1] }]],
    ["under patternProperties", { patternProperties: { "^s": unique } }, [{ l: [1, 1] }], [{ s: [1, 1] }]],
    ["under additionalProperties", { properties: { l: true }, additionalProperties: unique }, [{ l: [1, 1] }], [{
      s: [1, 1],
    }]],
    ["under prefixItems", { prefixItems: [true, unique] }, [[[1, 1]]], [[[], [1, 1]]]],
    ["under items", { items: unique }, [[[1], [1]]], [[[1, 1]]]],
    ["under contains", { contains: unique }, [[[1, 1], [1]]], [[[1, 1]]]],
    ["under unevaluatedItems", { prefixItems: [true], unevaluatedItems: unique }, [[[1, 1]]], [[0, [1, 1]]]],
    ["under unevaluatedProperties", { properties: { l: true }, unevaluatedProperties: unique }, [{ l: [1, 1] }], [{
      s: [1, 1],
    }]],
    ["as a name of a property", { properties: { uniqueItems: { type: "string" } } }, [{ uniqueItems: "" }], [{
      uniqueItems: [1, 1],
    }]],
    ["not in data", { enum: [{ uniqueItems: true }, [1, 1]] }, [[1, 1], { uniqueItems: true }], [[1, 2]]],
  ]);

  test("under $ref", () => {
    const textOf = check({ $defs: { set: unique }, properties: { v: { $ref: "#/$defs/set" } } });
    assertEquals(textOf({ v: [1, 2] }), undefined);
    assertStringIncludes(textOf({ v: [1, 1] }) ?? "", "- v: Duplicate items at indexes 0 and 1");
  });
});

describe("jsonSchema: uniqueItems looks at each part of a value", () => {
  /** An element that counts how often it is read. */
  const counted = (reads: { count: number }, n: number): JsonRecord =>
    Object.defineProperty({}, "n", {
      enumerable: true,
      get: () => {
        reads.count++;
        return n;
      },
    });

  test("a few times, and not once for each other element", () => {
    const reads = { count: 0 };
    const list = range(1_000).map((n) => counted(reads, n));
    assertEquals(checkOne({ uniqueItems: true })(list), undefined);
    assert(reads.count >= 1_000 && reads.count <= 10_000, `${reads.count} reads`);
  });

  test("a few times, and not once for each list around it, nor for each place that asks", () => {
    const reads = { count: 0 };
    const list = { uniqueItems: true, anyOf: range(20).map(() => ({ uniqueItems: true, minItems: 2 })) };
    const textOf = check({
      $defs: { list: { anyOf: [list, { type: "object" }, { uniqueItems: true, items: { $ref: "#/$defs/list" } }] } },
      properties: { v: { $ref: "#/$defs/list" } },
    });
    const nested = (depth: number): unknown => depth === 0 ? counted(reads, 1) : [nested(depth - 1)];
    assertEquals(textOf({ v: nested(100) }), undefined);
    assert(reads.count >= 1 && reads.count <= 20, `${reads.count} reads`);
  });
});

describe("jsonSchema: accepts what is valid however large it is, as", () => {
  test("a list, next to one that is unique", () => {
    const textOf = check({ properties: { tags: { uniqueItems: true }, samples: { items: { type: "number" } } } });
    assertEquals(textOf({ tags: ["a"], samples: Array(100_000).fill(1) }), undefined);
    assertEquals(textOf({ tags: range(100_000) }), undefined);
    assertStringIncludes(
      textOf({ tags: [...range(100_000), 7] }) ?? "",
      "- tags: Duplicate items at indexes 7 and 100000",
    );
  });

  const many = Object.fromEntries(range(200_000).map((n) => [`k${n}`, n]));
  const text = { type: "string" };
  const number = { type: "number" };
  const cases: ReadonlyArray<readonly [string, JsonRecord]> = [
    ["additionalProperties", { anyOf: [{ additionalProperties: text }, { additionalProperties: number }] }],
    ["patternProperties", { anyOf: [{ patternProperties: { k: text } }, { patternProperties: { k: number } }] }],
    ["unevaluatedProperties", { anyOf: [{ unevaluatedProperties: text }, { unevaluatedProperties: number }] }],
    ["propertyNames", { anyOf: [{ propertyNames: { const: "a" } }, { propertyNames: { minLength: 1 } }] }],
    ["members that are refused by not", { not: { additionalProperties: text } }],
    ["members of which all may be anything", { patternProperties: { "": true, k: true }, propertyNames: true }],
  ];
  for (const [name, schema] of cases) {
    test(`an object under ${name}`, () => assertEquals(check(schema)(many), undefined));
  }

  test("a list under contains", () => {
    const textOf = checkOne({ anyOf: [{ contains: text }, { contains: { const: 199_999 } }] });
    assertEquals(textOf(range(200_000)), undefined);
  });

  test("and names what is wrong where it is not", () => {
    const textOf = check({ anyOf: [{ additionalProperties: text }, { additionalProperties: { type: "boolean" } }] });
    assertStringIncludes(textOf(many) ?? "", "- k0: ");
  });
});

test("jsonSchema: counts what looking at a large value again and again costs", () => {
  // Fewer than are spared, but of an object that makes each of them expensive
  const textOf = check({
    $defs: { node: { anyOf: [1, 2].map(() => ({ properties: { a: { $ref: "#/$defs/node" } }, maxProperties: 1 })) } },
    properties: { v: { $ref: "#/$defs/node" } },
  });
  const nested = (depth: number, leaf: unknown): unknown => depth === 0 ? leaf : { a: nested(depth - 1, leaf) };
  const wide = Object.fromEntries(range(1_000).map((n) => [`k${n}`, n]));
  assertStringIncludes(textOf({ v: nested(12, wide) }) ?? "", "takes too long to check");
  assertStringIncludes(textOf({ v: nested(8, { b: 1, c: 1 }) }) ?? "", "- v");
});

describe("jsonSchema: takes what is listed as equal by its worth (validation, sections 6.1.2 and 6.1.3), as", () => {
  const values = [null, true, 1, "a", [1, { b: [] }], { a: 1, b: [2] }];
  const good = [null, true, JSON.parse("1.0"), "a", [1, { b: [] }], { b: [2], a: 1 }];
  const bad = [false, 0, "1", "null", [], [1], [1, { b: [], c: 1 }], {}, { a: 1 }, { a: 1, b: [3] }];
  judge([
    ["enum", { enum: values }, good, bad],
    ["enum of zero", { enum: [0] }, [0, -0], [1, "", false, null]],
    ["enum of nothing", { enum: [] }, [], [null, 0, [], {}]],
    ...values.map((value, index): Cases[number] => [
      `const ${JSON.stringify(value)}`,
      { const: value },
      [good[index]],
      [...bad, ...good.filter((_, other) => other !== index)],
    ]),
  ]);
});

describe("jsonSchema: asserts the format (validation, section 7.3)", () => {
  const cases: ReadonlyArray<readonly [string, string, string]> = [
    ["date", "2028-02-29", "2027-02-29"],
    ["date-time", "2026-07-28T00:00:00Z", "2026-07-28"],
    ["duration", "P1DT2H", "P"],
    ["email", "a@b.example", "a"],
    ["hostname", "a.example", "-a"],
    ["ipv4", "127.0.0.1", "127.0.0.256"],
    ["ipv6", "::1", "1"],
    ["json-pointer", "/a~1b", "a"],
    ["relative-json-pointer", "1/a", "/a"],
    ["time", "00:00:00Z", "24:00:00Z"],
    ["uri", "https://a.example/x", "a b"],
    ["uri-reference", "/x?y#z", "\\"],
    ["uri-template", "/{x}", "/{x"],
    ["uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08"],
  ];
  for (const [format, good, bad] of cases) {
    test(format, () => {
      const textOf = checkOne({ format });
      assertEquals(textOf(good), undefined);
      assertStringIncludes(textOf(bad) ?? "", `- v: String does not match format "${format}"`);
      assertEquals(textOf(1), undefined);
    });
  }
});

test("jsonSchema: takes a format for a note that is none of 2020-12, or whose check is not bounded", () => {
  // Of those after the third, every object inherits the names
  for (const format of ["url", "json-pointer-uri-fragment", "regex", "toString", "hasOwnProperty", "__proto__"]) {
    const textOf = checkOne({ format });
    for (const text of ["", "(", "a b", "http://" + "a:".repeat(50_000) + " "]) {
      assertEquals(textOf(text), undefined, format);
    }
  }
});

describe("jsonSchema: judges a name that is no Unicode like any other, under", () => {
  const name = "\ud800";
  const text = { type: "string" };
  const cases: ReadonlyArray<readonly [string, JsonRecord]> = [
    ["properties", { properties: { [name]: text } }],
    ["patternProperties", { patternProperties: { "": text } }],
    ["additionalProperties", { additionalProperties: text }],
    ["unevaluatedProperties", { unevaluatedProperties: text }],
    ["anyOf", { anyOf: [{ additionalProperties: text }] }],
    ["dependentSchemas", { dependentSchemas: { [name]: { additionalProperties: text } } }],
    ["$ref", { $defs: { [name]: text }, additionalProperties: { $ref: `#/$defs/${name}` } }],
  ];
  for (const [keyword, schema] of cases) {
    test(keyword, () => {
      const textOf = check(schema);
      assertEquals(textOf({ [name]: "x" }), undefined);
      assertStringIncludes(textOf({ [name]: 1 }) ?? "", `- ${name}: `);
    });
  }

  test("propertyNames", () => {
    const textOf = check({ propertyNames: { maxLength: 1 } });
    assertEquals(textOf({ [name]: 1 }), undefined);
    assertStringIncludes(textOf({ [name + name]: 1 }) ?? "", `- ${name}${name}: `);
  });

  test("a required name", () => {
    assertEquals(check({ required: [name] })({ [name]: 1 }), undefined);
    assertStringIncludes(check({ required: [name] })({}) ?? "", name);
  });
});

describe("jsonSchema: knows what has been evaluated (core, sections 11.2 and 11.3)", () => {
  const a = { properties: { a: true } };
  const b = { properties: { b: true }, required: ["b"] };
  judge([
    ["by alternatives that hold, all of them", { anyOf: [a, b], unevaluatedProperties: false }, [
      { a: 1 },
      { a: 1, b: 1 },
    ], [{ c: 1 }]],
    [
      "by no alternative that does not",
      {
        anyOf: [{ ...b, properties: { b: true, c: true } }, a],
        unevaluatedProperties: false,
      },
      [{ b: 1, c: 1 }],
      [{ c: 1 }],
    ],
    ["by the one of oneOf", { oneOf: [b, { not: b, properties: { c: true } }], unevaluatedProperties: false }, [
      { b: 1 },
      { c: 1 },
    ], [{ b: 1, c: 1 }]],
    [
      "by if, and by then or else",
      { if: b, then: a, else: { properties: { c: true } }, unevaluatedProperties: false },
      [
        { a: 1, b: 1 },
        { c: 1 },
      ],
      [{ b: 1, c: 1 }, { a: 1 }],
    ],
    ["by dependentSchemas", { properties: { a: true }, dependentSchemas: { a: b }, unevaluatedProperties: false }, [
      { a: 1, b: 1 },
    ], [{ b: 1 }]],
    ["by patterns and the rest", { allOf: [{ patternProperties: { "^a": true } }], unevaluatedProperties: false }, [
      { ab: 1 },
    ], [{ b: 1 }]],
    [
      "by additionalProperties",
      { allOf: [{ additionalProperties: true }], unevaluatedProperties: false },
      [{ z: 1 }],
      [],
    ],
    ["by unevaluatedProperties inside", { allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false }, [
      { z: 1 },
    ], []],
    ["by nothing that stands beside", { allOf: [a, { unevaluatedProperties: false }] }, [{}], [{ a: 1 }]],
    ["by nothing under not", { not: { not: a }, unevaluatedProperties: false }, [{}], [{ a: 1 }]],
    ["by prefixItems", { allOf: [{ prefixItems: [true] }], unevaluatedItems: false }, [[], [1]], [[1, 2]]],
    ["by items", { allOf: [{ items: true }], unevaluatedItems: false }, [[1, 2]], []],
    ["by contains", { contains: { type: "string" }, unevaluatedItems: { type: "number" } }, [["a", 1]], [["a", true]]],
    ["not by what an element has", { items: { properties: { a: true } }, unevaluatedItems: false }, [[{ b: 1 }]], []],
  ]);
});

describe("jsonSchema: counts what a list contains (validation, sections 6.4.4 and 6.4.5)", () => {
  const contains = { const: 1 };
  judge([
    ["at least one", { contains }, [[0, 1]], [[], [0]]],
    ["at least so many", { contains, minContains: 2 }, [[1, 0, 1]], [[1, 0]]],
    ["none, if none is needed", { contains, minContains: 0 }, [[], [0]], []],
    ["at most so many", { contains, minContains: 0, maxContains: 1 }, [[], [1, 0]], [[1, 1]]],
    ["only with contains", { minContains: 2, maxContains: 0 }, [[], [1]], []],
  ]);
});
