/** Case B72: what was not foreseen is generic for the client and whole for the operator. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { counter, echo, who } from "./fixtures.ts";
import { bothWays, inProcess, log } from "./serve.ts";
import {
  accept,
  again,
  asks,
  type Body,
  call,
  completes,
  FORM,
  type Json,
  META,
  prompt,
  read,
  type Reply,
  rpc,
  send,
  text,
} from "./wire.ts";

class SecretDatabaseError extends Error {
  override readonly name = "SecretDatabaseError";
  readonly password = "SECRET";
}

const circular = (): object => {
  const object: { self?: unknown; note: string } = { note: "SECRET" };
  object.self = object;
  return object;
};

type Handler = Effect.Effect<string, never>;

/** Ends that nobody foresaw; all of them hold something that is nobody's business. */
const ends: { readonly [name: string]: () => Handler } = {
  "throws an error at once": () => {
    throw new Error("SECRET /etc/passwd");
  },
  "throws inside of an Effect": () =>
    Effect.sync(() => {
      throw new SecretDatabaseError("SECRET of the database");
    }),
  "throws in a generator": () =>
    Effect.gen(function* () {
      yield* Effect.yieldNow;
      throw new TypeError("SECRET in a generator");
    }),
  "rejects": () => Effect.promise(() => Promise.reject(new Error("SECRET of a promise"))),
  "dies": () => Effect.die(new Error("SECRET defect", { cause: new Error("SECRET cause") })),
  "dies with a text": () => Effect.die("SECRET text"),
  "throws a text": () =>
    Effect.sync(() => {
      throw "SECRET text";
    }),
  "throws null": () =>
    Effect.sync(() => {
      throw null;
    }),
  "throws undefined": () =>
    Effect.sync(() => {
      throw undefined;
    }),
  "throws a circular object": () =>
    Effect.sync(() => {
      throw circular();
    }),
  "throws what cannot be printed": () =>
    Effect.sync(() => {
      throw Object.assign(Object.create(null), {
        get message() {
          throw new Error("SECRET getter");
        },
      });
    }),
  "fails with an error that its type does not have": () =>
    Effect.fail(new SecretDatabaseError("SECRET")) as unknown as Handler,
  "fails with a text that its type does not have": () => Effect.fail("SECRET") as unknown as Handler,
  "fails with something that looks like a failure": () =>
    Effect.fail({ _tag: "ToolFailure", text: "SECRET" }) as unknown as Handler,
  "dies in many fibers": () =>
    Effect.as(Effect.all([1, 2, 3].map((n) => Effect.die(`SECRET ${n}`)), { concurrency: "unbounded" }), ""),
  "is interrupted": () => Effect.interrupt,
  "dies in a finalizer": () => Effect.ensuring(Effect.succeed("fine"), Effect.die("SECRET finalizer")),
  "dies in a finalizer of a failure": () => Effect.ensuring(Effect.die("SECRET first"), Effect.die("SECRET finalizer")),
  "returns nothing": () => Effect.succeed(undefined as unknown as string),
  "returns what is no content": () => Effect.succeed({ type: "SECRET" } as unknown as string),
  "returns a circular object": () => Effect.succeed(circular() as unknown as string),
  "dies in a step": () => Need.once("step", Effect.die("SECRET step"), Schema.String) as unknown as Handler,
  "has a step whose record cannot be written": () =>
    Need.once("step", Effect.succeed(Symbol("SECRET")), Schema.String as never) as unknown as Handler,
  "has a cell whose value cannot be written": () =>
    Effect.andThen(
      Need.state("cell", { schema: Schema.Int as Schema.Codec<number, unknown>, initial: 0 }).set(
        "SECRET" as unknown as number,
      ),
      Need.again,
    ) as unknown as Handler,
  "returns no Effect": () => "SECRET" as unknown as Handler,
};

const server = (end: () => Handler) =>
  McpServer.make({
    name: "errors",
    version: "1",
    tools: [Tool.make("t", { description: "Ends", handler: end }), echo(counter())],
    prompts: [Prompt.make("p", { description: "Ends", handler: end })],
    resources: [
      Resource.make("note:///r", { name: "r", handler: end }),
      Resource.template("note:///of/{id}", { name: "of", handler: end }),
    ],
  });

/** Names and places that a client has no use for. */
const internals =
  /SECRET|SecretDatabase|TypeError|RangeError|Symbol\(|FiberFailure|Cause\b|_tag|_id|\.ts\b|file:|node:|\bat .*\(|passwd/;

const isGeneric = (reply: Reply): void => assert(!internals.test(reply.text), reply.text);

const generic = (reply: Reply, tool: boolean): void => {
  isGeneric(reply);
  if (tool && reply.result !== undefined) {
    assertEquals([reply.result.resultType, reply.result.isError], ["complete", true], reply.text);
  } else assertEquals([reply.status, reply.error?.code], [200, -32603], reply.text);
};

describe("B72: internals stay inside", () => {
  for (const [name, end] of Object.entries(ends)) {
    test(`B72: a handler that ${name} gives a generic error, the cause is in the log, and the server goes on`, () => {
      const kept = log();
      return inProcess(server(end), async (target) => {
        const bodies: ReadonlyArray<readonly [Body, boolean]> = [
          [call("t"), true],
          [prompt("p"), false],
          [read("note:///r"), false],
          [read("note:///of/1"), false],
        ];
        for (const [body, tool] of bodies) {
          const before = kept.lines.length;
          generic(await send(target, body), tool);
          assert(kept.lines.length > before, "Nothing in the log");
        }
        completes(await send(target, call("echo", { a: 1 })), '{"a":1}');
        const said = kept.lines.map(({ text }) => text).join("\n");
        const silent = [
          "throws null",
          "throws undefined",
          "is interrupted",
          "returns",
          "cannot be written",
          "looks like",
          "cannot be printed",
          "circular",
        ];
        assert(silent.some((part) => name.includes(part)) || said.includes("SECRET"), said);
      }, { layer: kept.layer });
    });
  }

  test("B72: a failure whose text the author chose reaches the client, for every kind of feature", () => {
    const chosen = () => Effect.fail(Tool.fail("Out of stock: 3 left"));
    const server = McpServer.make({
      name: "chosen",
      version: "1",
      tools: [
        Tool.make("t", { description: "Fails", handler: chosen }),
        Tool.make("mapped", {
          description: "Fails with an error of the author's",
          handler: () =>
            Effect.mapError(
              Effect.fail(new SecretDatabaseError("SECRET")),
              Tool.failWith(() => "The database is busy"),
            ),
        }),
      ],
      prompts: [Prompt.make("p", { description: "Fails", handler: chosen })],
      resources: [Resource.template("note:///{id}", { name: "n", handler: () => Effect.fail(Resource.notFound()) })],
    });
    return bothWays(() => server, async (target) => {
      const tool = await send(target, call("t"));
      assertEquals([tool.result?.isError, tool.result?.content?.[0]?.text], [true, "Out of stock: 3 left"]);
      const mapped = await send(target, call("mapped"));
      assertEquals([mapped.result?.isError, mapped.result?.content?.[0]?.text], [true, "The database is busy"]);
      isGeneric(mapped);
      const got = await send(target, prompt("p"));
      assertEquals([got.status, got.error?.code, got.error?.message], [200, -32603, "Out of stock: 3 left"]);
      const missing = await send(target, read("note:///1"));
      assertEquals([missing.status, missing.error?.code, missing.error?.data], [200, -32602, { uri: "note:///1" }]);
    });
  });

  test("B72: an author's schema that throws is generic as well: input, output, form, prompt and completion", () => {
    const explode = Schema.makeFilter<string>(() => {
      throw new Error("SECRET check");
    });
    const Bad = Schema.String.check(explode);
    const kept = log();
    const server = McpServer.make({
      name: "schemas",
      version: "1",
      tools: [
        Tool.make("input", { input: Schema.Struct({ a: Bad }), handler: () => Effect.succeed("x") }),
        Tool.make("output", { output: Schema.Struct({ a: Bad }), handler: () => Effect.succeed({ a: "x" }) }),
        Tool.make("form", {
          handler: () =>
            Effect.map(Need.elicit("k", { message: "Fill in", schema: Schema.Struct({ a: Bad }) }), ({ a }) => a),
        }),
      ],
      prompts: [
        Prompt.make("p", {
          args: Schema.Struct({ a: Bad }),
          complete: { a: () => Effect.die(new Error("SECRET completion")) },
          handler: () => Effect.succeed("x"),
        }),
      ],
    });
    return inProcess(server, async (target) => {
      generic(await send(target, call("input", { a: "x" })), true);
      generic(await send(target, call("output")), true);
      generic(await send(target, prompt("p", { a: "x" })), false);
      const complete = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
      generic(await send(target, rpc("completion/complete", { ...META(), ...complete })), false);
      const first = call("form", {}, FORM);
      const { state } = asks(await send(target, first), "k");
      const reply = await send(
        target,
        again(first, { inputResponses: { k: accept({ a: "x" }) }, requestState: state }),
      );
      isGeneric(reply);
      assert(reply.result?.resultType !== "complete" || reply.result.isError === true, reply.text);
      assert(
        kept.lines.filter(({ text }) => text.includes("SECRET")).length >= 4,
        kept.lines.map(({ text }) => text).join("\n"),
      );
    }, { layer: kept.layer });
  });

  test("B72: hooks that break let nobody in and tell nothing: authentication, visibility, the fallback, a layer", async () => {
    const one = (visible = true) =>
      McpServer.make({
        name: "hooks",
        version: "1",
        tools: [
          Tool.make("t", {
            description: "Hidden by a hook that breaks",
            ...(visible ? {} : {
              visible: () => {
                throw new Error("SECRET hook");
              },
            }),
            handler: () => Effect.succeed("in"),
          }),
        ],
      });
    const broken = (reply: Reply): void => {
      isGeneric(reply);
      assertEquals([reply.result, reply.error?.code], [undefined, -32603], reply.text);
    };
    for (
      const authenticate of [() => Effect.die(new Error("SECRET hook")), () => {
        throw new Error("SECRET hook");
      }] as const
    ) {
      await bothWays(one, async (target) => {
        const reply = await send(target, call("t"));
        broken(reply);
        assertEquals([reply.status, reply.id], [500, undefined]);
      }, { authenticate });
    }
    await bothWays(() => one(false), async (target) => {
      broken(await send(target, call("t")));
      broken(await send(target, rpc("tools/list", META())));
    });
    for (
      const fallback of [() => Effect.die(new Error("SECRET fallback")), () => {
        throw new Error("SECRET fallback");
      }] as const
    ) {
      await bothWays(one, async (target) => {
        const response = await target.fetch(new Request(new URL("/elsewhere", target.url)));
        const text = await response.text();
        assert(response.status === 500 && text === "Internal error" && !internals.test(text), text);
      }, { fallback });
    }
    interface Shop {
      readonly open: true;
    }
    const Shop: Context.Service<Shop, Shop> = Context.Service<Shop>("tests/Shop");
    const needs = McpServer.make({
      name: "hooks",
      version: "1",
      tools: [Tool.make("t", { handler: () => Effect.as(Shop, "in") })],
    });
    await inProcess(needs, async (target) => broken(await send(target, call("t"))), {
      layer: Layer.effect(Shop, Effect.die(new Error("SECRET layer"))),
    });
  });

  test("B72: a commit that dies is for the log: the result stands, and the later ones run", () => {
    const runs = counter();
    const kept = log();
    const commits = Tool.make("commits", {
      description: "Commits three things",
      handler: Effect.fnUntraced(function* () {
        yield* Need.onCommit(runs.count("first"));
        yield* Need.onCommit(Effect.die(new Error("SECRET commit")));
        yield* Need.onCommit(runs.count("third"));
        return `done for ${(yield* who).name}`;
      }),
    });
    return inProcess(McpServer.make({ name: "commits", version: "1", tools: [commits] }), async (target) => {
      const first = call("commits", {}, FORM);
      const { state } = asks(await send(target, first), "who");
      const retry = again(first, { inputResponses: { who: accept({ name: "Ada" }) }, requestState: state });
      completes(await send(target, retry), "done for Ada");
      assertEquals([runs.of("first"), runs.of("third")], [1, 1]);
      assert(kept.lines.some(({ text }) => text.includes("SECRET")));
    }, { layer: kept.layer });
  });

  test("B72: nothing is committed for a result that turns out not to be JSON", () => {
    const runs = counter();
    const kept = log();
    const commits = Tool.make("commits", {
      handler: Effect.fnUntraced(function* () {
        yield* Need.onCommit(runs.count("commit"));
        return Tool.result({ content: "done", _meta: { secret: 1n } });
      }),
    });
    return inProcess(McpServer.make({ name: "commits", version: "1", tools: [commits] }), async (target) => {
      const reply = await send(target, call("commits"));
      assertEquals([reply.result?.isError, text(reply), runs.of("commit")], [true, "Internal error", 0]);
      assert(kept.lines.some(({ text }) => text.includes("meta.secret")));
    }, { layer: kept.layer });
  });

  test("B72: what is wrong with a request is told without repeating its values", () =>
    inProcess(server(() => Effect.succeed("x")), async (target) => {
      const typed = McpServer.make({
        name: "typed",
        version: "1",
        tools: [
          Tool.make("typed", { input: Schema.Struct({ token: Schema.Int }), handler: () => Effect.succeed("x") }),
        ],
      });
      await inProcess(typed, async (inner) => {
        const reply = await send(inner, call("typed", { token: "SECRET token" }));
        assert(reply.result?.isError === true && reply.text.includes("token"), reply.text);
        assert(!reply.text.includes("SECRET"), reply.text);
      });
      const reply = await send(target, { jsonrpc: "2.0", id: 1, method: "tools/call", params: "SECRET" } as Json);
      assert(!reply.text.includes("SECRET"), reply.text);
    }));
});
