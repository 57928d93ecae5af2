/** The bridge on the wire of older revisions: what is sent, withdrawn, and never sent (DESIGN, section 6; B19). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Manual, McpServer, Tool } from "@needful/mcp";
import type { Wire } from "../transport/fixture.ts";
import { Client, type Host, tool, withHost } from "../transport/legacy_kit.ts";

const name = Schema.Struct({ name: Schema.NonEmptyString });
const several = Schema.Struct({ tags: Schema.Array(Schema.Literals(["a", "b"])) });
const requests = {
  a: Manual.elicit({ message: "A?", schema: name }),
  b: Manual.elicit({ message: "B?", schema: name }),
  c: Manual.elicit({ message: "C?", schema: name }),
};
const oddKeys = ["__proto__", "constructor", "toString"];
const oddly: Record<string, typeof requests.a> = Object.fromEntries(oddKeys.map((key) => [key, requests.a]));
/** What not every revision can say. */
const odd = {
  form: requests.a,
  several: Manual.elicit({ message: "Which?", schema: several }),
  page: Manual.elicitUrl({ message: "Pay", url: "https://shop.example/pay" }),
  poem: Manual.createMessage({ messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 5 }),
  roots: Manual.listRoots(),
};

const server = (notes: Array<string> = []) =>
  McpServer.make({
    name: "bridge",
    version: "1",
    tools: [
      Tool.make("three", {
        handler: Effect.fnUntraced(function* () {
          notes.push("run");
          const missing = yield* Manual.missing(requests);
          return Object.keys(missing).length > 0 ? Manual.inputRequired({ inputRequests: missing }) : "done";
        }),
      }),
      Tool.make("odd", {
        handler: Effect.fnUntraced(function* () {
          const answers = Object.entries(yield* Manual.responses(oddly));
          return answers.some(([, answer]) => answer === undefined)
            ? Manual.inputRequired({ inputRequests: oddly })
            : JSON.stringify(answers);
        }),
      }),
      Tool.make("supported", {
        handler: () => Effect.map(Manual.supported(odd), (supported) => Object.keys(supported).join()),
      }),
      ...Object.entries(odd).map(([key, request]) =>
        Tool.make(`ask_${key}`, {
          handler: () =>
            Effect.map(
              Manual.missing({ [key]: request }),
              (missing) =>
                Object.keys(missing).length > 0 ? Manual.inputRequired({ inputRequests: missing }) : "answered",
            ),
        })
      ),
    ],
  });

const withClient = (
  use: (client: Client, host: Host, notes: ReadonlyArray<string>) => Promise<void>,
  revision = "2025-11-25",
): Promise<void> => {
  const notes: Array<string> = [];
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
  return withHost(server(notes), async (host) => {
    await use(await Client.open(host.fetch, { revision, capabilities }), host, notes);
  });
};

const messages = (questions: ReadonlyArray<Wire>): ReadonlyArray<string> =>
  questions.map(({ params }) => params.message).sort();

describe("withdrawal", () => {
  test("all questions of a round are on the wire before one is answered", () =>
    withClient(async (client) => {
      const stream = await client.stream(tool("three"));
      const questions = [await stream.next(), await stream.next(), await stream.next()];
      assertEquals(messages(questions), ["A?", "B?", "C?"]);
      assertEquals(new Set(questions.map(({ id }) => id)).size, 3);
      // In any order
      for (const question of questions.toReversed()) await client.accept(question, { name: "Ada" });
      assertEquals((await stream.next()).result.content[0].text, "done");
    }));

  test("keys of any name are only keys", () =>
    withClient(async (client) => {
      const stream = await client.stream(tool("odd"));
      for (let n = 0; n < oddKeys.length; n++) await client.accept(await stream.next(), { name: `${n}` });
      const { content } = (await stream.next()).result;
      const expected = oddKeys.map((key, n) => [key, { action: "accept", content: { name: `${n}` } }]);
      assertEquals(JSON.parse(content[0].text), expected);
    }));

  test("the first failure withdraws the questions that are open, and the handler does not run again", () =>
    withClient(async (client, _host, notes) => {
      const stream = await client.stream(tool("three"));
      const questions = [await stream.next(), await stream.next(), await stream.next()];
      const [first, second, third] = questions;
      await client.accept(first, { name: "Ada" });
      const error = { code: -32000, message: "The screen is locked" };
      await client.send({ jsonrpc: "2.0", id: second.id, error });
      const [withdrawn, end] = [await stream.next(), await stream.next()];
      assertEquals([withdrawn.method, withdrawn.params.requestId], ["notifications/cancelled", third.id]);
      const { content, isError } = end.result;
      assertEquals(isError, true);
      const key = second.params.message[0].toLowerCase();
      assertEquals(
        content[0].text,
        `Cannot ask "${key}": The client answered with error -32000: The screen is locked`,
      );
      assertEquals(notes, ["run"]);
    }));

  test("a call that is cancelled withdraws all of them", () =>
    withClient(async (client) => {
      const stream = await client.stream(tool("three", {}, "x"));
      const questions = [await stream.next(), await stream.next(), await stream.next()];
      await client.cancel("x");
      const withdrawn = [await stream.next(), await stream.next(), await stream.next()];
      assert(withdrawn.every(({ method }) => method === "notifications/cancelled"));
      assertEquals(withdrawn.map(({ params }) => params.requestId).sort(), questions.map(({ id }) => id).sort());
      assertEquals(await stream.next(), undefined);
    }));

  test("a person who takes too long ends the call after 10 minutes, and is told", () =>
    withClient(async (client, { pass }) => {
      const stream = await client.stream(tool("three"));
      for (let n = 0; n < 3; n++) await stream.next();
      await pass("10 minutes");
      const rest = await stream.rest();
      assertEquals(rest.filter(({ method }) => method === "notifications/cancelled").length, 3);
      assertStringIncludes(rest.at(-1).result.content[0].text, "no answer came within 10m");
    }));
});

describe("what a revision cannot say", () => {
  const can: { readonly [revision: string]: string } = {
    "2025-11-25": "form,several,page,poem,roots",
    "2025-06-18": "form,poem,roots",
    "2025-03-26": "poem,roots",
  };
  for (const [revision, supported] of Object.entries(can)) {
    test(`${revision}: supported says what a return runs into`, () =>
      withClient(async (client) => {
        const said = (await client.send(tool("supported"))).last.result.content[0].text;
        assertEquals(said, supported);
        for (const key of Object.keys(odd)) {
          const response = await client.post(tool(`ask_${key}`));
          const text = response.headers.get("content-type") === "application/json" ? await response.text() : undefined;
          if (text === undefined) await response.body?.cancel();
          assertEquals(text === undefined, supported.split(",").includes(key), `${key}: ${text}`);
          if (text !== undefined) {
            assertStringIncludes(text, `Cannot ask \\"${key}\\": Protocol revision ${revision} has no`);
          }
        }
      }, revision));
  }
});
