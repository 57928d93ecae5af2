/**
 * V8 takes a function that is assigned to a member for one that lives long, and allocates it among what is old. What it
 * closes over then outlives every collection of what is young: once per request, that was half of what a call cost.
 */
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { assertEquals } from "@std/assert";

const root = new URL("../../src/", import.meta.url);

/** `this.#cancel = () => …` and the like; not the initial value of a field, which is no assignment. */
const assigned = /\bthis\.#?\w+ (?:\?\?|\|\|)?= (?:async )?(?:function\b|\w+ =>|\([^()]*\)(?:: [^=]+)? =>)/;

const offences = (name: string, text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line, index) => assigned.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : []);

test("sources: assign no function to a member", () => {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("testing"));
  assertEquals(names.flatMap((name) => offences(name, readFileSync(new URL(name, root), "utf8"))), []);
});

test("sources: what is looked for is found", () => {
  const found = [
    "this.#cancel = () => fiber.stop();",
    "this.done ??= async (x: number): Promise<void> => {",
    "this.read = text => text;",
  ];
  const others = ["#cancel: () => void = () => {};", "const f = () => 1;", "this.#cancel = cancel;", "this.b === c"];
  assertEquals([...found, ...others].filter((line) => offences("a.ts", line).length > 0), found);
});
