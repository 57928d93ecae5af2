/** The server value. */
import { test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import * as McpServer from "../../src/server/mcp_server.ts";
import * as Prompt from "../../src/server/prompt.ts";
import * as Resource from "../../src/server/resource.ts";
import * as Tool from "../../src/server/tool.ts";

const handler = () => Effect.succeed("");
const tool = (name: string) => Tool.make(name, { handler });
const resource = (uri: string) => Resource.make(uri, { name: "r", handler });
const template = (uri: string) => Resource.template(uri, { name: "t", handler });
const prompt = (name: string) => Prompt.make(name, { handler });

test("make: keeps what the author said, in order", () => {
  const icons = [{ src: "https://example.com/i.png" }];
  const server = McpServer.make({
    name: "shop",
    version: "1.0.0",
    title: "Shop",
    description: "Sells",
    icons,
    websiteUrl: "https://example.com",
    instructions: "Ask first",
    extensions: { "com.example/x": { on: true } },
    pageSize: 2,
    cache: { tools: { ttl: "1 minute", scope: "public" }, discover: { ttl: 5 } },
    tools: [tool("b"), tool("a")],
    resources: [template("x://{a}"), resource("x://b")],
  });
  assertEquals<unknown>(server.info, {
    name: "shop",
    version: "1.0.0",
    title: "Shop",
    description: "Sells",
    icons,
    websiteUrl: "https://example.com",
  });
  assertEquals(server.tools?.map(({ name }) => name), ["b", "a"]);
  assertEquals(server.resources?.map(({ _tag }) => _tag), ["Template", "Resource"]);
  assertEquals(server.prompts, undefined);
  assertEquals([server.instructions, server.pageSize], ["Ask first", 2]);
  assertEquals(server.extensions, { "com.example/x": { on: true } });
  assertEquals(server.cache, {
    discover: { ttlMs: 5, scope: "private" },
    tools: { ttlMs: 60_000, scope: "public" },
    resources: { ttlMs: 0, scope: "private" },
    templates: { ttlMs: 0, scope: "private" },
    prompts: { ttlMs: 0, scope: "private" },
  });
});

test("make: gives a value that nobody can change, the author's own list included", () => {
  const tools = [tool("a")];
  const server = McpServer.make({ name: "s", version: "1", tools });
  tools.push(tool("b"));
  assertEquals(server.tools?.length, 1);
  assert(Object.isFrozen(server) && Object.isFrozen(server.tools) && Object.isFrozen(server.info));
});

test("make: refuses two features of a kind with one name, and lets kinds share names", () => {
  const about = { name: "s", version: "1" };
  assertThrows(
    () => McpServer.make({ ...about, tools: [tool("a"), tool("a")] }),
    'Cannot make server "s": it has the tool "a" twice',
  );
  assertThrows(() => McpServer.make({ ...about, prompts: [prompt("a"), prompt("a")] }), 'it has the prompt "a" twice');
  assertThrows(
    () => McpServer.make({ ...about, resources: [resource("x:a"), resource("x:a")] }),
    'the resource "x:a" twice',
  );
  assertThrows(
    () => McpServer.make({ ...about, resources: [template("x:{a}"), template("x:{a}")] }),
    'the resource template "x:{a}" twice',
  );
  // Names are case-sensitive (2026-07-28, server/tools, "Tool names").
  McpServer.make({ ...about, tools: [tool("a"), tool("A")], prompts: [prompt("a")] });
});

test("make: refuses an empty name or version and a page size that is none", () => {
  assertThrows(() => McpServer.make({ name: "", version: "1" }), "empty");
  assertThrows(() => McpServer.make({ name: "s", version: "" }), "version");
  assertThrows(() => McpServer.make({ version: "1" } as never), "Cannot make server undefined: it is not a text");
  assertThrows(() => McpServer.make({ name: "s" } as never), 'Cannot make server "s": its version is not a text');
  for (const pageSize of [0, -1, 1.5, NaN, Infinity]) {
    assertThrows(() => McpServer.make({ name: "s", version: "1", pageSize }), "page size");
  }
});

/** What only JavaScript can hand over: the types refuse it. */
// deno-lint-ignore no-explicit-any -- that is what is tested
const untyped = (value: unknown): any => value;

test("make: refuses lists that are none, and members that are of another list", () => {
  const about = { name: "s", version: "1" };
  for (
    const [list, wrong] of [["tools", prompt("a")], ["resources", tool("a")], ["prompts", resource("x:a")]] as const
  ) {
    assertThrows(
      () => McpServer.make(untyped({ ...about, [list]: {} })),
      `Cannot make server "s": its ${list} are no list`,
    );
    for (const member of [wrong, undefined, () => tool("a")]) {
      assertThrows(() => McpServer.make(untyped({ ...about, [list]: [member] })), `its ${list} hold something else`);
    }
  }
});

test("make, of features: refuses a handler that is no function", () => {
  for (const handler of [undefined, Effect.succeed("x"), "x"].map(untyped)) {
    assertThrows(() => Tool.make("t", { handler }), 'Cannot make tool "t": its handler is no function');
    assertThrows(() => Prompt.make("p", { handler }), 'Cannot make prompt "p": its handler is no function');
    assertThrows(() => Resource.make("x:r", { name: "r", handler }), 'resource "x:r": its handler is no function');
    assertThrows(() => Resource.template("x:{a}", { name: "r", handler }), "its handler is no function");
  }
});
