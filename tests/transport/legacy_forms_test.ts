/** Cases B18, B26, B27, B29 and B54 for clients of 2025-11-25: what may be put to them, in which shape, and from where. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { Client, tool, withHost } from "./legacy_kit.ts";

const asking = <A, E extends Tool.Errors, R>(name: string, need: Effect.Effect<A, E, R>) =>
  Tool.make(name, { description: name, handler: () => Effect.map(need, (answer) => JSON.stringify(answer)) });

const optionalWithDefaults = Schema.Struct({
  text: Schema.optionalKey(Schema.String.annotate({ default: "" })),
  count: Schema.optionalKey(Schema.Int.annotate({ default: 0 })),
  flag: Schema.optionalKey(Schema.Boolean.annotate({ default: false })),
});

const page = Need.elicitUrl("page", {
  message: "Sign in",
  url: "https://a.example/",
  done: Effect.succeed(Option.some(1)),
});
const messages = [{ role: "user" as const, content: { type: "text" as const, text: "?" } }];

const server = McpServer.make({
  name: "forms",
  version: "1",
  tools: [
    asking("form", Need.confirm("sure", "Sure?")),
    asking("page", page),
    asking(
      "model",
      Need.sample("model", { messages, maxTokens: 1, tools: [{ name: "t", inputSchema: { type: "object" } }] }),
    ),
    asking("roots", Need.roots()),
    asking("empty", Need.elicit("empty", { message: "Go on?", schema: Schema.Struct({}) })),
    asking("titled", Need.choose("titled", { message: "Which?", options: [{ value: "a", title: "A" }] })),
    asking("defaults", Need.elicit("defaults", { message: "Any?", schema: optionalWithDefaults })),
  ],
});

describe("B18: what a client of 2025-11-25 did not declare is not put to it", () => {
  // Client capabilities in `initialize`, the tool, and the method that is asked, or the capability that is missing
  const matrix = [
    [{}, "form", undefined, "elicitation.form"],
    [{ elicitation: {} }, "form", "elicitation/create", undefined],
    [{ elicitation: {} }, "page", undefined, "elicitation.url"],
    [{ elicitation: { url: {} } }, "form", undefined, "elicitation.form"],
    [{ sampling: {} }, "model", undefined, "sampling.tools"],
    [{ roots: {} }, "roots", "roots/list", undefined],
  ] as const;
  for (const [capabilities, name, method, missing] of matrix) {
    test(`B18: ${JSON.stringify(capabilities)}, ${name}`, () =>
      withHost(server, async ({ fetch }) => {
        const client = await Client.open(fetch, { capabilities });
        if (missing !== undefined) {
          const { last } = await client.send(tool(name));
          assertEquals(last.result.isError, true);
          assertStringIncludes(last.result.content[0].text, missing);
          return;
        }
        const events = await client.stream(tool(name));
        assertEquals((await events.next()).method, method);
        await events.leave();
      }));
  }
});

describe("forms of clients of 2025-11-25", () => {
  const form = (name: string, requestedSchema: unknown, content: unknown, said: string) =>
    withHost(server, async ({ fetch }) => {
      const client = await Client.open(fetch);
      const events = await client.stream(tool(name));
      const question = await events.next();
      assertEquals(question.params.requestedSchema, requestedSchema);
      assertEquals(
        await client.answer(question, { action: "accept", ...(content === undefined ? {} : { content }) }),
        202,
      );
      assertEquals((await events.next()).result.content[0].text, said);
    });

  test("B26: a form without fields is accepted with and without content", async () => {
    const schema = { type: "object", properties: {} };
    await form("empty", schema, undefined, "{}");
    await form("empty", schema, {}, "{}");
  });

  test("B27: a titled choice is `oneOf` of `const` and `title`", () =>
    form(
      "titled",
      {
        type: "object",
        properties: { choice: { type: "string", oneOf: [{ const: "a", title: "A" }] } },
        required: ["choice"],
      },
      { choice: "a" },
      '"a"',
    ));

  test("B29: defaults are in wire form, none is dropped, and absent fields stay absent", () =>
    form(
      "defaults",
      {
        type: "object",
        properties: {
          text: { type: "string", default: "" },
          count: { type: "integer", default: 0 },
          flag: { type: "boolean", default: false },
        },
      },
      {},
      "{}",
    ));
});

test("B54: a page from an allowed origin can read the id of its session", () =>
  withHost(server, async ({ fetch }) => {
    const origin = "https://app.example";
    const client = await Client.open(fetch, { headers: { origin } });
    const { headers, status } = await client.send(tool("nothing of the kind"));
    assertEquals(status, 200);
    assertEquals(headers.get("access-control-allow-origin"), origin);
    assert(headers.get("access-control-expose-headers")?.includes("Mcp-Session-Id"));
    assertEquals(headers.get("access-control-allow-credentials"), null);
  }, { allowedOrigins: ["https://app.example"] }));
