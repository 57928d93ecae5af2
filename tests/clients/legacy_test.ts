/** The official clients of older revisions: people who take long, calls that are given up, and everything else. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Scope from "effect/Scope";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { after, before, describe, test } from "node:test";
import { McpServer, Need, Tool } from "@needful/mcp";
import * as Native from "../native.ts";
import { serve, type Server } from "../process.ts";
import type { Answers } from "./answering.ts";
import type { Reply } from "./client.ts";
import { connectNew, connectOld, type Host } from "./http_clients.ts";

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves once `check` holds; these clients tell by callbacks alone. */
const until = async (check: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 500 && !check(); turn++) await later(10);
  assert(check(), "It never came to that");
};

const kinds: ReadonlyArray<readonly [string, (url: URL, answers: Answers) => Promise<Host>]> = [
  ["sdk 1.x", connectOld],
  ["client 2.x", (url, answers) => connectNew(url, answers, "legacy")],
];

const revision = "2025-11-25";

const answers = (elicit: Answers["elicit"]): Answers => ({ elicit, sample: "", roots: [] });

describe("people who take their time", () => {
  const events: Array<string> = [];
  const ask = Tool.make("ask", {
    description: "Asks",
    handler: () =>
      Need.confirm("sure", "Sure?").pipe(
        Effect.map((sure) => `${sure}`),
        Effect.onInterrupt(() => Effect.sync(() => void events.push("interrupted"))),
      ),
  });
  let scope: Scope.Closeable;
  let url: URL;

  before(async () => {
    scope = await Effect.runPromise(Scope.make());
    const server = McpServer.make({ name: "slow", version: "1", tools: [ask] });
    const layer = Native.layer(server, {
      port: 0,
      keepAlive: "50 millis",
      legacy: { roundTimeout: "5 seconds", maxRounds: 1 },
    });
    const quiet = Layer.provide(layer, Logger.layer([]));
    url = new URL(
      Context.get(await Effect.runPromise(Layer.buildWithScope(quiet, scope)), Native.Listening).url,
    );
  });

  after(() => Effect.runPromise(Scope.close(scope, Exit.void)));

  for (const [name, connect] of kinds) {
    test(`keepAlive: progress resets the limit of ${name}, so that a person may take five times as long`, async () => {
      const host = await connect(
        url,
        answers(async (): Promise<Reply> => {
          await later(4_000);
          return { action: "accept", content: { ok: true } };
        }),
      );
      let ticks = 0;
      const text = await host.call("ask", {}, {
        timeout: 800,
        resetTimeoutOnProgress: true,
        onprogress: () => void ticks++,
      });
      assertEquals(text, "true");
      assert(ticks >= 5, `${ticks}`);
      await host.close();
      assertEquals(host.errors, []);
      assertEquals(await host.record.faults(revision), []);
    });

    test(`cancel: ${name} gives up by itself; the question is withdrawn, the handler interrupted, the next call works`, async () => {
      events.length = 0;
      let answer = (_: Reply): void => {};
      let turn = 0;
      const host = await connect(
        url,
        answers(() => {
          if (turn++ > 0) return { action: "accept", content: { ok: true } };
          return new Promise((resolve) => {
            answer = resolve;
          });
        }),
      );
      const error = await host.call("ask", {}, { timeout: 200 }).then(() => undefined, (error) => error);
      assertStringIncludes(String(error.message), "timed out");
      const withdrawn = () =>
        host.record.received.filter(({ message }) => message.method === "notifications/cancelled").length;
      await until(() => events.length > 0 && withdrawn() > 0);
      assertEquals([events, withdrawn()], [["interrupted"], 1]);
      answer({ action: "accept", content: { ok: true } });
      assertEquals(await host.call("ask"), "true");
      // It comes back once for the stream that ended without a result, and not again
      await later(1_600);
      const gets = host.record.exchanges.filter((exchange) => exchange.startsWith("GET"));
      assert(gets.length <= 2, gets.join());
      await host.close();
      assertEquals(host.errors.filter((error) => !error.includes("timed out")), []);
      assertEquals(await host.record.faults(revision), []);
    });

    test(`error: that ends a stream leaves ${name} in peace, though it takes none but results for responses`, async () => {
      const host = await connect(url, answers(() => ({ action: "accept", content: {} })));
      const error = await host.call("ask").then(() => undefined, (error) => error);
      assertEquals(error.code, -32603);
      await later(1_600);
      const gets = host.record.exchanges.filter((exchange) => exchange.startsWith("GET"));
      assert(gets.length <= 2, gets.join());
      assertEquals([host.errors, (await host.tools()).length], [[], 1]);
      await host.close();
    });

    test(`roundTimeout: ends the call of ${name} with a clear error, and a late answer is ignored`, async () => {
      const host = await connect(
        url,
        answers(async (): Promise<Reply> => {
          await later(5_200);
          return { action: "accept", content: { ok: true } };
        }),
      );
      assertStringIncludes(await host.call("ask"), "error: ");
      await later(400);
      assertEquals((await host.tools()).length, 1);
      await host.close();
    });
  }
});

describe("everything, for clients of 2025-11-25", () => {
  let server: Server;

  before(async () => {
    server = await serve("examples/everything.ts");
  });

  after(() => server?.stop());

  for (const [name, connect] of kinds) {
    test(`Call.disconnect: ${name} comes back by itself for the result`, async () => {
      const host = await connect(server.url, answers(() => ({ action: "cancel" })));
      assertEquals(await host.call("test_reconnection"), "You came back.");
      assertEquals(host.record.exchanges.filter((exchange) => exchange === "GET 200").length, 2);
      await host.close();
      assertEquals(await host.record.faults(revision), []);
    });
  }

  test("sdk 1.x: is told of changed lists, resources and log messages, each client of what it wants alone", async () => {
    const open = async () => {
      const client = new OldClient({ name: "test", version: "1" });
      const told: Array<string> = [];
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void told.push("tools"));
      client.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }: { readonly params: { readonly uri: string } }) => void told.push(params.uri),
      );
      client.setNotificationHandler(
        LoggingMessageNotificationSchema,
        ({ params }: { readonly params: { readonly level: string } }) => void told.push(params.level),
      );
      const transport = new OldTransport(server.url);
      await client.connect(transport as Parameters<typeof client.connect>[0]);
      return { client, told, transport };
    };
    const [ada, bob] = [await open(), await open()];
    await ada.client.subscribeResource({ uri: "test://watched-resource" });
    await ada.client.setLoggingLevel("info");
    // The stream for changes opens beside the first requests
    await later(200);
    const before = (await bob.client.listTools()).tools.length;
    for (const name of ["test_trigger_tool_change", "test_trigger_resource_update", "test_logging_tool"]) {
      await bob.client.callTool({ name, arguments: {} });
    }
    await ada.client.callTool({ name: "test_logging_tool", arguments: {} });
    await until(() => ada.told.length >= 3 && bob.told.length >= 1);
    assertEquals(ada.told.sort(), ["info", "test://watched-resource", "tools"]);
    assertEquals(bob.told, ["tools"]);
    assert((await bob.client.listTools()).tools.length !== before);
    await bob.client.callTool({ name: "test_trigger_tool_change", arguments: {} });
    for (const { client, transport } of [ada, bob]) {
      await transport.terminateSession();
      await client.close();
    }
  });

  test("sdk 1.x: resources, templates, prompts, completion, ping, errors", async () => {
    const client = new OldClient({ name: "test", version: "1" });
    const transport = new OldTransport(server.url);
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    await client.ping();
    assertEquals((await client.listResources()).resources.length, 3);
    assertEquals((await client.listResourceTemplates()).resourceTemplates.length, 1);
    const { contents } = await client.readResource({ uri: "test://template/7/data" });
    assertStringIncludes(String(contents[0]!.text), "Data for ID: 7");
    const missing = await client.readResource({ uri: "test://none" }).then(() => undefined, (error: unknown) => error);
    assertEquals((missing as { readonly code: number }).code, -32002);
    const prompt = await client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "b" } });
    assertEquals(prompt.messages.length, 1);
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
      argument: { name: "arg1", value: "par" },
    });
    assertEquals(completion.values, ["paris", "park", "party"]);
    await transport.terminateSession();
    await client.close();
  });
});
