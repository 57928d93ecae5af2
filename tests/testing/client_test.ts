/** The scripted client against real servers, over the wire of 2026-07-28. */
import { describe, test } from "node:test";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import * as TestClock from "effect/testing/TestClock";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Auth, Call, Content, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { accept, Client, connect, RpcError, sampled } from "@needful/mcp/testing";
import { closing } from "../closing.ts";

const Name = Schema.Struct({ name: Schema.NonEmptyString });
const whoami = Tool.make("whoami", {
  handler: Effect.fn(function* () {
    const { name } = yield* Need.elicit("who", { message: "Who?", schema: Name });
    return `Hello, ${name}!`;
  }),
});

/** The code of the JSON-RPC error that a promise rejects with. */
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => "no error", (error) => error instanceof RpcError ? error.code : error);

const greeter = McpServer.make({ name: "greeter", version: "1.0.0", tools: [whoami] });

/** Compiles only if a server that needs services cannot be connected to without them. */
export const types = (
  needy: McpServer.McpServer<{ readonly service: 1 }>,
  layer: Layer.Layer<{ readonly service: 1 }>,
): void => {
  // @ts-expect-error -- the service is missing
  void connect(needy);
  // @ts-expect-error -- the service is missing
  void connect(needy, { headers: {} });
  // @ts-expect-error -- the layer gives another service
  void connect(needy, Layer.empty);
  void connect(needy, layer, { headers: {} });
  void connect(greeter);
  void connect(greeter, { headers: {} });
};

describe("Client", () => {
  test("Client.make: takes the server's services from the context", async () => {
    const Greeting = Context.Service<{ readonly text: string }>("tests/Greeting");
    const hello = Tool.make("hello", { handler: () => Effect.map(Greeting, ({ text }) => text) });
    const server = McpServer.make({ name: "greeter", version: "1.0.0", tools: [hello] });
    const program = Effect.gen(function* () {
      const client = yield* Client.make(server);
      return (yield* client.callTool("hello")).text;
    });
    const text = program.pipe(Effect.scoped, Effect.provideService(Greeting, { text: "Ahoy" }), Effect.runPromise);
    assertEquals(await text, "Ahoy");
  });

  test("Client.make: lives in the time of the context, in which a state expires after 10 minutes (B10)", async () => {
    const call = (minutes: number) =>
      Effect.gen(function* () {
        const client = yield* Client.make(greeter);
        const who = () => Effect.as(TestClock.adjust(`${minutes} minutes`), accept({ name: "Ada" }));
        const call = yield* client.callTool("whoami", {}, { who });
        return call.text;
      }).pipe(Effect.scoped, Effect.provide(TestClock.layer()));
    assertEquals(await Effect.runPromise(call(9)), "Hello, Ada!");
    const error = await Effect.runPromise(Effect.flip(call(10)));
    assertEquals([error._tag, error.message, error.rounds.length], ["RpcError", "Invalid request state", 2]);
  });

  test("Client.make: lets a handler sleep in the time of the context", async () => {
    const started = Promise.withResolvers<void>();
    const slow = Tool.make("slow", {
      handler: Effect.fn(function* () {
        started.resolve();
        yield* Effect.sleep("1 hour");
        return "awake";
      }),
    });
    const server = McpServer.make({ name: "sleeper", version: "1.0.0", tools: [slow] });
    const program = Effect.gen(function* () {
      const client = yield* Client.make(server);
      const fiber = yield* Effect.forkChild(client.callTool("slow"));
      yield* Effect.promise(() => started.promise);
      yield* TestClock.adjust("1 hour");
      return (yield* Fiber.join(fiber)).text;
    });
    assertEquals(await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(TestClock.layer()))), "awake");
  });

  test("Client: collects progress and log messages, round by round", async () => {
    const count = Tool.make("count", {
      handler: Effect.fn(function* () {
        yield* Call.progress({ progress: 1, total: 2, message: "one" });
        yield* Call.log("info", { n: 1 }, "counter");
        yield* Need.confirm("more", "More?");
        yield* Call.progress({ progress: 2, total: 2 });
        yield* Call.log("debug", "done");
        return "2";
      }),
    });
    await closing(connect(McpServer.make({ name: "counter", version: "1.0.0", tools: [count] })), async (client) => {
      const more = accept({ ok: true });
      const call = await client.callTool("count", {}, { more });
      assertEquals(call.rounds[0]!.progress, [{ progress: 1, total: 2, message: "one" }]);
      assertEquals(call.rounds[0]!.logs, [{ level: "info", logger: "counter", data: { n: 1 } }]);
      assertEquals(call.progress.map(({ progress }) => progress), [1, 1, 2]);
      assertEquals(call.logs.map(({ data }) => data), [{ n: 1 }, { n: 1 }, "done"]);
      const quiet = await client.callTool("count", {}, { more }, { logLevel: "none" });
      assertEquals(quiet.logs, []);
    });
  });

  test("Client: speaks for its principal, to which states are bound (B09)", async () => {
    const me = Tool.make("me", {
      handler: Effect.fn(function* () {
        yield* Need.confirm("sure", "Sure?");
        return (yield* Auth.Principal).subject;
      }),
    });
    const server = McpServer.make({ name: "me", version: "1.0.0", tools: [me] });
    const authenticate: Auth.Authenticate = ({ header }) =>
      Effect.succeed(Auth.principal(header("x-user") ?? "nobody"));
    const sure = accept({ ok: true });
    await closing(connect(server, { server: { authenticate }, headers: { "x-user": "ada" } }), async (ada) => {
      const call = await ada.callTool("me", {}, { sure });
      assertEquals(call.text, "ada");
      const bob = ada.as({ headers: { "x-user": "bob" } });
      assertEquals((await bob.callTool("me", {}, { sure })).text, "bob");
      const stolen = await bob.request("tools/call", call.rounds[1]!.params);
      assertEquals((stolen.response?.["error"] as { readonly code: number }).code, -32602);
      await closing(connect(server, { principal: Auth.principal("eve") }), async (fixed) => {
        assertEquals((await fixed.callTool("me", {}, { sure })).text, "eve");
      });
    });
  });

  test("Client: declares the capabilities that it is told to, for all calls or for one", () =>
    closing(connect(greeter, { capabilities: ["sampling"] }), async (client) => {
      assertEquals(await codeOf(client.callTool("whoami")), -32021);
      const who = accept({ name: "Ada" });
      const call = await client.callTool("whoami", {}, { who }, { capabilities: { elicitation: {} } });
      assertEquals(call.text, "Hello, Ada!");
    }));

  test("Client: sends volunteered answers, which elicit takes (section 3, rule 4)", () =>
    closing(connect(greeter), async (client) => {
      const call = await client.callTool("whoami", {}, {}, { volunteered: { who: accept({ name: "Ada" }) } });
      assertEquals([call.text, call.rounds.length], ["Hello, Ada!", 1]);
    }));

  test("Client: mirrors parameters into the headers that the tool marks", async () => {
    const Input = Schema.Struct({ region: Schema.String.pipe(Tool.header("Region")) });
    const where = Tool.make("where", { input: Input, handler: ({ region }) => Effect.succeed(region) });
    await closing(connect(McpServer.make({ name: "where", version: "1.0.0", tools: [where] })), async (client) => {
      assertEquals((await client.callTool("where", { region: "Köln" })).text, "Köln");
    });
  });

  test("Client: reads resources and gets prompts, which ask like tools", async () => {
    const note = Resource.make("note:///poem", {
      name: "poem",
      handler: Effect.fn(function* () {
        const { content } = yield* Need.sample("poem", {
          messages: [{ role: "user", content: { type: "text", text: "A poem" } }],
          maxTokens: 10,
        });
        return content.flatMap((block) => block.type === "text" ? [block.text] : []).join();
      }),
    });
    const review = Prompt.make("review", {
      args: Schema.Struct({ file: Schema.String }),
      complete: { file: (value) => Effect.succeed(["a.ts", "b.ts"].filter((file) => file.startsWith(value))) },
      handler: Effect.fn(function* ({ file }) {
        const { name } = yield* Need.elicit("who", { message: "Who?", schema: Name });
        return [Prompt.user(`${name} reviews ${file}`)];
      }),
    });
    const server = McpServer.make({ name: "notes", version: "1.0.0", resources: [note], prompts: [review] });
    await closing(connect(server), async (client) => {
      const read = await client.readResource("note:///poem", { poem: sampled("Roses") });
      assertEquals([read.text, read.rounds.length], ["Roses", 2]);
      const got = await client.getPrompt("review", { file: "a.ts" }, { who: accept({ name: "Ada" }) });
      assertEquals([got.text, got.rounds.length], ["Ada reviews a.ts", 2]);
      const { values } = await client.complete({ prompt: "review" }, "file", "b");
      assertEquals(values, ["b.ts"]);
      assertEquals(await codeOf(client.readResource("note:///nothing")), -32602);
    });
  });

  test("Client: lists over all pages, and discovers", async () => {
    const tools = ["a", "b", "c", "d", "e"].map((name) => Tool.make(name, { handler: () => Effect.succeed(name) }));
    await closing(connect(McpServer.make({ name: "many", version: "1.0.0", pageSize: 2, tools })), async (client) => {
      assertEquals((await client.listTools()).map((tool) => tool["name"]), ["a", "b", "c", "d", "e"]);
      assertEquals(await client.listPrompts(), []);
      const discovered = await client.discover();
      assertEquals(discovered["supportedVersions"], ["2026-07-28"]);
    });
  });

  test("Client: fails to list where the server refuses, which is not the same as an empty list", async () => {
    const authenticate: Auth.Authenticate = () => Effect.fail(new Auth.Unauthorized({ challenge: "Bearer" }));
    await closing(connect(greeter, { server: { authenticate } }), async (client) => {
      const lists = [client.listTools, client.listResources, client.listResourceTemplates, client.listPrompts];
      // JSON-RPC: an invalid request, by HTTP 401 (2026-07-28, basic/authorization)
      for (const list of lists) assertEquals(await codeOf(list()), -32600);
    });
  });

  test("Client: gives the text of text blocks, and the whole result", async () => {
    const tool = Tool.make("mixed", {
      handler: () =>
        Effect.succeed([
          Content.text("a"),
          Content.image(new Uint8Array([1]), { mimeType: "image/png" }),
          Content.text("b"),
        ]),
    });
    await closing(connect(McpServer.make({ name: "mixed", version: "1.0.0", tools: [tool] })), async (client) => {
      const call = await client.callTool("mixed");
      assertEquals([call.text, call.result.content.length], ["a\nb", 3]);
    });
  });

  test("Client.request: gives back what comes, errors included", () =>
    closing(connect(greeter), async (client) => {
      const { response, status } = await client.request("nope/nope");
      assertEquals([status, (response?.["error"] as { readonly code: number }).code], [404, -32601]);
    }));

  test("Client: interrupts the handler when its own call is interrupted (B57)", async () => {
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string>();
    const slow = Tool.make("slow", {
      handler: () =>
        Effect.sync(() => started.resolve()).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Effect.sync(() => ended.resolve("interrupted"))),
        ),
    });
    const program = Effect.gen(function* () {
      const client = yield* Client.make(McpServer.make({ name: "slow", version: "1.0.0", tools: [slow] }));
      const fiber = yield* Effect.forkChild(client.callTool("slow"));
      yield* Effect.promise(() => started.promise);
      yield* Fiber.interrupt(fiber);
      return yield* Effect.promise(() => ended.promise);
    });
    assertEquals(await Effect.runPromise(Effect.scoped(program)), "interrupted");
  });

  test("connect: closes the server's services", async () => {
    const log: Array<string> = [];
    const Greeting = Context.Service<{ readonly text: string }>("tests/Greeting");
    const layer = Layer.effect(
      Greeting,
      Effect.acquireRelease(
        Effect.sync(() => (log.push("opened"), { text: "Ahoy" })),
        () => Effect.sync(() => void log.push("closed")),
      ),
    );
    const hello = Tool.make("hello", { handler: () => Effect.map(Greeting, ({ text }) => text) });
    const client = await connect(McpServer.make({ name: "greeter", version: "1.0.0", tools: [hello] }), layer);
    assertEquals((await client.callTool("hello")).text, "Ahoy");
    await client.close();
    assertEquals(log, ["opened", "closed"]);
  });

  test("connect: rejects with the reason of a script that does not fit", () =>
    closing(connect(greeter), async (client) => {
      const error = await client.callTool("whoami").then(() => undefined, (error) => error);
      assert(error instanceof Error);
      assertStringIncludes(error.message, '"who" was asked, but the script has no answer for it: "Who?"');
    }));
});
