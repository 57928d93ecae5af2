/** The journal's text (DESIGN.md, section 12.8): a format with a version, of which `journal.vectors.json` holds examples. */
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { decode, encode, type Journal, start } from "../../src/run/journal.ts";
import vectors from "./journal.vectors.json" with { type: "json" };

const full: Journal = {
  flow: "Zmxvdw",
  round: 3,
  pass: 2,
  answers: new Map([
    ["who", { digest: "d1", raw: { action: "accept", content: { name: "Ada" } } }],
    ["__proto__", { digest: "d2", raw: null }],
  ]),
  asked: new Map([
    ["a", { digest: "d3", kind: "form" }],
    ["b", { digest: "d4", kind: "url" }],
    ["c", { digest: "d5", kind: "sampling" }],
    ["constructor", { digest: "d6", kind: "roots" }],
  ]),
  steps: new Map([
    ["paid", { _tag: "Success", value: { id: 7 } }],
    ["refused", { _tag: "Failure", error: ["no"] }],
    ["broke", { _tag: "Defect", message: "boom" }],
    ["nothing", { _tag: "Success", value: null }],
  ]),
  cells: new Map([["n", 1], ["toString", null]]),
};

/** Journals of handlers that return their questions: with a state of their own, and without. */
const stateful: Journal = { ...full, manual: { state: '{"step":1}' } };
const stateless: Journal = { ...start("Zmxvdw"), round: 2, manual: { state: undefined } };

const named: Readonly<Record<string, Journal>> = { start: start("Zmxvdw"), full, stateful, stateless };

test("encode: writes the text of each vector, and decode reads it", () => {
  assertEquals(vectors.map(({ name }) => name), Object.keys(named));
  for (const { name, text } of vectors) {
    assertEquals(encode(named[name]!), text);
    assertEquals(decode(text), named[name]);
  }
});

test("decode: undefined for every truncation of a text", () => {
  for (const text of [encode(full), encode(stateful)]) {
    for (let length = 0; length < text.length; length++) assertEquals(decode(text.slice(0, length)), undefined);
  }
});

test("decode: undefined for what encode does not write", () => {
  const whole = (): Array<unknown> => JSON.parse(encode(full));
  const changed = (index: number, value: unknown): string => {
    const members = whole();
    members[index] = value;
    return JSON.stringify(members);
  };
  const malformed: ReadonlyArray<string> = [
    "",
    "null",
    "{}",
    "[]",
    "1",
    '"text"',
    JSON.stringify({ ...whole() }),
    JSON.stringify(whole().slice(0, 7)),
    JSON.stringify([...whole(), null]),
    ...[0, 2, "1", null].map((version) => changed(0, version)),
    ...[1, null, ["f"]].map((flow) => changed(1, flow)),
    ...[0, -1, 1.5, "1", null, 2 ** 53].flatMap((count) => [changed(2, count), changed(3, count)]),
    ...[null, {}, "x", [1], [null], [[]], [["k"]], [["k", "d", 1, 2]], [[1, "d", 1]], [["k", 1, 1]]].map((list) =>
      changed(4, list)
    ),
    changed(4, [["k", "d", 1], ["k", "d", 2]]),
    ...[[["k", "d", "other"]], [["k", "d", null]], [["k", 1, "form"]], [["k", "d"]]].map((list) => changed(5, list)),
    ...[[["k", "x", 1]], [["k", "d", 1]], [["k", null, 1]], [["k", "s"]]].map((list) => changed(6, list)),
    ...[[["k"]], [["k", 1, 2]], [[1, 1]], { k: 1 }, [["k", 1], ["k", 1]]].map((list) => changed(7, list)),
  ];
  for (const text of malformed) assertEquals(decode(text), undefined, text);
});

test("decode: the author's state comes with the second version, and only with it", () => {
  const members: ReadonlyArray<unknown> = JSON.parse(encode(stateful));
  assertEquals([members.length, members[0], members[8]], [9, 2, ['{"step":1}']]);
  const malformed = [
    [1, ...members.slice(1)],
    [3, ...members.slice(1)],
    members.slice(0, 8),
    [...members, null],
    ...[null, "s", [], [1], [{}], ["s", "s"], {}].map((manual) => [...members.slice(0, 8), manual]),
  ];
  for (const value of malformed) assertEquals(decode(JSON.stringify(value)), undefined, JSON.stringify(value));
});

test("decode: keys of any name are only keys", () => {
  const journal = decode(encode(full));
  assertEquals(journal?.answers.get("__proto__"), { digest: "d2", raw: null });
  assertEquals(journal?.cells.has("valueOf"), false);
});
