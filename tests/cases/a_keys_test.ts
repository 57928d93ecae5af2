/** Cases B13 and B17, for keys and answers of every kind: keys are names, never positions and never on a prototype. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Need, Prompt, Tool } from "@needful/mcp";
import { counter, echo } from "./fixtures.ts";
import { bothWays, inProcess } from "./serve.ts";
import {
  accept,
  again,
  asks,
  call,
  completes,
  fails,
  FORM,
  type Json,
  META,
  prompt,
  type Reply,
  rpc,
  send,
  text,
} from "./wire.ts";

const hostile = [
  ..."__proto__ constructor toString hasOwnProperty valueOf __defineGetter__ prototype then length 0 1 -1 NaN".split(
    " ",
  ),
  ...[
    "",
    " ",
    "a b",
    "\u0000",
    "\n",
    '"',
    "\\",
    "日本語",
    "é",
    "e\u0301",
    "👩‍👩‍👧",
    "\u2028",
    "\u202e",
    "row:1/2#3?",
    "x".repeat(256),
  ],
].filter((key) => key !== "");

const Value = Schema.Struct({ v: Schema.String });

/** An object with one member, whatever its name. */
const object = (key: string, value: unknown): Json => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`);

/** Asks one question per key, in order. */
const asksKeys = (keys: ReadonlyArray<string>) =>
  McpServer.make({
    name: "keys",
    version: "1",
    tools: [
      Tool.make("asks", {
        description: "Asks by keys",
        handler: Effect.fnUntraced(function* () {
          const all = yield* Effect.forEach(
            keys,
            (key) => Need.elicit(key, { message: `Key ${keys.indexOf(key)}`, schema: Value }),
            { concurrency: "unbounded" },
          );
          return all.map(({ v }) => v).join(",");
        }),
      }),
    ],
  });

/** The entries of `inputRequests` as they stand in the text, for an object would reorder and swallow some. */
const keysOf = (reply: Reply): ReadonlyArray<string> => Object.keys(reply.result?.inputRequests ?? {});

describe("B17: keys", () => {
  for (const key of hostile) {
    test(`B17: a need may have the key ${JSON.stringify(key.slice(0, 24))}`, () =>
      inProcess(asksKeys([key]), async (target) => {
        const first = call("asks", {}, FORM);
        const reply = await send(target, first);
        assertEquals([reply.result?.resultType, keysOf(reply)], ["input_required", [key]], reply.text);
        const state = reply.result!.requestState!;
        const other = again(first, { inputResponses: object(`${key}x`, accept({ v: "no" })), requestState: state });
        assertEquals(keysOf(await send(target, other)), [key]);
        const right = again(first, { inputResponses: object(key, accept({ v: "yes" })), requestState: state });
        completes(await send(target, right), "yes");
        // Volunteered: used, for the key is the same name without a state, too
        completes(await send(target, again(first, { inputResponses: object(key, accept({ v: "yes" })) })), "yes");
        asks(await send(target, again(first, { inputResponses: {} })), ...keysOf(reply));
      }));
  }

  test("B17: answers are told apart by key in whatever order they come", async () => {
    const server = () => asksKeys(hostile);
    await bothWays(server, async (target) => {
      const first = call("asks", {}, FORM);
      const reply = await send(target, first);
      assertEquals([...keysOf(reply)].sort(), [...hostile].sort());
      const entries = hostile.map((key, i) => `${JSON.stringify(key)}:${JSON.stringify(accept({ v: `${i}` }))}`)
        .reverse();
      const responses = JSON.parse(`{${entries.join(",")}}`) as Json;
      const second = again(first, { inputResponses: responses, requestState: reply.result!.requestState });
      completes(await send(target, second), hostile.map((_, i) => `${i}`).join(","));
    });
  });

  test("B17: an empty key and one of more than 256 characters are the author's mistake, told when the need is built", async () => {
    for (const key of ["", "x".repeat(257)]) {
      await inProcess(asksKeys([key]), async (target) => {
        const reply = await send(target, call("asks", {}, FORM));
        assertEquals([reply.result?.resultType, reply.result?.isError], ["complete", true], reply.text);
      });
    }
  });
});

describe("B17: fields, arguments and names like those of prototypes", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];

  test("B17: the field of a form may be named like a member of a prototype, and is only ever an own one", () => {
    const server = McpServer.make({
      name: "fields",
      version: "1",
      tools: names.map((name) =>
        Tool.make(`field-${name}`, {
          description: "Asks for one field",
          handler: () =>
            Need.elicit("k", {
              message: "Field",
              schema: { type: "object", properties: object(name, { type: "string" }) as never, required: [name] },
            }).pipe(Effect.map((content) => JSON.stringify(content))),
        })
      ),
    });
    return inProcess(server, async (target) => {
      for (const name of names) {
        const first = call(`field-${name}`, {}, FORM);
        const { requests, state } = asks(await send(target, first), "k");
        const schema = requests["k"]!.params["requestedSchema"] as Json;
        assertEquals(Object.keys(schema["properties"] as Json), [name]);
        asks(await send(target, again(first, { inputResponses: { k: accept({}) }, requestState: state })), "k");
        const right = again(first, { inputResponses: { k: accept(object(name, "v")) }, requestState: state });
        completes(await send(target, right), JSON.stringify(object(name, "v")));
      }
    });
  });

  test("B17: arguments come through as they are, whatever their names", () =>
    inProcess(McpServer.make({ name: "echo", version: "1", tools: [echo(counter())] }), async (target) => {
      for (const name of hostile) {
        const args = object(name, { deep: object(name, 1) });
        const reply = await send(target, call("echo", args));
        assertEquals(text(reply), JSON.stringify(args), name);
      }
      assertEquals(({} as Json)["deep"], undefined);
    }));

  test("B17: a tool, prompt or method named like a member of a prototype is unknown unless there is one", () => {
    const server = McpServer.make({
      name: "names",
      version: "1",
      tools: [Tool.make("constructor", { description: "Is one", handler: () => Effect.succeed("made") })],
      prompts: [Prompt.make("p", { description: "Is one", handler: () => Effect.succeed("p") })],
    });
    return inProcess(server, async (target) => {
      completes(await send(target, call("constructor")), "made");
      for (const name of ["__proto__", "toString", "hasOwnProperty", ""]) {
        fails(await send(target, call(name)), 200, -32602);
        fails(await send(target, prompt(name)), 200, -32602);
        fails(await send(target, rpc(name, META())), 404, -32601);
      }
      fails(await send(target, prompt("constructor")), 200, -32602);
    });
  });
});

describe("B13: large and deep answers", () => {
  const named = McpServer.make({
    name: "large",
    version: "1",
    tools: [
      Tool.make("asks", {
        description: "Asks for a text",
        handler: () => Need.elicit("k", { message: "Text", schema: Value }).pipe(Effect.map(({ v }) => v)),
      }),
    ],
  });

  test("B13: an answer of a megabyte completes the call, for it need not be sealed any more", () =>
    inProcess(named, async (target) => {
      const first = call("asks", {}, FORM);
      const { state } = asks(await send(target, first), "k");
      const v = "日本語 é 👩‍👩‍👧 \u2028 \u0000".repeat(50_000);
      completes(await send(target, again(first, { inputResponses: { k: accept({ v }) }, requestState: state })), v);
    }));

  test("B13: answers nested too deep for a form are asked again, over 1,000 levels of body are refused (section 9)", () =>
    inProcess(named, async (target) => {
      const first = call("asks", {}, FORM);
      const { state } = asks(await send(target, first), "k");
      const deep = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown;
      for (const levels of [1, 100, 900]) {
        for (const answer of [deep(levels), accept(deep(levels)), accept({ v: deep(levels) })]) {
          asks(await send(target, again(first, { inputResponses: { k: answer }, requestState: state })), "k");
        }
      }
      const reply = await send(target, again(first, { inputResponses: { k: deep(1100) }, requestState: state }));
      assertEquals(reply.status, 400);
      assert(reply.error !== undefined && [-32600, -32700].includes(reply.error.code), reply.text);
    }));

  test("B13: ten thousand unknown answers are ignored, and do not swell the state", () =>
    inProcess(named, async (target) => {
      const first = call("asks", {}, FORM);
      const one = asks(await send(target, first), "k");
      const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`z${i}`, accept({ v: "z" })]));
      const next = asks(await send(target, again(first, { inputResponses: many, requestState: one.state })), "k");
      assert(next.state.length < one.state.length + 40, `${one.state.length} to ${next.state.length}`);
    }));
});
