/** URI templates: RFC 6570 as far as resources use it, backwards. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { parse } from "../../src/server/uri_template.ts";

const match = (template: string, uri: string): unknown => parse(template).match(uri);

describe("parse: matches", () => {
  const cases: ReadonlyArray<readonly [string, string, unknown]> = [
    ["note://{id}", "note://a", { id: "a" }],
    ["note://{id}", "note://", undefined],
    ["note://{id}", "note://a/b", undefined],
    ["note://{id}", "note://a?b", undefined],
    ["note://{id}", "note://a#b", undefined],
    ["note://{id}", "other://a", undefined],
    ["note:///{dir}/{name}", "note:///café/日本語", { dir: "café", name: "日本語" }],
    ["file:///{+path}", "file:///a/b?c#d", { path: "a/b?c#d" }],
    ["file:///{+path}", "file:///", undefined],
    ["file:///{+path}{?q}", "file:///a/b?q=1", { path: "a/b", q: "1" }],
    ["file:///{+path}/raw", "file:///a/raw/b/raw", { path: "a/raw/b" }],
    ["file:///{name}.txt", "file:///a.b.txt", { name: "a.b" }],
    ["file:///{name}.txt", "file:///.txt", undefined],
    // A variable takes as much as it can.
    ["u://{a}-{b}", "u://x-y-z", { a: "x-y", b: "z" }],
    ["u://{a}-{b}", "u://-z", undefined],
    ["u://{x,y}", "u://1,2", { x: "1", y: "2" }],
    ["u://{x,y}", "u://1", undefined],
    ["u://x{/a,b}", "u://x", {}],
    ["u://x{/a,b}", "u://x/1", { a: "1" }],
    ["u://x{/a,b}", "u://x/1/2", { a: "1", b: "2" }],
    ["u://x{/a,b}", "u://x/1/2/3", undefined],
    ["u://x{/a}", "u://x/", undefined],
    ["u://x{/p*}", "u://x", { p: [] }],
    ["u://x{/p*}", "u://x/1/2/3", { p: ["1", "2", "3"] }],
    ["u://x{/p*}", "u://x//1", undefined],
    ["u://{a}{/b}", "u://1/2", { a: "1", b: "2" }],
    ["u://x{?q,r}", "u://x", {}],
    ["u://x{?q,r}", "u://x?r=2&q=1", { q: "1", r: "2" }],
    ["u://x{?q,r}", "u://x?q=", { q: "" }],
    ["u://x{?q}", "u://x?z=1", undefined],
    ["u://x{?q}", "u://x?q=1&q=2", undefined],
    ["u://x{?q}", "u://x?q=1#f", undefined],
    ["u://x{?t*}", "u://x?t=1&t=2", { t: ["1", "2"] }],
    ["u://x?f=1{&q}{&r}", "u://x?f=1&r=2&q=3", { q: "3", r: "2" }],
    ["u://x?f=1{&q}", "u://x?f=2", undefined],
  ];
  for (const [template, uri, expected] of cases) {
    test(`${template} against ${uri}`, () => assertEquals(match(template, uri), expected));
  }
});

test("parse: decodes escapes strictly, and what is no UTF-8 does not match", () => {
  assertEquals(match("u://{a}", "u://a%20b%2Fc%C3%A9"), { a: "a b/cé" });
  for (const uri of ["u://%", "u://%4", "u://%zz", "u://%ff", "u://%C3"]) {
    assertEquals(match("u://{a}", uri), undefined);
  }
});

test("parse: keeps values under names of the prototype chain apart from it", () => {
  const values = parse("u://{__proto__}").match("u://x");
  assert(values !== undefined && Object.hasOwn(values, "__proto__"));
  assertEquals(Object.getPrototypeOf(values), Object.prototype);
});

describe("parse: refuses", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["u://x", "no variables"],
    ["u://{a", "brace"],
    ["u://a}{b}", "brace"],
    ["u://{}", "no expression"],
    ["u://{a b}", "no expression"],
    ["u://{a:3}", "no expression"],
    ["u://{.a}", 'operator "."'],
    ["u://{;a}", 'operator ";"'],
    ["u://{#a}", 'operator "#"'],
    ["u://{a*}", '"*"'],
    ["u://{/a,b*}", '"*"'],
    ["u://{a}/{a}", "twice"],
    ["u://{a}{b}", "not clear"],
    ["u://{+a}{/b}", "not clear"],
    ["u://{/a}{b}", "not clear"],
    ["u://{?a}/x", "follows"],
    ["{a}", "scheme"],
    ["/x/{a}", "scheme"],
    ["u://a b/{c}", "character"],
  ];
  for (const [template, reason] of cases) {
    test(`${template}: ${reason}`, () => void assertThrows(() => parse(template), reason));
  }
});

test("match: finds what RFC 6570 expands, for generated values (expand, then match, gives them back)", () => {
  const value = fc.string({
    minLength: 1,
    maxLength: 5,
    unit: fc.constantFrom("a", "/", "?", "&", "%", "é", " ", "-", ","),
  });
  const escaped = (text: string) => encodeURIComponent(text);
  fc.assert(fc.property(
    value,
    value,
    fc.option(value, { nil: undefined }),
    fc.option(value, { nil: undefined }),
    (a, b, c, d) => {
      const uri = `u://${escaped(a)}/x/${escaped(b)}` + (c === undefined ? "" : `/${escaped(c)}`) +
        (d === undefined ? "" : `?d=${escaped(d)}`);
      assertEquals(match("u://{a}/x/{b}{/c}{?d}", uri), {
        a,
        b,
        ...(c === undefined ? {} : { c }),
        ...(d === undefined ? {} : { d }),
      });
    },
  ));
});

test("match: takes steps in proportion to the URI, whatever the template (no catastrophic backtracking)", () => {
  const { match } = parse("u://{a}-{b}-{c}-{d}-{e}-{f}.x");
  // A backtracking matcher would try some 8000^5 ways here.
  assertEquals(match(`u://${"-".repeat(8_000)}y`), undefined);
  assertEquals(match(`u://${"a".repeat(9_000)}`), undefined);
});
