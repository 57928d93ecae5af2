/** Canonical texts: what they say of equality, and what they keep of a value. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { canonical, isRecord, jsonFault, own } from "../../src/model/json.ts";

/** The same value with the members of every object in the opposite order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isRecord(value)) return value;
  const result = {};
  for (const [key, member] of Object.entries(value).reverse()) {
    Object.defineProperty(result, key, {
      value: reversed(member),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return result;
};

describe("canonical", () => {
  test("B09: does not depend on the order of members, at any depth", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assertEquals(canonical(reversed(value)), canonical(value))));
  });

  test("is JSON of an equal value, so that equal texts mean equal values", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      assertEquals(JSON.parse(canonical(value)), JSON.parse(JSON.stringify(value)));
    }));
  });

  test("keeps the order of lists and the type of numbers and texts", () => {
    const texts = [[1, 2], [2, 1], ["1", 2], [12], "12", 12, [[1], 2], [1, [2]], null, [null], {}, []].map(canonical);
    assertEquals(new Set(texts).size, texts.length);
  });

  const vectors: ReadonlyArray<readonly [unknown, string]> = [
    [{ b: 1, a: { d: null, c: [true, "x"] } }, `{"a":{"c":[true,"x"],"d":null},"b":1}`],
    [{ a: undefined, b: 1 }, `{"b":1}`],
    [[undefined], "[null]"],
    [{ "\u20ac": 1, "\r": 2, "1": 3, "\ud83d\ude00": 4, "\u00f6": 5 }, `{"\\r":2,"1":3,"ö":5,"€":1,"😀":4}`],
    [JSON.parse(`{"__proto__":1,"a":2}`), `{"__proto__":1,"a":2}`],
    [-0, "0"],
    // As JSON.parse reads them: too large for a double, and not null
    [Infinity, "1e999"],
    [-Infinity, "-1e999"],
    ["\ud800", `"\\ud800"`],
    [undefined, "null"],
  ];
  for (const [value, text] of vectors) test(`writes ${text}`, () => assertEquals(canonical(value), text));
});

describe("own", () => {
  test("gives own members only", () => {
    assertEquals(own({ a: 1 }, "a"), 1);
    for (const key of ["b", "toString", "constructor", "__proto__"]) assertEquals(own({ a: 1 }, key), undefined);
    assertEquals(own(Object.create({ a: 1 }), "a"), undefined);
    assertEquals(own(JSON.parse(`{"__proto__":1}`), "__proto__"), 1);
  });
});

describe("isRecord", () => {
  test("takes objects, and no lists, null or other values", () => {
    assert(isRecord({}) && isRecord(Object.create(null)));
    for (const value of [null, undefined, [], "x", 1, true, () => 1]) assert(!isRecord(value));
  });
});

describe("jsonFault", () => {
  test("finds nothing wrong with what JSON can say, and takes members that are undefined for absent", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assertEquals(jsonFault(value), undefined)));
    assertEquals(jsonFault({ a: undefined, b: [1, "x", null] }), undefined);
  });

  test("says where something else stands", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const bad: ReadonlyArray<readonly [unknown, string]> = [
      [1n, "the value is no JSON"],
      [undefined, "the value is no JSON"],
      [{ a: [{ b: NaN }] }, '"a[0].b" is no JSON'],
      [[undefined], '"[0]" is no JSON'],
      [{ at: new Date(0) }, '"at" is no JSON'],
      [{ f: () => 1 }, '"f" is no JSON'],
      [circle, "the value is nested over 1000 levels"],
    ];
    for (const [value, fault] of bad) assertEquals(jsonFault(value), fault);
    for (const wrap of [(inner: unknown) => [inner], (a: unknown) => ({ a })]) {
      const nested = (levels: number): unknown => levels === 0 ? 1 : wrap(nested(levels - 1));
      assertEquals([1_001, 1_002].map((levels) => jsonFault(nested(levels)) === undefined), [true, false]);
    }
  });
});
