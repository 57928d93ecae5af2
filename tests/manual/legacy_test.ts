/** Handlers that return their questions, for clients of 2025-11-25: bridged in sessions, and what is left without (B19). */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, test } from "node:test";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Manual, McpServer, Prompt, RequestState, Resource, Tool } from "@needful/mcp";
import { inProcess, type Options } from "../cases/serve.ts";
import type { Target } from "../cases/wire.ts";

const requests = {
  who: Manual.elicit({ message: "Who are you?", schema: Schema.Struct({ name: Schema.NonEmptyString }) }),
};
const Count = RequestState.make({ schema: Schema.Int, key: "a key of the author's own, 32 bytes long" });

const greeting = Effect.gen(function* () {
  const { who } = yield* Manual.responses(requests);
  if (who === undefined) return Manual.inputRequired({ inputRequests: requests });
  return who.action === "accept" ? `Hello ${who.content.name}` : `Hello stranger: ${who.action}`;
});

const server = () =>
  McpServer.make({
    name: "legacy",
    version: "1",
    tools: [
      Tool.make("greet", { handler: () => greeting }),
      Tool.make("output", {
        output: Schema.Struct({ text: Schema.String }),
        handler: () => Effect.map(greeting, (end) => typeof end === "string" ? { text: end } : end),
      }),
      Tool.make("count", {
        input: Schema.Struct({ to: Schema.Int }),
        handler: Effect.fnUntraced(function* ({ to }) {
          const n = Option.getOrElse(yield* Count.open, () => 0);
          return n < to ? Manual.inputRequired({ requestState: yield* Count.seal(n + 1) }) : `${n}`;
        }),
      }),
      Tool.make("loop", { handler: () => Effect.succeed(Manual.inputRequired({ inputRequests: requests })) }),
      Tool.make("page", {
        handler: () => {
          const page = Manual.elicitUrl({ message: "Pay", url: "https://shop.example/pay" });
          return Effect.map(Manual.responses({ page }), ({ page: answer }) =>
            answer === undefined ? Manual.inputRequired({ inputRequests: { page } }) : answer.action);
        },
      }),
      Tool.make("can", {
        handler: () =>
          Effect.map(Manual.canRequest(requests.who), String),
      }),
    ],
    prompts: [Prompt.make("prompt", {
      handler: () =>
        greeting,
    })],
    resources: [
      Resource.make("note:///static", { name: "static", handler: () => greeting }),
      Resource.template("note:///by/{id}", { name: "template", handler: () => greeting }),
    ],
  });

type Elicited = { readonly message?: string; readonly elicitationId?: string };

/** A client that answers every form so, and keeps what it was asked. */
const connect = async (target: Target, answer: object = { action: "accept", content: { name: "Ada" } }) => {
  const client = new Client({ name: "t", version: "1" }, {
    versionNegotiation: { mode: "legacy" },
    capabilities: { elicitation: { form: {}, url: {} } },
  });
  const asked: Array<Elicited> = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params as Elicited);
    return answer as { action: "decline" };
  });
  const fetch = (input: URL | string, init?: RequestInit) => target.fetch(new Request(input, init));
  await client.connect(new StreamableHTTPClientTransport(new URL(target.url), { fetch }));
  const text = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [block] = content as ReadonlyArray<{ readonly text?: string }>;
    return isError === true ? `error: ${block?.text}` : block?.text;
  };
  return { client, asked, text };
};

const withClient = (
  use: (connected: Awaited<ReturnType<typeof connect>>) => Promise<void>,
  options: Options<never> = {},
  answer?: object,
): Promise<void> =>
  inProcess(server(), async (target) => {
    const connected = await connect(target, answer);
    try {
      await use(connected);
    } finally {
      await connected.client.close();
    }
  }, options);

describe("sessions", () => {
  test("every kind of handler: the answers re-enter it, and no interim result is seen (B02, B20)", () =>
    withClient(async ({ asked, client, text }) => {
      assertEquals(client.getNegotiatedProtocolVersion(), "2025-11-25");
      assertEquals(await text("greet"), "Hello Ada");
      const output = await client.callTool({ name: "output", arguments: {} });
      assertEquals(output.structuredContent, { text: "Hello Ada" });
      assertEquals("resultType" in output, false);
      const prompt = await client.getPrompt({ name: "prompt" });
      assertEquals(prompt.messages[0]?.content, { type: "text", text: "Hello Ada" });
      for (const uri of ["note:///static", "note:///by/1"]) {
        const { contents } = await client.readResource({ uri });
        assertEquals(contents, [{ uri, text: "Hello Ada" }]);
      }
      assertEquals(asked.map(({ message }) => message), new Array(5).fill("Who are you?"));
    }));

  for (const action of ["decline", "cancel"]) {
    test(`${action}: is an answer, and asked once`, () =>
      withClient(
        async ({ asked, text }) => {
          assertEquals(await text("greet"), `Hello stranger: ${action}`);
          assertEquals(asked.length, 1);
        },
        {},
        { action },
      ));
  }

  test("a page has an elicitationId, which the revision demands", () =>
    withClient(
      async ({ asked, text }) => {
        assertEquals(await text("page"), "accept");
        assertEquals(typeof asked[0]?.elicitationId, "string");
      },
      {},
      { action: "accept" },
    ));

  test("a loop ends after maxRounds re-entries, with an error that names the key", () =>
    withClient(async ({ asked, text }) => {
      const error = await assertRejects(() => text("loop"));
      assertStringIncludes(error.message, 'The call reached its limit of 8 rounds; still returned: "who"');
      assertEquals(asked.length, 8);
    }));

  test("maxRounds and pacing are configurable", () =>
    withClient(async ({ text }) => {
      assertEquals(await text("count", { to: 2 }), "2");
      const error = await assertRejects(() => text("count", { to: 3 }));
      assertStringIncludes(error.message, 'limit of 2 rounds; still returned: "requestState"');
    }, { legacy: { maxRounds: 2, pacing: 0 } }));

  test("canRequest: what the session's client declared", () =>
    withClient(async ({ text }) => assertEquals(await text("can"), "true")));
});

describe("without sessions", () => {
  const options: Options<never> = { legacy: { mode: "stateless", pacing: 0 } };

  test("stateless: state alone goes on, inside of the one request", () =>
    withClient(async ({ text }) => assertEquals(await text("count", { to: 3 }), "3"), options));

  test("stateless: an ask ends in an error that says what to do instead", () =>
    withClient(async ({ asked, text }) => {
      const said = await text("greet");
      assertStringIncludes(String(said), 'error: Cannot ask "who": This server keeps no sessions');
      assertStringIncludes(String(said), "use a client of 2026-07-28, or let the server keep sessions");
      assertEquals([await text("can"), asked.length], ["false", 0]);
    }, options));

  test("off: the refusal names 2026-07-28", () =>
    inProcess(server(), async (target) => {
      const error = await assertRejects(() => connect(target));
      assertStringIncludes(error.message, "2026-07-28");
    }, { legacy: { mode: "off" } }));
});
