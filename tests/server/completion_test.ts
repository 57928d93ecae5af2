/** Completions (2026-07-28, server/utilities/completion). */
import { test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { Feature } from "../../src/server/feature.ts";
import * as Prompt from "../../src/server/prompt.ts";
import * as Resource from "../../src/server/resource.ts";

const many = Array.from({ length: 250 }, (_, index) => `v${index}`);

const args = Schema.Struct({
  language: Schema.String,
  framework: Schema.optionalKey(Schema.String),
  plain: Schema.optionalKey(Schema.String),
  many: Schema.optionalKey(Schema.String),
  paged: Schema.optionalKey(Schema.String),
});

const prompt = Prompt.make("p", {
  args,
  complete: {
    language: ["Python", "pytorch", "Rust"],
    framework: (value, { language }) => Effect.succeed([`${language}:${value}`]),
    many: () => many,
    paged: () => ({ values: ["a"], total: 7 }),
  },
  handler: () => Effect.succeed(""),
});

const ask = (
  feature: Feature,
  argument: string,
  value: string,
  context: { readonly [argument: string]: string } = {},
): unknown => {
  assert(feature.complete !== undefined);
  return Effect.runSync(feature.complete(argument, value, context) as Effect.Effect<unknown>);
};

test("complete: takes from a list what begins as typed, in any case", () => {
  assertEquals(ask(prompt, "language", "PY"), {
    _tag: "Completion",
    values: ["Python", "pytorch"],
    total: 2,
    hasMore: false,
  });
});

test("complete: gives a function the value and the arguments known so far", () => {
  assertEquals(ask(prompt, "framework", "fla", { language: "python" }), {
    _tag: "Completion",
    values: ["python:fla"],
    total: 1,
    hasMore: false,
  });
});

test("complete: sends 100 values at most, and says how many there are", () => {
  assertEquals(ask(prompt, "many", ""), {
    _tag: "Completion",
    values: many.slice(0, 100),
    total: 250,
    hasMore: true,
  });
  assertEquals(ask(prompt, "paged", ""), { _tag: "Completion", values: ["a"], total: 7, hasMore: true });
});

test("complete: has no values for an argument without a completer, and -32602 for an unknown one", () => {
  assertEquals(ask(prompt, "plain", ""), { _tag: "Completion", values: [], total: 0, hasMore: false });
  for (const name of ["nope", "__proto__", "constructor"]) {
    assertEquals((ask(prompt, name, "") as { readonly code: number }).code, -32602);
  }
});

test("complete: completes the variables of templates", () => {
  const note = Resource.template("note://{id}", {
    name: "note",
    complete: { id: ["1", "12", "2"] },
    handler: () => Effect.succeed(""),
  });
  assertEquals(ask(note, "id", "1"), { _tag: "Completion", values: ["1", "12"], total: 2, hasMore: false });
});

test("complete: is absent where nothing is completed, so that the capability is not declared", () => {
  assertEquals(Prompt.make("p", { args, handler: () => Effect.succeed("") }).complete, undefined);
  assertEquals(Prompt.make("p", { args, complete: {}, handler: () => Effect.succeed("") }).complete, undefined);
});

test("make: refuses a completer for no argument, and a function that throws is the effect's defect", () => {
  const complete = { nope: ["a"] } as Record<never, never>;
  assertThrows(() => Prompt.make("p", { args, complete, handler: () => Effect.succeed("") }), '"nope"');
  const throws = Prompt.make("p", {
    args,
    complete: {
      plain: () => {
        throw new Error("SECRET");
      },
    },
    handler: () => Effect.succeed(""),
  });
  assert(throws.complete !== undefined);
  assertEquals(Effect.runSyncExit(throws.complete("plain", "", {}))._tag, "Failure");
});
