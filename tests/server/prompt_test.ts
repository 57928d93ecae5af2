/** Prompts: arguments, messages, faults (2026-07-28, server/prompts). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import type { Fault } from "../../src/model/fault.ts";
import { Cancelled, Declined, Refused } from "../../src/need/errors.ts";
import * as Content from "../../src/server/content.ts";
import * as Prompt from "../../src/server/prompt.ts";
import { run } from "./run.ts";

const review = Prompt.make("review", {
  title: "Review",
  description: "Reviews code",
  args: Schema.Struct({
    code: Schema.String.annotate({ title: "Code", description: "What to look at" }),
    depth: Schema.optionalKey(Schema.FiniteFromString),
    style: Schema.optionalKey(Schema.Literals(["short", "long"])),
  }),
  handler: ({ code, depth = 1 }) => Effect.succeed(`Review at depth ${depth + 1}: ${code}`),
});

const hello = Prompt.make("hello", { handler: () => Effect.succeed("Hello") });

const faultOf = (result: { readonly reply?: unknown }): Fault => result.reply as Fault;

test("make: lists the arguments from the schema", () => {
  assertEquals<unknown>(review.descriptor, {
    name: "review",
    title: "Review",
    description: "Reviews code",
    arguments: [
      { name: "code", title: "Code", description: "What to look at", required: true },
      { name: "depth", required: false },
      { name: "style", required: false },
    ],
  });
  assertEquals<unknown>(hello.descriptor, { name: "hello" });
});

test("decode: gives the arguments decoded", () => {
  assertEquals<unknown>(review.decode({ code: "x", depth: "2" }), { _tag: "Input", input: { code: "x", depth: 2 } });
});

describe("decode: answers with -32602 and status 200 (DESIGN, section 9)", () => {
  const cases: ReadonlyArray<readonly [string, Record<string, unknown>, string]> = [
    ["a missing argument, naming it", {}, "Missing argument of prompt review: code"],
    ["a number", { code: 1 }, "Argument code of prompt review must be a string"],
    ["null", { code: null }, "Argument code of prompt review must be a string"],
    [
      "an unknown argument that is no string",
      { code: "x", more: [] },
      "Argument more of prompt review must be a string",
    ],
    ["an invalid argument", { code: "x", style: "loud" }, 'style: expected "short" or "long"'],
    ["a string that does not decode", { code: "x", depth: "deep" }, "depth: "],
  ];
  for (const [name, args, message] of cases) {
    test(name, () => {
      const decoded = review.decode(args);
      assert(decoded._tag === "Refused");
      const { code, message: said, status } = faultOf(decoded);
      assertEquals([code, status], [-32602, 200]);
      assertStringIncludes(said, message);
    });
  }
});

test("run: makes one message of the user from text, with the prompt's description", async () => {
  assertEquals<unknown>(await run(review, { code: "x" }), {
    _tag: "Good",
    reply: {
      _tag: "Prompt",
      description: "Reviews code",
      messages: [{ role: "user", content: { type: "text", text: "Review at depth 2: x" } }],
    },
  });
});

test("finish: gives messages of both roles and any content, and an own description", () => {
  const messages = [Prompt.user("a"), Prompt.assistant(Content.image("AA==", { mimeType: "image/png" }))];
  assertEquals<unknown>(hello.finish(Exit.succeed(messages)), { _tag: "Good", reply: { _tag: "Prompt", messages } });
  assertEquals<unknown>(review.finish(Exit.succeed({ messages, description: "Own", _meta: { "x.y/z": 1 } })), {
    _tag: "Good",
    reply: { _tag: "Prompt", messages, description: "Own", meta: { "x.y/z": 1 } },
  });
});

describe("finish: answers with -32603 (DESIGN, section 3, rule 2)", () => {
  const cases: ReadonlyArray<readonly [string, unknown, string, unknown]> = [
    ["a declined question", new Declined({ key: "k" }), 'The user declined "k"', { key: "k", action: "decline" }],
    ["a cancelled question", new Cancelled({ key: "k" }), 'The user cancelled "k"', { key: "k", action: "cancel" }],
    ["a refused question", new Refused({ key: "k", reason: "no" }), 'The client refused "k": no', {
      key: "k",
      action: "refuse",
    }],
    ["a failure", new Prompt.Failure({ text: "Not today" }), "Not today", undefined],
    ["an unknown error", new Error("SECRET"), "Internal error", undefined],
  ];
  for (const [name, error, message, data] of cases) {
    test(name, () => {
      const finished = hello.finish(Exit.fail(error));
      assert(finished._tag === "Bad");
      const fault = faultOf(finished);
      assertEquals<unknown>([fault.code, fault.message, fault.data], [-32603, message, data]);
      assertEquals(finished.cause === undefined, message !== "Internal error");
    });
  }

  test("what is no list of messages", () => {
    for (const value of [undefined, 1, {}, [1], [{ role: "system", content: Content.text("a") }], [{ role: "user" }]]) {
      const finished = hello.finish(Exit.succeed(value));
      assert(finished._tag === "Bad" && finished.cause !== undefined);
      assertEquals(faultOf(finished).message, "Internal error");
    }
  });
});

test("make: refuses names and arguments that are none, naming the prompt", () => {
  assertThrows(() => Prompt.make("", { handler: () => Effect.succeed("") }), "Cannot make prompt");
  assertThrows(() => Prompt.make("a\nb", { handler: () => Effect.succeed("") }), "control character");
  const wrong = Schema.Struct({ n: Schema.Finite }) as unknown as Schema.Codec<unknown, { readonly n: string }>;
  assertThrows(
    () => Prompt.make("p", { args: wrong, handler: () => Effect.succeed("") }),
    'Cannot make prompt "p": the argument "n" is not encoded as a string',
  );
});
