/** The rest of the protocol through the official client: lists, resources, prompts, completion, streams, subscriptions. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { after, before, describe, test } from "node:test";
import { serve, type Server } from "../process.ts";
import { call, connect, said } from "./client.ts";

/** Resolves once `check` gives something; the official client tells of notifications by callbacks alone. */
const until = async <A>(check: () => A | undefined): Promise<A> => {
  for (let turn = 0; turn < 200; turn++) {
    const found = check();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("Nothing came");
};

describe("features through the official client", () => {
  let server: Server;

  before(async () => {
    server = await serve("examples/everything.ts");
  });

  after(() => server?.stop());

  test("lists: tools, resources, templates and prompts, in the order of registration", async () => {
    const { client } = await connect(server.url);
    const { tools } = await client.listTools();
    assertEquals(tools[0]!.name, "test_simple_text");
    assertEquals(new Set(tools.map(({ name }) => name)).size, tools.length);
    const { resources } = await client.listResources();
    assertEquals(resources.map(({ uri }) => uri), [
      "test://static-text",
      "test://static-binary",
      "test://watched-resource",
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    assertEquals(resourceTemplates.map(({ uriTemplate }) => uriTemplate), ["test://template/{id}/data"]);
    const { prompts } = await client.listPrompts();
    assertEquals(prompts.map(({ name }) => name).slice(0, 2), ["test_simple_prompt", "test_prompt_with_arguments"]);
    await client.close();
  });

  test("tools/call: content of every kind", async () => {
    const { client } = await connect(server.url);
    const { content } = await client.callTool({ name: "test_multiple_content_types", arguments: {} });
    assertEquals(content.map(({ type }) => type), ["text", "image", "resource"]);
    await client.close();
  });

  test("resources/read: text, bytes and a template; an unknown one is -32602 with its URI", async () => {
    const { client } = await connect(server.url);
    const text = await client.readResource({ uri: "test://static-text" });
    assertEquals(text.contents, [{
      uri: "test://static-text",
      mimeType: "text/plain",
      text: "This is the content of the static text resource.",
    }]);
    const [binary] = (await client.readResource({ uri: "test://static-binary" })).contents;
    assert(binary !== undefined && "blob" in binary && binary.mimeType === "image/png");
    const [data] = (await client.readResource({ uri: "test://template/123/data" })).contents;
    assert(data !== undefined && "text" in data);
    assertEquals(JSON.parse(data.text), { id: "123", templateTest: true, data: "Data for ID: 123" });
    const error = await client.readResource({ uri: "test://none" }).then(() => undefined, (error) => error);
    assertEquals([error.code, error.data], [-32602, { uri: "test://none" }]);
    await client.close();
  });

  test("prompts/get: arguments are put in, a missing one is refused, a prompt may ask", async () => {
    const { client } = await connect(server.url, {
      elicit: () => ({ action: "accept", content: { context: "the weather" } }),
    });
    const filled = await client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "b" } });
    assertEquals(filled.messages, [
      { role: "user", content: { type: "text", text: "Prompt with arguments: arg1='a', arg2='b'" } },
    ]);
    await assertRejects(
      () => client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "a" } }),
      "arg2",
    );
    const asking = await client.getPrompt({ name: "test_input_required_result_prompt" });
    assert(JSON.stringify(asking.messages).includes("the weather"));
    await client.close();
  });

  test("completion/complete: values that begin with what was typed", async () => {
    const { client } = await connect(server.url);
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
      argument: { name: "arg1", value: "par" },
    });
    assertEquals(completion.values, ["paris", "park", "party"]);
    await client.close();
  });

  test("progress: rises before the result comes", async () => {
    const { client } = await connect(server.url);
    const seen: Array<number> = [];
    const result = await client.callTool({ name: "test_tool_with_progress", arguments: {} }, {
      onprogress: ({ progress, total }) => {
        assertEquals(total, 100);
        seen.push(progress);
      },
    });
    assertEquals(said(result), "All done.");
    assertEquals(seen, [0, 50, 100]);
    await client.close();
  });

  test("logging: reaches the client that named a level, and only from that level on", async () => {
    const { client } = await connect(server.url);
    const logs: Array<unknown> = [];
    client.setNotificationHandler("notifications/message", ({ params }) => void logs.push(params));
    const meta = (level: string) => ({ _meta: { "io.modelcontextprotocol/logLevel": level } });
    await client.callTool({ name: "test_logging_tool", arguments: {} });
    await client.callTool({ name: "test_logging_tool", arguments: {}, ...meta("warning") });
    assertEquals(logs, []);
    await client.callTool({ name: "test_logging_tool", arguments: {}, ...meta("info") });
    assertEquals(logs, [{ level: "info", data: "Somebody called" }]);
    await client.close();
  });

  test("subscriptions/listen: tells of changed lists and resources, of what was asked for alone", async () => {
    const listener = await connect(server.url);
    const other = await connect(server.url);
    const told: Array<string> = [];
    const prompts: Array<string> = [];
    const on = ({ client }: typeof listener, into: Array<string>) => {
      client.setNotificationHandler("notifications/tools/list_changed", () => void into.push("tools"));
      client.setNotificationHandler("notifications/prompts/list_changed", () => void into.push("prompts"));
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => void into.push(params.uri));
    };
    on(listener, told);
    on(other, prompts);
    const subscription = await listener.client.listen({
      toolsListChanged: true,
      resourceSubscriptions: ["test://watched-resource"],
    });
    assertEquals(subscription.honoredFilter, {
      toolsListChanged: true,
      resourceSubscriptions: ["test://watched-resource"],
    });
    const beside = await other.client.listen({ promptsListChanged: true });

    const before = (await listener.client.listTools()).tools.map(({ name }) => name);
    assertEquals(await call(listener, "test_trigger_tool_change"), "Changed.");
    await until(() => told.includes("tools") || undefined);
    const after = (await listener.client.listTools()).tools.map(({ name }) => name);
    assert(after.length !== before.length);
    assertEquals(after.slice(0, 20), before.slice(0, 20));

    await call(listener, "test_trigger_resource_update");
    await until(() => told.includes("test://watched-resource") || undefined);
    await call(listener, "test_trigger_prompt_change");
    await until(() => prompts.includes("prompts") || undefined);
    assertEquals([told.includes("prompts"), prompts.includes("tools")], [false, false]);

    await subscription.close();
    assertEquals(await subscription.closed, "local");
    await beside.close();
    await listener.client.close();
    await other.client.close();
  });

  test("subscriptions/listen: ends gracefully when the server stops", async () => {
    const own = await serve("examples/everything.ts");
    const { client } = await connect(own.url);
    const subscription = await client.listen({ toolsListChanged: true });
    await own.stop();
    assertEquals(await subscription.closed, "graceful");
    await client.close();
  });
});
