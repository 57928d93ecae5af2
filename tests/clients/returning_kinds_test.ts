/** Tools, prompts, resources and templates that return their questions, with the official clients of both eras. */
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, test } from "node:test";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { inProcess, type Options } from "../cases/serve.ts";
import { server } from "../manual/kinds.ts";
import type { Reply } from "./client.ts";

/** What the clients have in common. */
interface Official {
  readonly callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
  readonly getPrompt: (params: { name: string }) => Promise<unknown>;
  readonly readResource: (params: { uri: string }) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

type Fetch = (input: URL | string, init?: RequestInit) => Promise<Response>;
type Connect = (url: URL, fetch: Fetch, answer: () => Reply) => Promise<Official>;

const about = { name: "test", version: "1.0.0" };
const capabilities = { elicitation: { form: {} } };

const connectNew = (mode: "legacy" | { readonly pin: string }): Connect => async (url, fetch, answer) => {
  const client = new NewClient(about, { versionNegotiation: { mode }, capabilities });
  client.setRequestHandler("elicitation/create", answer);
  await client.connect(new NewTransport(url, { fetch }));
  return client as unknown as Official;
};

const connectOld: Connect = async (url, fetch, answer) => {
  const client = new OldClient(about, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, answer);
  await client.connect(new OldTransport(url, { fetch }) as Parameters<typeof client.connect>[0]);
  return client as unknown as Official;
};

const clients: { readonly [name: string]: Connect } = {
  "client 2.x, 2026-07-28": connectNew({ pin: "2026-07-28" }),
  "client 2.x, 2025-11-25": connectNew("legacy"),
  "sdk 1.x, 2025-11-25": connectOld,
};

/** The kinds, by how a client asks for them. */
const kinds: { readonly [kind: string]: (client: Official, behaviour: string) => Promise<unknown> } = {
  tool: (client, name) => client.callTool({ name, arguments: {} }),
  "tool with an output": (client, name) => client.callTool({ name: `${name}_output`, arguments: {} }),
  prompt: (client, name) => client.getPrompt({ name }),
  "static resource": (client, name) => client.readResource({ uri: `static:///${name}` }),
  template: (client, name) => client.readResource({ uri: `template:///${name}/1` }),
};

for (const [name, connect] of Object.entries(clients)) {
  describe(name, () => {
    /** What a behaviour comes to in every kind, and how often the user was asked for it. */
    const each = (
      behaviour: string,
      reply: Reply,
      check: (result: Promise<unknown>, asked: () => number) => Promise<void>,
      options: Options<never> = {},
    ) =>
      inProcess(server(), async (target) => {
        let asked = 0;
        const fetch: Fetch = (input, init) => target.fetch(new Request(input, init));
        const client = await connect(new URL(target.url), fetch, () => {
          asked++;
          return reply;
        });
        try {
          for (const ask of Object.values(kinds)) {
            asked = 0;
            await check(ask(client, behaviour), () => asked);
          }
        } finally {
          await client.close();
        }
      }, { legacy: { pacing: 0 }, ...options });

    test("greet: an answer comes to the handler, of every kind", () =>
      each("greet", { action: "accept", content: { name: "Ada" } }, async (result, asked) => {
        assertStringIncludes(JSON.stringify(await result), "Hello Ada");
        assertEquals(asked(), 1);
      }));

    test("greet: a no is asked once, of every kind", () =>
      each("greet", { action: "decline" }, async (result, asked) => {
        assertStringIncludes(JSON.stringify(await result), "Hello stranger: decline");
        assertEquals(asked(), 1);
      }));

    test("count: the client goes on by itself with state alone, of every kind", () =>
      each("count", { action: "decline" }, async (result, asked) => {
        assertStringIncludes(JSON.stringify(await result), '"2"');
        assertEquals(asked(), 0);
      }));

    // 5 rounds: of its own, the modern client gives up after 10 retries, and the server after 16 rounds
    test("loop: is stopped with an error that names the key, of every kind", () =>
      each("loop", { action: "decline" }, async (result, asked) => {
        const { message } = await assertRejects(() => result);
        assertStringIncludes(message, 'The call reached its limit of 5 rounds; still asked: "who"');
        assertEquals(asked(), 4);
      }, { limits: { maxRounds: 5 } }));
  });
}
