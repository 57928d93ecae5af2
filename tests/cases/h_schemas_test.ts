/** Cases B69 and B70: what tools take and give, as published and as enforced. Legacy forms of results are not here. */
import { describe, test } from "node:test";
import { Validator } from "@cfworker/json-schema";
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Content, McpServer, Tool } from "@needful/mcp";
import { counter, who } from "./fixtures.ts";
import { inProcess, log } from "./serve.ts";
import { accept, again, asks, call, FORM, type Json, META, rpc, send } from "./wire.ts";

interface Tree {
  readonly value: number;
  readonly children: ReadonlyArray<Tree>;
}

const Tree = Schema.Struct({
  value: Schema.Finite,
  children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree)),
}).annotate({ identifier: "Tree" });

class Person extends Schema.Class<Person>("Person")({ name: Schema.String, age: Schema.Int }) {}

const Circle = Schema.Struct({ kind: Schema.Literal("circle"), r: Schema.Finite });
const Square = Schema.Struct({ kind: Schema.Literal("square"), a: Schema.Finite });

type Any = Schema.Codec<unknown, unknown>;

/** Inputs of every kind, with values that are to be taken and values that are not. */
const inputs: {
  readonly [name: string]: {
    readonly schema: Schema.Top;
    readonly good: ReadonlyArray<Json>;
    readonly bad: ReadonlyArray<Json>;
  };
} = {
  struct: {
    schema: Schema.Struct({ a: Schema.String, n: Schema.Int }),
    good: [{ a: "", n: 1 }],
    bad: [{}, { a: 1, n: 1 }, { a: "", n: 1.5 }],
  },
  empty: { schema: Schema.Struct({}), good: [{}], bad: [] },
  union: {
    schema: Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.Finite })]),
    good: [{ a: "x" }, { b: 1 }],
    bad: [{}, { a: 1 }, { b: "x" }],
  },
  tagged: {
    schema: Schema.Union([Circle, Square]),
    good: [{ kind: "circle", r: 1 }, { kind: "square", a: 2 }],
    bad: [{ kind: "circle" }, { kind: "circle", a: 1 }, { kind: "star" }, {}],
  },
  record: { schema: Schema.Record(Schema.String, Schema.Finite), good: [{}, { a: 1, b: 2 }], bad: [{ a: "x" }] },
  recursive: {
    schema: Tree,
    good: [{ value: 1, children: [] }, { value: 1, children: [{ value: 2, children: [] }] }],
    bad: [{ value: 1 }, { value: 1, children: [{}] }],
  },
  class: { schema: Person, good: [{ name: "Ada", age: 36 }], bad: [{ name: "Ada" }, { name: "Ada", age: "36" }] },
  transform: { schema: Schema.Struct({ n: Schema.FiniteFromString }), good: [{ n: "1.5" }], bad: [{ n: 1.5 }, {}] },
  nullable: {
    schema: Schema.Struct({ a: Schema.NullOr(Schema.String) }),
    good: [{ a: null }, { a: "x" }],
    bad: [{}, { a: 1 }],
  },
  optional: {
    schema: Schema.Struct({ a: Schema.optionalKey(Schema.String), b: Schema.optional(Schema.Int) }),
    good: [{}, { a: "x" }, { a: "x", b: 1 }],
    bad: [{ a: 1 }, { b: 0.5 }],
  },
  nested: {
    schema: Schema.Struct({ a: Schema.Struct({ b: Schema.Array(Schema.Literals(["x", "y"])) }) }),
    good: [{ a: { b: [] } }, { a: { b: ["x", "y", "x"] } }],
    bad: [{ a: {} }, { a: { b: ["z"] } }, { a: { b: "x" } }],
  },
  bounded: {
    schema: Schema.Struct({
      s: Schema.String.check(Schema.isMinLength(2), Schema.isMaxLength(3)),
      n: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 })),
    }),
    good: [{ s: "ab", n: 1 }],
    bad: [{ s: "a", n: 1 }, { s: "abcd", n: 1 }, { s: "ab", n: 3 }],
  },
  annotated: {
    schema: Schema.Struct({ a: Schema.String.annotate({ title: "A", description: "An a" }) }).annotate({
      description: "All",
    }),
    good: [{ a: "" }],
    bad: [{}],
  },
  tuple: {
    schema: Schema.Struct({ t: Schema.Tuple([Schema.String, Schema.Finite]) }),
    good: [{ t: ["a", 1] }],
    bad: [{ t: ["a"] }, { t: [1, "a"] }, { t: ["a", 1, 2] }],
  },
  strange: {
    schema: Schema.Struct({ constructor: Schema.String, "$ref": Schema.Finite, "a.b/c~d": Schema.Boolean }),
    good: [{ constructor: "x", "$ref": 1, "a.b/c~d": true }],
    bad: [{}, { "$ref": 1, "a.b/c~d": true }],
  },
};

const refs = function* (schema: unknown): Generator<string> {
  if (typeof schema !== "object" || schema === null) return;
  for (const [name, value] of Object.entries(schema)) {
    if (name === "$ref" && typeof value === "string") yield value;
    else yield* refs(value);
  }
};

describe("B69: input schemas", () => {
  const server = McpServer.make({
    name: "inputs",
    version: "1",
    tools: Object.entries(inputs).map(([name, { schema }]) =>
      Tool.make(name, {
        description: "Takes an input",
        input: schema as unknown as Any,
        handler: () => Effect.succeed("taken"),
      })
    ),
  });

  test("B69: all tools are listed, each with an object at its root, and nothing is left empty or points elsewhere", () =>
    inProcess(server, async (target) => {
      const { result } = await send(target, rpc("tools/list", META()));
      const tools = result?.["tools"] as ReadonlyArray<{ readonly name: string; readonly inputSchema: Json }>;
      assertEquals(tools.map(({ name }) => name), Object.keys(inputs));
      for (const { inputSchema, name } of tools) {
        assertEquals(inputSchema["type"], "object", name);
        assert(name === "empty" || Object.keys(inputSchema).length > 1, name);
        for (const ref of refs(inputSchema)) {
          assert(name === "strange" || ref.startsWith("#/$defs/"), `${name}: ${ref}`);
        }
        for (const ref of name === "strange" ? [] : refs(inputSchema)) {
          const defs = inputSchema["$defs"] as Json;
          assert(Object.hasOwn(defs, ref.slice("#/$defs/".length)), `${name}: ${ref} leads nowhere`);
        }
      }
      const annotated = tools.find(({ name }) => name === "annotated")!.inputSchema;
      assertEquals((annotated["properties"] as Json)["a"], { type: "string", title: "A", description: "An a" });
    }));

  for (const [name, { bad, good }] of Object.entries(inputs)) {
    test(`B69: a ${name} input: what is published and what is taken agree`, () =>
      inProcess(server, async (target) => {
        const { result } = await send(target, rpc("tools/list", META()));
        const tools = result?.["tools"] as ReadonlyArray<{ readonly name: string; readonly inputSchema: object }>;
        const validator = new Validator(tools.find((tool) => tool.name === name)!.inputSchema, "2020-12");
        for (
          const [args, taken] of [
            ...good.map((args) => [args, true] as const),
            ...bad.map((args) => [args, false] as const),
          ]
        ) {
          assertEquals(validator.validate(args).valid, taken, `published: ${JSON.stringify(args)}`);
          const reply = await send(target, call(name, args));
          assertEquals([reply.status, reply.result?.resultType, reply.result?.isError ?? false], [
            200,
            "complete",
            !taken,
          ], reply.text);
          const said = reply.result?.content?.[0]?.text ?? "";
          if (!taken) assert(said.includes(name), said);
        }
        for (const args of [null, [], "x", 1]) {
          assertEquals((await send(target, call(name, args))).error?.code, -32602, JSON.stringify(args));
        }
      }));
  }

  test("B69: what JSON cannot say fails when the tool is made, and names the tool", () => {
    const impossible: ReadonlyArray<Schema.Top> = [
      Schema.Struct({ f: Schema.instanceOf(Request) }),
      Schema.Struct({ deep: Schema.Struct({ f: Schema.Array(Schema.instanceOf(Request)) }) }),
      Schema.String,
      Schema.Null,
      Schema.Array(Schema.String),
      Schema.Union([Schema.String, Schema.Finite]),
    ];
    for (const schema of impossible) {
      const make = () => Tool.make("culprit", { input: schema as unknown as Any, handler: () => Effect.succeed("x") });
      assertThrows(make, "culprit");
    }
  });

  test("B69: a tool whose name clients cannot use, or that stands twice, is refused when it is made", () => {
    for (const name of ["", "a b", "a,b", "ü", "x".repeat(129), "a\n"]) {
      assertThrows(() => Tool.make(name, { handler: () => Effect.succeed("x") }), "tool");
    }
    const twice = Tool.make("twice", { handler: () => Effect.succeed("x") });
    assertThrows(() => McpServer.make({ name: "n", version: "1", tools: [twice, twice] }), "twice");
  });
});

describe("B70: output schemas", () => {
  const runs = counter();
  const Out = Schema.Struct({ n: Schema.Int, at: Schema.optionalKey(Schema.DateFromString) });
  const structured = <A>(name: string, output: Schema.Codec<A, unknown>, value: A) =>
    Tool.make(name, { description: "Gives a value", output, handler: () => Effect.succeed(value) });
  const server = McpServer.make({
    name: "outputs",
    version: "1",
    tools: [
      structured(
        "object",
        Out as Schema.Codec<{ readonly n: number }, unknown>,
        { n: 1, extra: "dropped" } as { readonly n: number },
      ),
      structured("dated", Out as Schema.Codec<{ readonly n: number; readonly at?: Date }, unknown>, {
        n: 1,
        at: new Date(0),
      }),
      structured("list", Schema.Array(Schema.Int), [1, 2]),
      structured("null", Schema.Null, null),
      structured("number", Schema.Finite, 7),
      structured("text", Schema.String, "seven"),
      structured("broken", Out as Schema.Codec<{ readonly n: number }, unknown>, { n: "SECRET" } as never),
      structured("infinite", Schema.Number as Schema.Codec<number, unknown>, Infinity),
      Tool.make("failing", { description: "Fails", output: Out, handler: () => Effect.fail(Tool.fail("No luck")) }),
      Tool.make("dying", { description: "Dies", output: Out, handler: () => Effect.die(new Error("SECRET")) }),
      Tool.make("asking", {
        description: "Asks first",
        output: Schema.Struct({ name: Schema.String }),
        handler: () => Effect.tap(who, () => runs.count("asking")),
      }),
      Tool.make("both", {
        description: "Gives a value and its own words for it",
        output: Out,
        handler: () => Effect.succeed(Tool.result({ structured: { n: 3 }, content: Content.text("Three") })),
      }),
    ],
  });

  for (
    const [name, value, said] of [
      ["object", { n: 1 }, '{"n":1}'],
      ["dated", { n: 1, at: "1970-01-01T00:00:00.000Z" }, '{"n":1,"at":"1970-01-01T00:00:00.000Z"}'],
      ["list", [1, 2], "[1,2]"],
      ["null", null, "null"],
      ["number", 7, "7"],
      ["text", "seven", '"seven"'],
      ["both", { n: 3 }, "Three"],
    ] as const
  ) {
    test(`B70: ${name}: a success has its value, written by the schema, and text (2026-07-28: any JSON value)`, () =>
      inProcess(server, async (target) => {
        const { result } = await send(target, call(name));
        assertEquals([result?.resultType, result?.isError ?? false, result?.structuredContent], [
          "complete",
          false,
          value,
        ]);
        assertEquals(result?.content, [{ type: "text", text: said }]);
      }));
  }

  for (const name of ["failing", "dying", "broken", "infinite"]) {
    test(`B70: ${name}: an error has no structured content, and is not checked`, () => {
      const kept = log();
      return inProcess(server, async (target) => {
        const reply = await send(target, call(name));
        assertEquals(
          [reply.status, reply.result?.resultType, reply.result?.isError],
          [200, "complete", true],
          reply.text,
        );
        assert(!("structuredContent" in reply.result!) && !reply.text.includes("SECRET"), reply.text);
        assertEquals(reply.text.includes("No luck"), name === "failing");
        // What the author has to know is in the log (B72)
        assertEquals(kept.lines.length > 0, name !== "failing");
      }, { layer: kept.layer });
    });
  }

  test("B70: an interim result is not checked, and the final one is", () =>
    inProcess(server, async (target) => {
      const first = call("asking", {}, FORM);
      const { state } = asks(await send(target, first), "who");
      const { result } = await send(
        target,
        again(first, { inputResponses: { who: accept({ name: "Ada" }) }, requestState: state }),
      );
      assertEquals([result?.structuredContent, runs.of("asking")], [{ name: "Ada" }, 1]);
    }));

  test("B70: every result that is published as structured is valid by what is published", () =>
    inProcess(server, async (target) => {
      const { result } = await send(target, rpc("tools/list", META()));
      for (
        const { name, outputSchema } of result?.["tools"] as ReadonlyArray<
          { readonly name: string; readonly outputSchema?: object }
        >
      ) {
        assert(outputSchema !== undefined, name);
        const reply = await send(target, call(name));
        const value = reply.result?.structuredContent;
        if (value !== undefined) {
          assert(new Validator(outputSchema, "2020-12").validate(value).valid, `${name}: ${JSON.stringify(value)}`);
        }
      }
    }));
});
