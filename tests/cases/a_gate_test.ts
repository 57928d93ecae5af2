/** Cases B18 and B23: a client is asked only for what this very request declares. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { Call, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { askChain, type Counter, counter, who } from "./fixtures.ts";
import { bothWays, inProcess } from "./serve.ts";
import {
  accept,
  again,
  ANY,
  asks,
  type Body,
  call,
  completes,
  events,
  fails,
  FORM,
  headers,
  type Json,
  META,
  prompt,
  read,
  send,
} from "./wire.ts";

const message = [{ role: "user", content: { type: "text", text: "A poem" } }] as const;
const page = Need.elicitUrl("page", {
  message: "Go there",
  url: "https://example.com/there",
  done: Effect.succeed(Option.none<string>()),
});
const needs = {
  form: who,
  url: page,
  sampling: Need.sample("poem", { messages: message, maxTokens: 9 }),
  tools: Need.sample("poem", {
    messages: message,
    maxTokens: 9,
    tools: [{ name: "t", inputSchema: { type: "object" } }],
  }),
  context: Need.sample("poem", { messages: message, maxTokens: 9, includeContext: "thisServer" }),
  noContext: Need.sample("poem", { messages: message, maxTokens: 9, includeContext: "none" }),
  roots: Need.roots("roots"),
} as const;

type Kind = keyof typeof needs;

const ask = (kind: Kind) =>
  Effect.as(needs[kind] as Need.Need<unknown, Need.Declined, Need.Elicitation | Need.Sampling | Need.Roots>, kind);

const server = (runs: Counter) =>
  McpServer.make({
    name: "gate",
    version: "1",
    tools: (Object.keys(needs) as ReadonlyArray<Kind>).map((kind) =>
      Tool.make(kind, { description: "Asks", handler: () => Effect.andThen(runs.count(kind), ask(kind)) })
    ),
    prompts: (Object.keys(needs) as ReadonlyArray<Kind>).map((kind) =>
      Prompt.make(kind, { description: "Asks", handler: () => Effect.andThen(runs.count(kind), ask(kind)) })
    ),
    resources: (Object.keys(needs) as ReadonlyArray<Kind>).map((kind) =>
      Resource.make(`note:///${kind}`, { name: kind, handler: () => Effect.andThen(runs.count(kind), ask(kind)) })
    ),
  });

/** What is declared, what is asked, and what is missing (BASE, elicitation and sampling, "Capabilities"). */
const matrix: ReadonlyArray<readonly [caps: Json, kind: Kind, missing: Json | undefined]> = [
  [{}, "form", { elicitation: { form: {} } }],
  [{ elicitation: {} }, "form", undefined],
  [{ elicitation: {} }, "url", { elicitation: { url: {} } }],
  [{ elicitation: { url: {} } }, "form", { elicitation: { form: {} } }],
  [{ elicitation: { url: {} } }, "url", undefined],
  [{ elicitation: { form: {} } }, "url", { elicitation: { url: {} } }],
  [{ elicitation: { "vendor.x/y": {} } }, "form", undefined],
  [{ sampling: {} }, "sampling", undefined],
  [{ sampling: {} }, "tools", { sampling: { tools: {} } }],
  [{ sampling: { tools: {} } }, "tools", undefined],
  [{ sampling: {} }, "context", { sampling: { context: {} } }],
  [{ sampling: { tools: {} } }, "context", { sampling: { context: {} } }],
  [{ sampling: {} }, "noContext", undefined],
  [{}, "sampling", { sampling: {} }],
  [{}, "tools", { sampling: { tools: {} } }],
  [{ roots: {} }, "roots", undefined],
  [{ roots: { listChanged: true } }, "roots", undefined],
  [{}, "roots", { roots: {} }],
  [{ "vendor.x/y": {}, "experimental": { roots: {} } }, "roots", { roots: {} }],
];

const methods: ReadonlyArray<readonly [string, (kind: Kind, caps: Json) => Body]> = [
  ["tools/call", (kind, caps) => call(kind, {}, caps)],
  ["prompts/get", (kind, caps) => prompt(kind, {}, caps)],
  ["resources/read", (kind, caps) => read(`note:///${kind}`, caps)],
];

const keyOf = (kind: Kind): string => needs[kind].key;

describe("B18: the capability gate", () => {
  for (const [method, body] of methods) {
    for (const [caps, kind, missing] of matrix) {
      const outcome = missing === undefined ? "asked" : `refused, naming ${JSON.stringify(missing)}`;
      test(`B18: ${method} of ${kind} from a client with ${JSON.stringify(caps)} is ${outcome}`, () => {
        const runs = counter();
        return inProcess(server(runs), async (target) => {
          const reply = await send(target, body(kind, caps));
          if (missing === undefined) return void asks(reply, keyOf(kind));
          assertEquals(fails(reply, 400, -32021).data, { requiredCapabilities: missing });
        });
      });
    }
  }

  test("B18: a member of a prototype declares nothing, and a null neither", () =>
    inProcess(server(counter()), async (target) => {
      const inherited = JSON.parse('{"__proto__":{"roots":{}}}') as Json;
      fails(await send(target, call("roots", {}, inherited)), 400, -32021);
      fails(
        await send(target, call("form", {}, JSON.parse('{"elicitation":{"__proto__":{"form":{}}, "url":{}}}'))),
        400,
        -32021,
      );
    }));

  test("B18: capabilities that go away between rounds count as they are now", () =>
    inProcess(McpServer.make({ name: "chain", version: "1", tools: [askChain(counter())] }), async (target) => {
      const first = call("ask_chain", {}, FORM);
      const one = asks(await send(target, first), "a");
      const answers = { inputResponses: { a: accept({ v: "1" }) }, requestState: one.state };
      const without = call("ask_chain", {}, {}, answers);
      assertEquals(fails(await send(target, without), 400, -32021).data, {
        requiredCapabilities: { elicitation: { form: {} } },
      });
      const next = asks(await send(target, again(first, answers)), "b");
      const last = { inputResponses: { b: accept({ v: "2" }) }, requestState: next.state };
      completes(await send(target, call("ask_chain", {}, {}, last)), "1 2");
    }));

  test("B18: one of several that cannot be asked refuses the whole, and all that is missing is named", async () => {
    const together = McpServer.make({
      name: "together",
      version: "1",
      tools: [
        Tool.make("all", {
          description: "Asks",
          handler: () => Effect.as(Need.all([ask("form"), ask("sampling"), ask("roots")]), "done"),
        }),
        Tool.make("late", {
          description: "Asks, one of it after a yield",
          handler: () =>
            Effect.as(
              Effect.all([ask("form"), ask("tools"), Effect.andThen(Effect.yieldNow, ask("url"))], {
                concurrency: "unbounded",
              }),
              "done",
            ),
        }),
      ],
    });
    await bothWays(() => together, async (target) => {
      const some = await send(target, call("all", {}, FORM));
      assertEquals(fails(some, 400, -32021).data, { requiredCapabilities: { sampling: {}, roots: {} } });
      const none = await send(target, call("late", {}, {}));
      assertEquals(fails(none, 400, -32021).data, {
        requiredCapabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
      });
      asks(await send(target, call("all", {}, ANY)), "who", "poem", "roots");
    });
  });

  test("B18: on a stream that has begun, the refusal is the last event (section 9)", () => {
    const loud = McpServer.make({
      name: "loud",
      version: "1",
      tools: [
        Tool.make("loud", {
          description: "Tells how far it is, then asks",
          handler: () => Effect.andThen(Call.progress({ progress: 1 }), ask("form")),
        }),
      ],
    });
    return bothWays(() => loud, async (target) => {
      const body = { ...call("loud"), params: { name: "loud", ...META({}, { progressToken: "p" }) } };
      const request = new Request(target.url, {
        method: "POST",
        headers: headers(body as unknown as Json),
        body: JSON.stringify(body),
      });
      const response = await target.fetch(request);
      assertEquals([response.status, response.headers.get("content-type")], [200, "text/event-stream"]);
      const [progress, last, ...rest] = events(await response.text());
      assertEquals([progress?.["method"], rest.length], ["notifications/progress", 0]);
      assertEquals((last?.["error"] as Json)["code"], -32021);
    });
  });

  test("B18: what a feature requires is refused before its handler runs", () => {
    const runs = counter();
    const strict = McpServer.make({
      name: "strict",
      version: "1",
      tools: [
        Tool.make("strict", {
          description: "Needs a client that can do both",
          requires: ["elicitation.url", "sampling.tools"],
          handler: () => Effect.as(runs.count("strict"), "ran"),
        }),
      ],
    });
    return inProcess(strict, async (target) => {
      assertEquals(fails(await send(target, call("strict", {}, FORM)), 400, -32021).data, {
        requiredCapabilities: { elicitation: { url: {} }, sampling: { tools: {} } },
      });
      assertEquals(runs.of("strict"), 0);
      completes(await send(target, call("strict", {}, ANY)), "ran");
    });
  });

  test("B18: no catch, exit, retry or ignore of the handler sees the refusal", () => {
    const runs = counter();
    const swallow = Effect.gen(function* () {
      const exit = yield* Effect.exit(ask("form"));
      yield* runs.count("after exit");
      return exit._tag;
    }).pipe(
      Effect.catchCause(() => Effect.as(runs.count("caught"), "caught")),
      Effect.retry({ times: 3 }),
      Effect.orElseSucceed(() => "else"),
    );
    const server = McpServer.make({
      name: "swallow",
      version: "1",
      tools: [Tool.make("swallow", { description: "Swallows", handler: () => swallow })],
    });
    return inProcess(server, async (target) => {
      fails(await send(target, call("swallow")), 400, -32021);
      assertEquals([runs.of("after exit"), runs.of("caught")], [0, 0]);
    });
  });

  test("B18: optional goes on without what cannot be asked, and tells that from a no", () => {
    const server = McpServer.make({
      name: "optional",
      version: "1",
      tools: [
        Tool.make("optional", {
          description: "Asks if it can",
          handler: () =>
            Need.optional(who).pipe(Effect.map(Option.match({ onNone: () => "nobody", onSome: ({ name }) => name }))),
        }),
        Tool.make("supports", {
          description: "Says what it could ask",
          handler: () =>
            Effect.map(
              Effect.forEach(["elicitation.form", "elicitation.url", "sampling", "roots"] as const, Need.supports),
              (all) => all.join(),
            ),
        }),
      ],
    });
    return inProcess(server, async (target) => {
      completes(await send(target, call("optional")), "nobody");
      const first = call("optional", {}, FORM);
      const { state } = asks(await send(target, first), "who");
      const declined = await send(
        target,
        again(first, { inputResponses: { who: { action: "decline" } }, requestState: state }),
      );
      assertEquals(declined.result?.isError, true);
      assert(declined.result?.content?.[0]?.text?.includes("who"), declined.text);
      completes(await send(target, call("supports", {}, { elicitation: {}, roots: {} })), "true,false,false,true");
    });
  });
});

describe("B23: capabilities are those of the request, never of an earlier one", () => {
  test("B23: the next request of the same connection without them is refused", async () => {
    const runs = counter();
    await bothWays(() => server(runs), async (target) => {
      asks(await send(target, call("form", {}, FORM)), "who");
      fails(await send(target, call("form")), 400, -32021);
      asks(await send(target, call("form", {}, FORM)), "who");
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => send(target, call("form", {}, i % 2 === 0 ? FORM : {}))),
      );
      assertEquals(replies.map(({ status }) => status), Array.from({ length: 20 }, (_, i) => i % 2 === 0 ? 200 : 400));
    });
  });
});
