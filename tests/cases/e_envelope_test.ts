/**
 * Case B55: what a request has to say of itself, which methods there are, and that discovery is honest. What concerns
 * earlier revisions and stdio is not here.
 */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Call, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { counter, echo } from "./fixtures.ts";
import { bothWays, inProcess } from "./serve.ts";
import { call, completes, fails, type Json, META, prompt, read, revision, rpc, send, type Target } from "./wire.ts";

const echoes = () => McpServer.make({ name: "envelope", version: "1", tools: [echo(counter())] });

const key = (name: string): string => `io.modelcontextprotocol/${name}`;

/** `_meta` with some members changed; undefined leaves one out. */
const meta = (more: Json): Json => ({ _meta: { ...META()._meta, ...more } });

describe("B55: the fields of _meta", () => {
  const bad: ReadonlyArray<readonly [string, Json]> = [
    ["no _meta", {}],
    ["a _meta that is null", { _meta: null }],
    ["a _meta that is a list", { _meta: [] }],
    ["a _meta that is a text", { _meta: "x" }],
    ["a _meta on a prototype only", JSON.parse(`{"__proto__":${JSON.stringify(META())}}`) as Json],
    ["no capabilities", meta({ [key("clientCapabilities")]: undefined })],
    ["capabilities that are null", meta({ [key("clientCapabilities")]: null })],
    ["capabilities that are a list", meta({ [key("clientCapabilities")]: [] })],
    ["capabilities that are a text", meta({ [key("clientCapabilities")]: "x" })],
    ["a capability that is a number", meta({ [key("clientCapabilities")]: { roots: 1 } })],
    ["a capability that is true", meta({ [key("clientCapabilities")]: { sampling: true } })],
    ["a capability that is null", meta({ [key("clientCapabilities")]: { elicitation: null } })],
    ["a capability that is a list", meta({ [key("clientCapabilities")]: { elicitation: ["form"] } })],
    ["a mode that is true", meta({ [key("clientCapabilities")]: { elicitation: { form: true } } })],
    ["a part that is a text", meta({ [key("clientCapabilities")]: { sampling: { tools: "yes" } } })],
    ["a client without a version", meta({ [key("clientInfo")]: { name: "t" } })],
    ["a client that is a text", meta({ [key("clientInfo")]: "t" })],
    ["a log level that does not exist", meta({ [key("logLevel")]: "bogus" })],
    ["a log level of another case", meta({ [key("logLevel")]: "ERROR" })],
    ["a log level on a prototype", meta({ [key("logLevel")]: "toString" })],
    ["a progress token that is an object", meta({ progressToken: {} })],
    ["a progress token that is no integer", meta({ progressToken: 1.5 })],
  ];
  for (const [name, params] of bad) {
    test(`B55: ${name} is refused with 400 and -32602`, () =>
      inProcess(echoes(), async (target) => {
        for (
          const [method, more] of [["tools/list", {}], ["tools/call", { name: "echo" }], [
            "server/discover",
            {},
          ]] as const
        ) {
          const sent = { ...more, ...params };
          fails(
            await send(target, rpc(method, sent), { "mcp-name": method === "tools/call" ? "echo" : null }),
            400,
            -32602,
          );
        }
      }));
  }

  const good: ReadonlyArray<readonly [string, Json]> = [
    ["no client", meta({ [key("clientInfo")]: undefined })],
    ["a vendor's capability", meta({ [key("clientCapabilities")]: { "vendor.x/y": {}, "other": 7 } })],
    ["a vendor's part of a capability", meta({ [key("clientCapabilities")]: { elicitation: { "vendor.x/mode": 1 } } })],
    [
      "extensions and experiments",
      meta({ [key("clientCapabilities")]: { extensions: { "a.b/c": {} }, experimental: {} } }),
    ],
    ["members that nobody knows", meta({ "vendor.x/trace": [1, { a: null }], "__proto__": {} })],
    [
      "a client with more to say",
      meta({ [key("clientInfo")]: { name: "", version: "", title: "T", icons: [], x: 1 } }),
    ],
    ["progress tokens of 0 and the empty text", meta({ progressToken: 0 })],
  ];
  for (const [name, params] of good) {
    test(`B55: ${name} is fine`, () =>
      bothWays(echoes, async (target) => {
        completes(await send(target, rpc("tools/call", { name: "echo", ...params })), "{}");
      }));
  }
});

describe("B55: methods", () => {
  const removed = [
    ..."ping initialize logging/setLevel resources/subscribe resources/unsubscribe roots/list sampling/createMessage"
      .split(" "),
    ..."elicitation/create notifications/initialized tasks/get nope/nope tools/Call tools/ __proto__ constructor".split(
      " ",
    ),
    "",
    "日本語",
  ];
  for (const method of removed) {
    test(`B55: ${method || "an empty method"} is 404 and -32601`, () =>
      bothWays(echoes, async (target) => {
        // Headers carry ASCII: a method outside of it cannot be mirrored, and is refused for that first
        const ascii = /^[\x21-\x7e]+$/.test(method);
        const reply = await send(target, rpc(method, META()), ascii ? {} : { "mcp-method": method === "" ? "" : "x" });
        if (ascii || method === "") fails(reply, 404, -32601);
        else fails(reply, 400, -32020);
      }));
  }

  test("B55: the error to initialize names the revisions that are served (versioning, compatibility)", () =>
    bothWays(echoes, async (target) => {
      const params = {
        ...META(),
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      };
      const error = fails(await send(target, rpc("initialize", params)), 404, -32601);
      assert(JSON.stringify([error.message, error.data]).includes(revision), JSON.stringify(error));
    }));
});

interface Capabilities {
  readonly [name: string]: Json | undefined;
}

const discover = async (target: Target): Promise<Capabilities> => {
  const reply = await send(target, rpc("server/discover", META()));
  assertEquals([reply.status, reply.result?.resultType], [200, "complete"], reply.text);
  assertEquals(reply.result?.["supportedVersions"], [revision]);
  assertEquals((reply.result?.["_meta"] as Json)[key("serverInfo")], { name: "honest", version: "1" });
  return reply.result?.["capabilities"] as Capabilities;
};

const tool = Tool.make("tool", { description: "A tool", handler: () => Effect.as(Call.log("info", "x"), "tool") });
const plain = Prompt.make("plain", { description: "A prompt", handler: () => Effect.succeed("prompt") });
const completed = Prompt.make("completed", {
  description: "A prompt with completions",
  args: Schema.Struct({ language: Schema.String }),
  complete: { language: ["deno", "python"] },
  handler: ({ language }) => Effect.succeed(language),
});
const fixed = Resource.make("note:///fixed", { name: "fixed", handler: () => Effect.succeed("note") });
const template = Resource.template("note:///of/{id}", { name: "of", handler: ({ id }) => Effect.succeed(id) });

describe("B55: discovery is honest", () => {
  const servers: ReadonlyArray<readonly [string, McpServer.McpServer, ReadonlyArray<string>]> = [
    ["nothing", McpServer.make({ name: "honest", version: "1" }), []],
    ["tools", McpServer.make({ name: "honest", version: "1", tools: [tool] }), ["tools"]],
    ["prompts", McpServer.make({ name: "honest", version: "1", prompts: [plain] }), ["prompts"]],
    ["prompts with completions", McpServer.make({ name: "honest", version: "1", prompts: [completed] }), [
      "completions",
      "prompts",
    ]],
    ["resources", McpServer.make({ name: "honest", version: "1", resources: [fixed] }), ["resources"]],
    ["templates", McpServer.make({ name: "honest", version: "1", resources: [template] }), ["resources"]],
    [
      "everything",
      McpServer.make({
        name: "honest",
        version: "1",
        tools: [tool],
        prompts: [completed],
        resources: [fixed, template],
      }),
      ["completions", "prompts", "resources", "tools"],
    ],
  ];
  const served: { readonly [capability: string]: ReadonlyArray<readonly [string, Json]> } = {
    tools: [["tools/list", {}], ["tools/call", { name: "tool" }]],
    prompts: [["prompts/list", {}], ["prompts/get", { name: "plain" }]],
    resources: [["resources/list", {}], ["resources/templates/list", {}], ["resources/read", { uri: "note:///fixed" }]],
    completions: [["completion/complete", {
      ref: { type: "ref/prompt", name: "completed" },
      argument: { name: "language", value: "d" },
    }]],
  };
  for (const [name, server, expected] of servers) {
    test(`B55: a server of ${name} advertises what it serves, and serves nothing else`, () =>
      bothWays(() => server, async (target) => {
        const capabilities = await discover(target);
        assertEquals(Object.keys(capabilities).filter((name) => name !== "logging").sort(), expected);
        for (const [capability, requests] of Object.entries(served)) {
          for (const [method, params] of requests) {
            const reply = await send(target, rpc(method, { ...META(), ...params }));
            const isServed = expected.includes(capability);
            assertEquals(reply.error?.code === -32601, !isServed, `${method}: ${reply.text}`);
            assertEquals(reply.status === 404, !isServed, method);
          }
        }
      }));
  }

  test("B55: every list that tells of changes can be listened to, and no other", () =>
    inProcess(McpServer.make({ name: "honest", version: "1", tools: [tool] }), async (target) => {
      const capabilities = await discover(target);
      assertEquals(capabilities["tools"], { listChanged: true });
      const wanted = { promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ["note:///fixed"] };
      const reply = await send(target, rpc("subscriptions/listen", { ...META(), notifications: wanted }, "s"));
      // Nothing of it is honoured: acknowledged and ended at once (B60)
      assertEquals(reply.notifications[0]?.params["notifications"], {});
      assertEquals(reply.result?.resultType, "complete");
    }));

  test("B55: a server that only reads says nothing of what handlers ask of clients", () => {
    const asks = Tool.make("asks", { description: "Asks", handler: () => Effect.as(Need.confirm("k", "Ok?"), "done") });
    return inProcess(McpServer.make({ name: "honest", version: "1", tools: [asks] }), async (target) => {
      assertEquals(Object.keys(await discover(target)).sort(), ["logging", "tools"]);
    });
  });

  test("B55: unknown names of every kind are -32602, resources with their URI", () =>
    bothWays(() => servers.at(-1)![1], async (target) => {
      fails(await send(target, call("nobody")), 200, -32602);
      fails(await send(target, prompt("nobody")), 200, -32602);
      assertEquals(fails(await send(target, read("note:///nobody")), 200, -32602).data, { uri: "note:///nobody" });
      const ref = (ref: Json) =>
        rpc("completion/complete", { ...META(), ref, argument: { name: "language", value: "d" } });
      for (
        const wrong of [
          { type: "ref/prompt", name: "nobody" },
          { type: "ref/resource", uri: "x" },
          { type: "ref/x" },
          {},
        ]
      ) {
        fails(await send(target, ref(wrong)), 200, -32602);
      }
      for (const cursor of ["nope", 1, {}, "", "__proto__"]) {
        fails(await send(target, rpc("tools/list", { ...META(), cursor })), 200, -32602);
      }
    }));
});
