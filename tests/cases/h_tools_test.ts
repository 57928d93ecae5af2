/** Section H of the cases: schemas, outputs and errors of features, on the wire. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Validator } from "@cfworker/json-schema";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import * as SchemaGetter from "effect/SchemaGetter";
import { Content, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { bothWays, inProcess, log } from "./serve.ts";
import { accept, again, asks, call, completes, FORM, META, prompt, read, rpc, send, text } from "./wire.ts";

const about = { name: "cases", version: "1" };
const handler = () => Effect.succeed("done");

class Point extends Schema.Class<Point>("Point")({ x: Schema.Finite }) {}

interface Tree {
  readonly value: string;
  readonly children: ReadonlyArray<Tree>;
}
const Tree: Schema.Codec<Tree> = Schema.Struct({
  value: Schema.String,
  children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree)),
});

describe("B69: one odd input hides no tool", () => {
  /** An input, a value that is valid by it, and one that is not. */
  const shapes: { readonly [name: string]: readonly [Schema.Codec<unknown, unknown>, unknown, unknown] } = {
    struct: [Schema.Struct({ a: Schema.String }), { a: "x" }, { a: 1 }],
    empty: [Schema.Struct({}), {}, undefined],
    union: [
      Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.Finite })]),
      { b: 1 },
      { c: 1 },
    ],
    tagged: [
      Schema.Union([Schema.TaggedStruct("A", { n: Schema.Int }), Schema.TaggedStruct("B", {})]),
      { _tag: "A", n: 1 },
      { _tag: "C" },
    ],
    record: [Schema.Record(Schema.String, Schema.Finite), { a: 1 }, { a: "x" }],
    recursive: [Tree, { value: "a", children: [{ value: "b", children: [] }] }, {
      value: "a",
      children: [{ value: 1, children: [] }],
    }],
    class: [Point, { x: 1 }, { x: "1" }],
    transforms: [Schema.Struct({ n: Schema.FiniteFromString, at: Schema.Date }), {
      n: "1",
      at: "2026-07-28T00:00:00.000Z",
    }, { n: 1, at: 0 }],
    nullable: [Schema.Struct({ a: Schema.NullOr(Schema.String), b: Schema.optional(Schema.Int) }), { a: null }, {
      a: null,
      b: "1",
    }],
    annotated: [Schema.Struct({ a: Schema.String.annotate({ title: "A" }) }).annotate({ description: "All" }), {
      a: "x",
    }, {}],
  };

  const server = () =>
    McpServer.make({
      ...about,
      tools: Object.entries(shapes).map(([name, [input]]) => Tool.make(name, { input, handler })),
    });

  test("every one is listed with an object at its root, and calls agree with what is listed", () =>
    bothWays(server, async (target) => {
      const listed = (await send(target, rpc("tools/list", META()))).result?.["tools"] as ReadonlyArray<
        { readonly name: string; readonly inputSchema: { readonly type: string } }
      >;
      assertEquals(listed.map(({ name }) => name), Object.keys(shapes));
      for (const { inputSchema, name } of listed) {
        assertEquals(inputSchema.type, "object", name);
        const [, good, bad] = shapes[name] ?? [];
        const validator = new Validator(JSON.parse(JSON.stringify(inputSchema)), "2020-12");
        assert(validator.validate(good).valid, name);
        completes(await send(target, call(name, good)), "done");
        if (bad === undefined) continue;
        assert(!validator.validate(bad).valid, name);
        const refused = await send(target, call(name, bad));
        assertEquals([refused.status, refused.result?.resultType, refused.result?.isError], [200, "complete", true]);
        assertStringIncludes(text(refused) ?? "", `Invalid arguments for tool ${name}`);
      }
    }));
});

describe("B70, B02: an output schema is for results that are complete and good", () => {
  const Sum = Schema.Struct({ sum: Schema.Finite });
  const server = () =>
    McpServer.make({
      ...about,
      tools: [
        Tool.make("good", { output: Sum, handler: () => Effect.succeed({ sum: 3 }) }),
        Tool.make("wrong", { output: Sum, handler: () => Effect.succeed({ sum: NaN }) }),
        Tool.make("plain", { output: Sum, handler: () => Effect.succeed("three") }),
        Tool.make("fails", { output: Sum, handler: () => Effect.fail(Tool.fail("No sum today")) }),
        Tool.make("dies", { output: Sum, handler: () => Effect.die("SECRET") }),
        Tool.make("list", { output: Schema.Array(Schema.Finite), handler: () => Effect.succeed([1]) }),
        Tool.make("none", { output: Schema.Null, handler: () => Effect.succeed(null) }),
        Tool.make("number", { output: Schema.Finite, handler: () => Effect.succeed(0) }),
        Tool.make("asks", {
          output: Sum,
          handler: () =>
            Effect.map(
              Need.elicit("n", { message: "Which?", schema: Schema.Struct({ n: Schema.Finite }) }),
              ({ n }) => ({ sum: n }),
            ),
        }),
      ],
    });

  test("successes carry the value and its JSON, of any type", () =>
    bothWays(server, async (target) => {
      for (const [name, value] of [["good", { sum: 3 }], ["list", [1]], ["none", null], ["number", 0]] as const) {
        const reply = await send(target, call(name));
        completes(reply, JSON.stringify(value));
        assertEquals<unknown>(reply.result?.structuredContent, value);
      }
    }));

  test("failures carry none, and a value that breaks the schema is for the log only", async () => {
    const { layer, lines } = log();
    await inProcess(server(), async (target) => {
      for (
        const [name, said] of [["fails", "No sum today"], ["dies", "Internal error"], ["wrong", "Internal error"], [
          "plain",
          "Internal error",
        ]] as const
      ) {
        const reply = await send(target, call(name));
        assertEquals([reply.status, reply.result?.isError, text(reply)], [200, true, said], reply.text);
        assert(reply.result !== undefined && !("structuredContent" in reply.result), reply.text);
      }
    }, { layer });
    assertEquals(lines.filter((line) => line.text.includes("output schema")).length, 2);
  });

  test("an ask carries neither content nor a structured value, and the retry is checked", () =>
    bothWays(server, async (target) => {
      const first = await send(target, call("asks", {}, FORM));
      const { state } = asks(first, "n");
      assert(first.result !== undefined && !("content" in first.result) && !("structuredContent" in first.result));
      const second = await send(
        target,
        again(call("asks", {}, FORM), { requestState: state, inputResponses: { n: accept({ n: 4 }) } }),
      );
      completes(second, '{"sum":4}');
      assertEquals<unknown>(second.result?.structuredContent, { sum: 4 });
    }));
});

test("B72: nothing that an author did not write for the client reaches it, and all of it reaches the log", async () => {
  const secret = "SECRET /etc/x";
  class InternalError extends Error {}
  const breaks = Schema.String.pipe(Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((): string => {
      throw new InternalError(secret);
    }),
    encode: SchemaGetter.transform((): string => {
      throw new InternalError(secret);
    }),
  }));
  const circular: Record<string, unknown> = { secret };
  circular["self"] = circular;
  const endings: { readonly [name: string]: () => Effect.Effect<string> } = {
    throws: () => {
      throw new InternalError(secret);
    },
    rejects: () => Effect.promise(() => Promise.reject(new InternalError(secret))),
    dies: () => Effect.die(new InternalError(secret)),
    string: () => Effect.die(secret),
    circular: () => Effect.die(circular),
    untyped: () => Effect.fail(new InternalError(secret) as never),
    interrupted: () => Effect.interrupt,
  };
  const server = McpServer.make({
    ...about,
    tools: [
      ...Object.entries(endings).map(([name, handler]) => Tool.make(name, { handler })),
      Tool.make("encodes", { output: breaks, handler }),
      Tool.make("decodes", { input: Schema.Struct({ a: breaks }), handler }),
      Tool.make("alive", { handler: () => Effect.succeed(Content.text("still here")) }),
    ],
    prompts: Object.entries(endings).map(([name, handler]) => Prompt.make(name, { handler })),
    resources: Object.entries(endings).map(([name, handler]) => Resource.make(`note:///${name}`, { name, handler })),
  });
  const { layer, lines } = log();
  let calls = 0;
  await inProcess(server, async (target) => {
    const clean = (reply: { readonly text: string }, name: string): void => {
      calls++;
      assert(!/SECRET|InternalError|Cause|\bat \S+:\d+|stack/.test(reply.text), `${name}: ${reply.text}`);
      assertStringIncludes(reply.text, "Internal error", name);
    };
    for (const name of [...Object.keys(endings), "encodes"]) {
      const reply = await send(target, call(name));
      assertEquals([reply.status, reply.result?.isError], [200, true], reply.text);
      clean(reply, name);
    }
    clean(await send(target, call("decodes", { a: "x" })), "decodes");
    for (const name of Object.keys(endings)) {
      for (const reply of [await send(target, prompt(name)), await send(target, read(`note:///${name}`))]) {
        assertEquals(reply.error?.code, -32603, reply.text);
        clean(reply, name);
      }
    }
    completes(await send(target, call("alive")), "still here");
  }, { layer });
  assertEquals(
    lines.filter(({ level }) => level === "Error").length,
    calls,
    JSON.stringify(lines.map(({ text }) => text.slice(0, 80))),
  );
  // An interrupt has no text of its own: a tool, a prompt and a resource.
  assertEquals(lines.filter(({ text }) => text.includes("SECRET")).length, calls - 3);
});
