/** Tools: from arguments to replies (cases B69, B70, B72). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import * as SchemaGetter from "effect/SchemaGetter";
import type { ToolReply } from "../../src/model/reply.ts";
import { Cancelled, Declined, Refused } from "../../src/need/errors.ts";
import * as Content from "../../src/server/content.ts";
import type { Finished } from "../../src/server/feature.ts";
import * as Tool from "../../src/server/tool.ts";
import { run } from "./run.ts";

const Order = Schema.Struct({ order: Schema.String, amount: Schema.Finite.check(Schema.isGreaterThan(0)) });
const Receipt = Schema.Struct({ id: Schema.String, at: Schema.optional(Schema.FiniteFromString) });

const textOf = (reply: unknown): string => {
  const [block] = (reply as ToolReply).content;
  return block?.type === "text" ? block.text : "";
};

/** The reply of a tool without input and output whose handler ends so. */
const ending = (exit: Exit.Exit<unknown, unknown>): Finished =>
  Tool.make("t", { handler: () => Effect.succeed("") }).finish(exit);

test("make: lists what the author said, and nothing that was not said", () => {
  const tool = Tool.make("refund", {
    title: "Refund",
    description: "Refunds an order",
    input: Order,
    output: Receipt,
    annotations: { destructiveHint: true },
    icons: [{ src: "https://example.com/i.png" }],
    _meta: { "example.com/x": 1 },
    requires: ["elicitation.form"],
    visible: (principal) => principal.authenticated,
    handler: () => Effect.succeed({ id: "1" }),
  });
  assertEquals<unknown>(tool.descriptor, {
    name: "refund",
    title: "Refund",
    description: "Refunds an order",
    inputSchema: {
      type: "object",
      properties: { order: { type: "string" }, amount: { type: "number", exclusiveMinimum: 0 } },
      required: ["order", "amount"],
    },
    outputSchema: {
      type: "object",
      properties: { id: { type: "string" }, at: { type: "string" } },
      required: ["id"],
    },
    annotations: { destructiveHint: true },
    icons: [{ src: "https://example.com/i.png" }],
    _meta: { "example.com/x": 1 },
  });
  assertEquals(tool.requires, ["elicitation.form"]);
  const bare = Tool.make("bare", { handler: () => Effect.succeed("") });
  assertEquals<unknown>(bare.descriptor, { name: "bare", inputSchema: { type: "object", properties: {} } });
});

describe("make: names", () => {
  // 2026-07-28, server/tools, "Tool names"; the last is case B45's.
  for (const name of ["getUser", "DATA_EXPORT_v2", "admin.tools.list", "a", "x".repeat(128), "=?base64?abc?="]) {
    test(`accepts ${name.slice(0, 20)}`, () => {
      assertEquals(Tool.make(name, { handler: () => Effect.succeed("") }).name, name);
    });
  }
  for (const name of ["", "x".repeat(129), "a b", "a,b", "a\nb", "naïve", "名前"]) {
    test(`refuses ${JSON.stringify(name.slice(0, 20))}`, () => {
      assertThrows(() => Tool.make(name, { handler: () => Effect.succeed("") }), "Cannot make tool");
    });
  }
});

test("make: refuses what is no schema, and says so", () => {
  const input = { parse: () => 1 } as never;
  assertThrows(
    () => Tool.make("parsed", { input, handler: () => Effect.succeed("") }),
    'Cannot make tool "parsed": its input cannot be published: it is neither an Effect Schema nor a JSON Schema by ' +
      "Tool.jsonSchema",
  );
});

describe("decode", () => {
  const tool = Tool.make("refund", { input: Order, handler: ({ order }) => Effect.succeed(order) });

  test("gives valid arguments, without what the schema does not know", () => {
    assertEquals<unknown>(tool.decode({ order: "a", amount: 1, more: 1 }), {
      _tag: "Input",
      input: { order: "a", amount: 1 },
    });
  });

  test("answers invalid arguments with an error result that names every field (DESIGN, section 9)", () => {
    const decoded = tool.decode({ order: 7, amount: -1 });
    assert(decoded._tag === "Refused");
    assertEquals<unknown>(decoded.reply, {
      _tag: "Tool",
      content: [{
        type: "text",
        text:
          "Invalid arguments for tool refund:\n- order: expected a string\n- amount: expected a value greater than 0",
      }],
      isError: true,
    });
  });

  test("says which fields are missing", () => {
    const decoded = tool.decode({});
    assert(decoded._tag === "Refused");
    assertStringIncludes(textOf(decoded.reply), "- order: is missing\n- amount: is missing");
  });

  test("names the tag that is wrong", () => {
    const input = Schema.Union([Schema.TaggedStruct("A", { n: Schema.Int }), Schema.TaggedStruct("B", {})]);
    const decoded = Tool.make("t", { input, handler: () => Effect.succeed("") }).decode({ _tag: "C" });
    assert(decoded._tag === "Refused");
    assertStringIncludes(textOf(decoded.reply), '- _tag: expected "A" or "B"');
  });

  test("gives an author's own message, at the place that it is for", () => {
    const input = Schema.Struct({
      range: Schema.Struct({ from: Schema.Int, to: Schema.Int }).check(
        Schema.makeFilter(({ from, to }) =>
          from <= to || { path: ["to"], issue: "URLs must not end before they begin" }
        ),
      ),
    });
    const decoded = Tool.make("t", { input, handler: () => Effect.succeed("") }).decode({ range: { from: 2, to: 1 } });
    assert(decoded._tag === "Refused");
    assertStringIncludes(textOf(decoded.reply), "- range.to: URLs must not end before they begin");
  });

  test("stays short and shows neither values nor the author's names for types", () => {
    class Secret extends Schema.Class<Secret>("InternalClassName")({ a: Schema.String }) {}
    const input = Schema.Struct({
      list: Schema.Array(Schema.Finite),
      one: Secret,
      record: Schema.Record(Schema.String, Schema.Finite),
    });
    const secret = "SECRET".repeat(10_000);
    const wide = Tool.make("t", { input, handler: () => Effect.succeed("") });
    const small = wide.decode({ list: Array(100).fill(secret), one: secret, record: { ["k".repeat(5_000)]: secret } });
    const large = wide.decode({ list: Array(50_000).fill(secret), one: 1, record: {} });
    for (const decoded of [small, large]) {
      assert(decoded._tag === "Refused");
      const text = textOf(decoded.reply);
      assert(text.length < 3_000, `${text.length}`);
      assert(!text.includes("SECRET") && !text.includes("InternalClassName"), text);
    }
    assert(small._tag === "Refused");
    assertStringIncludes(textOf(small.reply), "more");
  });

  test("hides a schema that breaks, and gives its cause to the log (case B72)", () => {
    const breaks = Schema.String.pipe(Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((): string => {
        throw new Error("SECRET /etc/x");
      }),
      encode: SchemaGetter.passthrough(),
    }));
    const decoded = Tool.make("t", { input: Schema.Struct({ a: breaks }), handler: () => Effect.succeed("") })
      .decode({ a: "x" });
    assert(decoded._tag === "Refused" && decoded.cause !== undefined);
    assertEquals(textOf(decoded.reply), "Internal error");
    assertStringIncludes(Cause.pretty(decoded.cause), "SECRET");
  });
});

describe("finish: without an output, gives the content", () => {
  const block = Content.image("AA==", { mimeType: "image/png" });
  const cases: ReadonlyArray<readonly [string, unknown, unknown]> = [
    ["text", "a", [{ type: "text", text: "a" }]],
    ["empty text", "", [{ type: "text", text: "" }]],
    ["a block", block, [block]],
    ["blocks", [block, Content.text("a")], [block, { type: "text", text: "a" }]],
    ["no blocks", [], []],
  ];
  for (const [name, value, content] of cases) {
    test(name, () =>
      assertEquals<unknown>(ending(Exit.succeed(value)), {
        _tag: "Good",
        reply: { _tag: "Tool", content, isError: false },
      }));
  }

  test("a full result", () => {
    assertEquals<unknown>(ending(Exit.succeed(Tool.result({ content: "a", _meta: { "x.y/z": 1 } }))), {
      _tag: "Good",
      reply: { _tag: "Tool", content: [{ type: "text", text: "a" }], isError: false, meta: { "x.y/z": 1 } },
    });
  });

  const others: ReadonlyArray<readonly [unknown, string]> = [
    [undefined, "nothing"],
    [null, "nothing"],
    [1, "a number"],
    [{}, "an object"],
    [{ type: "text" }, "an object"],
    [[1], "a list"],
    [{ type: "nope" }, "an object"],
  ];
  for (const [value, what] of others) {
    test(`but hides a handler that returned ${JSON.stringify(value)}, and tells the log`, () => {
      const finished = ending(Exit.succeed(value));
      assert(finished._tag === "Bad" && finished.cause !== undefined);
      assertEquals(textOf(finished.reply), "Internal error");
      assertStringIncludes(
        String(Cause.squash(finished.cause)),
        `returned ${what}, which is no content: other values need an output schema`,
      );
    });
  }
});

describe("finish: with an output (case B70)", () => {
  const tool = Tool.make("t", { output: Receipt, handler: () => Effect.succeed({ id: "1" }) });

  test("encodes a success into the structured value and its JSON", () => {
    assertEquals<unknown>(tool.finish(Exit.succeed({ id: "1", at: 12, more: 1 })), {
      _tag: "Good",
      reply: {
        _tag: "Tool",
        content: [{ type: "text", text: '{"id":"1","at":"12"}' }],
        structured: { value: { id: "1", at: "12" } },
        isError: false,
      },
    });
  });

  test("takes content of the author's beside the structured value", () => {
    const finished = tool.finish(Exit.succeed(Tool.result({ structured: { id: "1" }, content: "Receipt 1" })));
    assert(finished._tag === "Good" && finished.reply._tag === "Tool");
    assertEquals<unknown>(finished.reply.content, [{ type: "text", text: "Receipt 1" }]);
    assertEquals<unknown>(finished.reply.structured, { value: { id: "1" } });
  });

  for (const value of [{ id: 1 }, {}, null, "text", [Content.text("a")], Tool.result({ content: "a" })]) {
    test(`hides ${JSON.stringify(value)}, which is not valid by it, and tells the log`, () => {
      const finished = tool.finish(Exit.succeed(value));
      assert(finished._tag === "Bad" && finished.cause !== undefined);
      assertEquals<unknown>(finished.reply, {
        _tag: "Tool",
        content: [{ type: "text", text: "Internal error" }],
        isError: true,
      });
      assertStringIncludes(Cause.pretty(finished.cause), "output schema");
    });
  }

  test("gives failures and crashes no structured value", () => {
    for (const exit of [Exit.fail(Tool.fail("No")), Exit.die("x"), Exit.fail(new Declined({ key: "a" }))]) {
      const finished = tool.finish(exit);
      assert(finished._tag === "Bad" && !("structured" in finished.reply));
    }
  });

  test("may be any JSON value", () => {
    const any = (output: Schema.Codec<unknown>, value: unknown): unknown => {
      const finished = Tool.make("t", { output, handler: () => Effect.succeed("") }).finish(Exit.succeed(value));
      return finished._tag === "Good" && finished.reply._tag === "Tool" ? finished.reply.structured?.value : "bad";
    };
    assertEquals(any(Schema.Array(Schema.Finite), [1, 2]), [1, 2]);
    assertEquals(any(Schema.Null, null), null);
    assertEquals(any(Schema.Finite, 1), 1);
    assertEquals(any(Schema.String, "text"), "text");
    assertEquals(any(Schema.Boolean, false), false);
  });

  test("does not let out what is no JSON", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    const tool = Tool.make("t", { output: Schema.Unknown, handler: () => Effect.succeed("") });
    for (const value of [NaN, 1n, () => 1, Symbol("a"), undefined, { a: [undefined] }, new Date(0), loop]) {
      assertEquals(tool.finish(Exit.succeed(value))._tag, "Bad", String(value));
    }
    assertEquals(tool.finish(Exit.succeed({ a: undefined, b: null }))._tag, "Good");
  });
});

describe("finish: of a handler that failed", () => {
  test("gives the text of a Failure, which is for the client", () => {
    assertEquals<unknown>(ending(Exit.fail(Tool.fail("No such order"))), {
      _tag: "Bad",
      reply: { _tag: "Tool", content: [{ type: "text", text: "No such order" }], isError: true },
    });
  });

  test("says what was declined, cancelled or refused (DESIGN, section 3, rule 2)", () => {
    const said = (error: unknown): string => {
      const finished = ending(Exit.fail(error));
      assert(finished._tag === "Bad" && finished.cause === undefined);
      return textOf(finished.reply);
    };
    assertEquals(said(new Declined({ key: "sure" })), 'The user declined "sure"');
    assertEquals(said(new Cancelled({ key: "sure" })), 'The user cancelled "sure"');
    assertEquals(said(new Refused({ key: "poem", reason: "policy" })), 'The client refused "poem": policy');
  });

  test("gives the text and logs the rest when a finalizer broke as well", () => {
    const cause = Cause.fromReasons<unknown>([...Cause.die("SECRET").reasons, ...Cause.fail(Tool.fail("No")).reasons]);
    const finished = ending(Exit.failCause(cause));
    assert(finished._tag === "Bad");
    assertEquals(textOf(finished.reply), "No");
    assertEquals(finished.cause, cause);
  });
});

describe("run: hides every unexpected failure and keeps its cause for the log (case B72)", () => {
  const secret = "SECRET /etc/x";
  const circular: Record<string, unknown> = { secret };
  circular["self"] = circular;
  class SecretError extends Error {
    override readonly name = "SecretError";
  }
  const cases: ReadonlyArray<readonly [string, Effect.Effect<string, Tool.Errors>]> = [
    [
      "throws",
      Effect.sync(() => {
        throw new SecretError(secret);
      }),
    ],
    ["rejects", Effect.promise(() => Promise.reject(new SecretError(secret)))],
    ["dies", Effect.die(new SecretError(secret))],
    ["throws a string", Effect.die(secret)],
    ["throws an object with a loop", Effect.die(circular)],
    ["fails with an error outside of its type", Effect.fail(new SecretError(secret) as unknown as Tool.Failure)],
    ["fails with what looks like a failure", Effect.fail({ _tag: "ToolFailure", text: secret } as Tool.Failure)],
    ["is interrupted", Effect.interrupt],
  ];
  for (const [name, handler] of cases) {
    test(name, async () => {
      const finished = await run(Tool.make("t", { handler: () => handler }));
      assert(finished._tag === "Bad" && finished.cause !== undefined);
      assertEquals<unknown>(finished.reply, {
        _tag: "Tool",
        content: [{ type: "text", text: "Internal error" }],
        isError: true,
      });
    });
  }

  test("throws before it gives an effect", async () => {
    const finished = await run(Tool.make("t", {
      handler: () => {
        throw new SecretError(secret);
      },
    }));
    assert(finished._tag === "Bad");
    assertEquals(textOf(finished.reply), "Internal error");
  });
});

test("fail, failWith: can be yielded and mapped to", async () => {
  const yielded = await run(Tool.make("t", {
    handler: Effect.fn(function* () {
      return yield* Tool.fail("No");
    }),
  }));
  const mapped = await run(Tool.make("t", {
    handler: () =>
      Effect.fail({ reason: "late" }).pipe(Effect.mapError(Tool.failWith((error) => `Too ${error.reason}`))),
  }));
  assert(yielded._tag === "Bad" && mapped._tag === "Bad");
  assertEquals(textOf(yielded.reply), "No");
  assertEquals(textOf(mapped.reply), "Too late");
});
