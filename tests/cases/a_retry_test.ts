/**
 * Cases B01, B02 and B03: a client comes back with answers and state, whatever the handler is. The parts of the cases
 * that speak of stdio or of earlier revisions are elsewhere.
 */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Prompt, Resource, Tool } from "@needful/mcp";
import { askName, type Counter, counter, who } from "./fixtures.ts";
import { bothWays, inProcess } from "./serve.ts";
import { accept, again, asks, type Body, call, FORM, META, prompt, read, type Reply, rpc, send, text } from "./wire.ts";

const greet = (runs: Counter, name: string) =>
  Effect.gen(function* () {
    yield* runs.count(name);
    const answer = yield* who;
    return `Hello ${answer.name}`;
  });

/** A server whose every kind of handler asks `who`. */
const everyKind = (runs: Counter) =>
  McpServer.make({
    name: "kinds",
    version: "1",
    tools: [
      askName(runs),
      Tool.make("typed", {
        description: "Has an output schema",
        output: Schema.Struct({ greeting: Schema.String }),
        handler: () => Effect.map(greet(runs, "typed"), (greeting) => ({ greeting })),
      }),
    ],
    prompts: [Prompt.make("ask_name", { description: "Asks", handler: () => greet(runs, "prompt") })],
    resources: [
      Resource.make("note:///static", { name: "static", handler: () => greet(runs, "static") }),
      Resource.template("note:///of/{id}", {
        name: "template",
        handler: ({ id }) => Effect.map(greet(runs, "template"), (greeting) => `${greeting} at ${id}`),
      }),
    ],
  });

const kinds: ReadonlyArray<
  { readonly name: string; readonly body: () => Body; readonly says: (reply: Reply) => unknown }
> = [
  { name: "ask_name", body: () => call("ask_name", {}, FORM), says: text },
  { name: "typed", body: () => call("typed", {}, FORM), says: ({ result }) => result?.structuredContent },
  { name: "prompt", body: () => prompt("ask_name", undefined, FORM), says: ({ result }) => result?.["messages"] },
  { name: "static", body: () => read("note:///static", FORM), says: ({ result }) => result?.["contents"] },
  { name: "template", body: () => read("note:///of/7", FORM), says: ({ result }) => result?.["contents"] },
];

const answered = { inputResponses: { who: accept({ name: "Ada" }) } };

const expected: { readonly [name: string]: unknown } = {
  ask_name: "Hello Ada",
  typed: { greeting: "Hello Ada" },
  prompt: [{ role: "user", content: { type: "text", text: "Hello Ada" } }],
  static: [{ uri: "note:///static", text: "Hello Ada" }],
  template: [{ uri: "note:///of/7", text: "Hello Ada at 7" }],
};

describe("B01: answers and state reach the handler", () => {
  for (const { body, name, says } of kinds) {
    test(`B01: ${name} completes in its second round, in process and over HTTP alike`, async () => {
      const results: Array<unknown> = [];
      const runs = counter();
      await bothWays(() => everyKind(runs), async (target) => {
        const first = body();
        const { state } = asks(await send(target, first), "who");
        const second = again(first, { ...answered, requestState: state });
        const reply = await send(target, second);
        assertEquals([reply.status, reply.id, reply.result?.resultType], [200, second.id, "complete"], reply.text);
        assertEquals(says(reply), expected[name]);
        results.push(reply.result);
      });
      assertEquals(runs.of(name), 4);
      assertEquals(results[0], results[1]);
    });
  }

  test("B01: the answers count for the request that carries them only", () => {
    const runs = counter();
    return inProcess(everyKind(runs), async (target) => {
      const first = call("ask_name", {}, FORM);
      const { state } = asks(await send(target, first), "who");
      await send(target, again(first, { ...answered, requestState: state }));
      asks(await send(target, again(first, {})), "who");
    });
  });
});

describe("B02: an interim result is nothing but that", () => {
  for (const { body, name } of kinds) {
    test(`B02: the interim result of ${name} has no members of a complete one`, () =>
      inProcess(everyKind(counter()), async (target) => {
        const reply = await send(target, body());
        const { requests } = asks(reply, "who");
        // MRTR, "InputRequiredResult"; `_meta` names the server (basic, "Per-response protocol fields")
        assertEquals(Object.keys(reply.result!).sort(), ["_meta", "inputRequests", "requestState", "resultType"]);
        assertEquals(requests["who"], {
          method: "elicitation/create",
          params: {
            message: "Who are you?",
            requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
          },
        });
      }));
  }

  test("B02: a handler that asks through a service of the author's is served alike", () => {
    const server = McpServer.make({
      name: "layers",
      version: "1",
      tools: [
        Tool.make("wrapped", {
          description: "Asks deep inside",
          handler: () =>
            greet(counter(), "wrapped").pipe(
              Effect.tapCause(() => Effect.die("a suspension is no failure")),
              Effect.matchCauseEffect({ onFailure: () => Effect.succeed("caught"), onSuccess: Effect.succeed }),
              Effect.annotateLogs("layer", "middle"),
              Effect.withSpan("middleware"),
            ),
        }),
      ],
    });
    return inProcess(server, async (target) => {
      const first = call("wrapped", {}, FORM);
      const { state } = asks(await send(target, first), "who");
      assertEquals(text(await send(target, again(first, { ...answered, requestState: state }))), "Hello Ada");
    });
  });
});

describe("B03: caching hints", () => {
  const cached = () =>
    McpServer.make({
      name: "cached",
      version: "1",
      cache: { discover: { ttl: "1 hour", scope: "public" }, tools: { ttl: "1 hour", scope: "public" } },
      tools: [askName(counter())],
      resources: [
        Resource.make("note:///asks", {
          name: "asks",
          cache: { ttl: "1 hour", scope: "public" },
          handler: () => greet(counter(), "asks"),
        }),
        Resource.make("note:///plain", {
          name: "plain",
          cache: { ttl: "1 hour", scope: "public" },
          handler: () => Effect.succeed("plain"),
        }),
      ],
      prompts: [Prompt.make("plain", { description: "Asks nothing", handler: () => Effect.succeed("plain") })],
    });
  const hints = ({ result }: Reply) => [result?.["ttlMs"], result?.["cacheScope"]];

  test("B03: an interim resources/read has none, a retried one is private and stale, whatever is configured", () =>
    inProcess(cached(), async (target) => {
      const first = read("note:///asks", FORM);
      const interim = await send(target, first);
      const { state } = asks(interim, "who");
      assertEquals(["ttlMs" in interim.result!, "cacheScope" in interim.result!], [false, false]);
      const reply = await send(target, again(first, { ...answered, requestState: state }));
      // Caching, "Cacheable Results" and "Cache Key"; section 8 of the design
      assertEquals(hints(reply), [0, "private"]);
      assertEquals(hints(await send(target, read("note:///plain"))), [3_600_000, "public"]);
    }));

  test("B03: a result whose request carried answers is never to be kept, whatever the method", () =>
    inProcess(cached(), async (target) => {
      for (const method of ["server/discover", "tools/list", "resources/list", "prompts/list"]) {
        assertEquals(hints(await send(target, rpc(method, { ...META(), inputResponses: {} }))), [0, "private"], method);
      }
      assertEquals(hints(await send(target, read("note:///plain", {}, { inputResponses: {} }))), [0, "private"]);
      for (const method of ["server/discover", "tools/list"]) {
        assertEquals(hints(await send(target, rpc(method, META()))), [3_600_000, "public"], method);
      }
    }));

  test("B03: results that are no cacheable ones have none", () =>
    inProcess(cached(), async (target) => {
      const complete = await send(target, call("ask_name", {}, FORM, answered));
      assertEquals(complete.result?.resultType, "complete");
      const got = await send(target, prompt("plain"));
      for (const { result } of [complete, got]) {
        assertEquals(["ttlMs" in result!, "cacheScope" in result!], [false, false]);
      }
    }));
});
