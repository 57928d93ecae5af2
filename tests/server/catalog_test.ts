/** The catalog: what is found, what is listed, how it changes. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertNotEquals, assertStrictEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { isFault } from "../../src/model/fault.ts";
import { anonymous, principal } from "../../src/model/principal.ts";
import type { ListKind } from "../../src/model/request.ts";
import * as Catalog from "../../src/server/catalog.ts";
import * as McpServer from "../../src/server/mcp_server.ts";
import * as Prompt from "../../src/server/prompt.ts";
import * as Resource from "../../src/server/resource.ts";
import * as Tool from "../../src/server/tool.ts";

const handler = () => Effect.succeed("");
const ada = principal("ada");
const bob = principal("bob");

const tool = (name: string, description?: string) =>
  Tool.make(name, { handler, ...(description === undefined ? {} : { description }) });
const secret = (name: string, subject = "ada") =>
  Tool.make(name, { handler, visible: (principal) => principal.subject === subject });

type Members = Partial<
  McpServer.Options<
    ReadonlyArray<Tool.Tool>,
    ReadonlyArray<Resource.Resource | Resource.Template>,
    ReadonlyArray<Prompt.Prompt>
  >
>;

const make = (members: Members): Catalog.Catalog =>
  Effect.runSync(Catalog.make(McpServer.make({ name: "s", version: "1", ...members })));

const change = <A, E>(catalog: Catalog.Catalog, effect: Effect.Effect<A, E, Catalog.Catalog>): A =>
  Effect.runSync(Effect.provideService(effect, Catalog.Catalog, catalog));

const page = (
  catalog: Catalog.Catalog,
  cursor?: unknown,
  caller = anonymous,
  kind: ListKind = "tools",
): Catalog.Page => {
  const page = catalog.page(kind, cursor, caller);
  assert(!isFault(page), JSON.stringify(page));
  return page;
};

const names = ({ items }: Catalog.Page): ReadonlyArray<unknown> => items.map(({ name }) => name);

/** The names on all pages. */
const walk = (catalog: Catalog.Catalog, caller = anonymous): ReadonlyArray<ReadonlyArray<unknown>> => {
  const pages: Array<ReadonlyArray<unknown>> = [];
  let cursor: string | undefined;
  do {
    const next = page(catalog, cursor, caller);
    pages.push(names(next));
    cursor = next.nextCursor;
  } while (cursor !== undefined);
  return pages;
};

describe("resource", () => {
  const fixed = Resource.make("note://1", { name: "fixed", handler });
  const template = Resource.template("note://{id}", { name: "template", handler });
  const later = Resource.template("note://{+path}", { name: "later", handler });
  const catalog = make({ resources: [template, later, fixed] });

  test("finds a fixed one first, then templates in their order", () => {
    assertStrictEquals(catalog.resource("note://1", anonymous)?.feature, fixed);
    assertStrictEquals(catalog.resource("note://2", anonymous)?.feature, template);
    assertStrictEquals(catalog.resource("note://2/3", anonymous)?.feature, later);
    assertEquals(catalog.resource("other://1", anonymous), undefined);
  });

  test("gives what decode reads", () => {
    assertEquals<unknown>(catalog.resource("note://a%20b", anonymous)?.args, {
      uri: "note://a%20b",
      variables: { id: "a b" },
    });
  });

  test("goes on to the next one behind an invisible one", () => {
    const hidden = Resource.make("note://1", { name: "hidden", handler, visible: () => false });
    assertStrictEquals(make({ resources: [hidden, template] }).resource("note://1", anonymous)?.feature, template);
  });
});

test("tool, prompt, template: are unknown to those who may not see them, and by names of the prototype", () => {
  const catalog = make({
    tools: [secret("a")],
    prompts: [Prompt.make("p", { handler, visible: () => false })],
    resources: [Resource.template("x://{a}", { name: "t", handler, visible: () => false })],
  });
  assertEquals(catalog.tool("a", ada)?.name, "a");
  assertEquals(catalog.tool("a", bob), undefined);
  assertEquals(catalog.prompt("p", ada), undefined);
  assertEquals(catalog.template("x://{a}", ada), undefined);
  for (const name of ["__proto__", "constructor", "toString"]) assertEquals(catalog.tool(name, ada), undefined);
});

describe("page", () => {
  const tools = ["e", "d", "c", "b", "a"].map((name) => tool(name));

  test("keeps the order of registration, with later additions at the end", () => {
    const catalog = make({ tools, pageSize: 2 });
    assertEquals(walk(catalog), [["e", "d"], ["c", "b"], ["a"]]);
    change(catalog, Catalog.addTool(tool("A")));
    assertEquals(walk(catalog), [["e", "d"], ["c", "b"], ["a", "A"]]);
  });

  test("ends without an empty page when the last one is full", () => {
    assertEquals(walk(make({ tools: tools.slice(0, 4), pageSize: 2 })), [["e", "d"], ["c", "b"]]);
    assertEquals(walk(make({ tools: tools.slice(0, 3), pageSize: 1 })), [["e"], ["d"], ["c"]]);
    assertEquals(walk(make({ tools: [] })), [[]]);
  });

  test("gives the same object until something changes", () => {
    const catalog = make({ tools, pageSize: 2 });
    const first = page(catalog);
    assertStrictEquals(page(catalog, undefined, ada), first);
    const second = page(catalog, first.nextCursor);
    assertStrictEquals(page(catalog, first.nextCursor), second);
    change(catalog, Catalog.addTool(tool("f")));
    const after = page(catalog);
    assertNotEquals<unknown>(after === first, true);
    assertEquals(after, first);
    // The lists are independent.
    const prompts = page(catalog, undefined, anonymous, "prompts");
    change(catalog, Catalog.addTool(tool("g")));
    assertStrictEquals(page(catalog, undefined, anonymous, "prompts"), prompts);
  });

  test("keeps the pages of the list only, whatever cursors are made up (DESIGN section 13: memory stays flat)", () => {
    const catalog = make({ tools, pageSize: 2 });
    const behind = (last: number) => page(catalog, btoa(`tools:${last}`).replaceAll("=", ""));
    const kept = [0, 1, 2, 3, 4].filter((last) => behind(last) === behind(last));
    assertEquals(kept, [1, 3]);
    assertEquals(names(behind(0)), ["d", "c"]);
  });

  test("goes on behind a cursor when entries join, leave or are replaced in between", () => {
    const catalog = make({ tools, pageSize: 2 });
    const { nextCursor } = page(catalog);
    change(catalog, Catalog.addTool(tool("f")));
    assertEquals(names(page(catalog, nextCursor)), ["c", "b"]);
    // The entry that the cursor stands behind is gone: nothing is skipped, nothing comes twice.
    change(catalog, Catalog.removeTool("d"));
    assertEquals(names(page(catalog, nextCursor)), ["c", "b"]);
    change(catalog, Catalog.replaceTool(tool("c", "new")));
    assertEquals(page(catalog, nextCursor).items.map(({ description }) => description), ["new", undefined]);
    for (const name of ["c", "b", "a", "f"]) change(catalog, Catalog.removeTool(name));
    assertEquals(names(page(catalog, nextCursor)), []);
  });

  test("gives cursors that another instance of the server understands", () => {
    const { nextCursor } = page(make({ tools, pageSize: 2 }));
    assertEquals(names(page(make({ tools, pageSize: 2 }), nextCursor)), ["c", "b"]);
  });

  test("refuses cursors that were not given out for this list with -32602", () => {
    const catalog = make({ tools, pageSize: 2, prompts: [] });
    const { nextCursor = "" } = page(catalog);
    const of = (text: string): string => btoa(text).replaceAll("=", "");
    const bad = [
      ...["", "x", nextCursor + "=", nextCursor + "A", nextCursor.slice(0, -1), ` ${nextCursor}`, null, 1, {}, []],
      ...["tools:5", "tools:99", "tools:-1", "tools:1.5", "tools:01", "tools: 1", "tools:1e0", "prompts:1"].map(of),
      "A".repeat(1_000_000),
    ];
    for (const cursor of bad) {
      const page = catalog.page("tools", cursor, anonymous);
      assert(isFault(page) && page.code === -32602, String(cursor).slice(0, 40));
    }
    assert(isFault(catalog.page("prompts", nextCursor, anonymous)));
  });

  test("shows each caller what it may see, as a private list, and keeps a page per view", () => {
    const catalog = make({ tools: [tool("a"), secret("b", "ada"), secret("c", "bob"), tool("d")], pageSize: 2 });
    assertEquals(walk(catalog, ada), [["a", "b"], ["d"]]);
    assertEquals(walk(catalog, bob), [["a", "c"], ["d"]]);
    assertEquals(walk(catalog), [["a", "d"]]);
    // Another caller who sees the same shares the page.
    assertStrictEquals(page(catalog, undefined, principal("eve")), page(catalog));
    assertEquals([page(catalog).private, page(make({ tools })).private], [true, false]);
  });

  test("lists resources and templates apart", () => {
    const catalog = make({
      resources: [
        Resource.template("x://{a}", { name: "t", handler }),
        Resource.make("x://b", { name: "r", handler }),
      ],
    });
    assertEquals(names(page(catalog, undefined, anonymous, "resources")), ["r"]);
    assertEquals(names(page(catalog, undefined, anonymous, "templates")), ["t"]);
  });
});

describe("served", () => {
  const completing = Prompt.make("p", {
    args: Schema.Struct({ a: Schema.String }),
    complete: { a: ["x"] },
    handler,
  });

  test("is what the server was made with, an empty list included", () => {
    const nothing = { tools: false, resources: false, prompts: false, completions: false };
    assertEquals(make({}).served(), nothing);
    assertEquals(make({ tools: [] }).served(), { ...nothing, tools: true });
    assertEquals(make({ prompts: [completing] }).served(), { ...nothing, prompts: true, completions: true });
    assertEquals(make({ resources: [Resource.template("x://{a}", { name: "t", handler })] }).served(), {
      ...nothing,
      resources: true,
    });
  });

  test("changes with what joins and leaves, and is the same object meanwhile", () => {
    const catalog = make({ tools: [] });
    const before = catalog.served();
    change(catalog, Catalog.addTool(tool("a")));
    assertStrictEquals(catalog.served(), before);
    change(catalog, Catalog.addPrompt(completing));
    assertEquals(catalog.served(), { tools: true, resources: false, prompts: true, completions: true });
    change(catalog, Catalog.removePrompt("p"));
    assertEquals(catalog.served(), before);
  });
});

describe("addTool, replaceTool, removeTool", () => {
  test("add at the end, and fail for a name that is there", () => {
    const catalog = make({ tools: [tool("a")] });
    const again = Effect.provideService(Effect.flip(Catalog.addTool(tool("a"))), Catalog.Catalog, catalog);
    const error = Effect.runSync(again);
    assertEquals([error._tag, error.kind, error.name], ["Duplicate", "tools", "a"]);
    assertEquals(walk(catalog), [["a"]]);
  });

  test("replace in place, or add", () => {
    const catalog = make({ tools: [tool("a"), tool("b")] });
    change(catalog, Catalog.replaceTool(tool("a", "new")));
    change(catalog, Catalog.replaceTool(tool("c")));
    assertEquals(walk(catalog), [["a", "b", "c"]]);
    assertEquals(catalog.tool("a", anonymous)?.descriptor["description"], "new");
  });

  test("remove, and say whether there was one", () => {
    const catalog = make({ tools: [tool("a")] });
    assertEquals(change(catalog, Catalog.removeTool("a")), true);
    assertEquals(change(catalog, Catalog.removeTool("a")), false);
    assertEquals(catalog.tool("a", anonymous), undefined);
  });

  test("leave the server value and other catalogs of it alone (case B39)", () => {
    const server = McpServer.make({ name: "s", version: "1", tools: [tool("a")] });
    const [one, two] = [Effect.runSync(Catalog.make(server)), Effect.runSync(Catalog.make(server))];
    change(one, Catalog.removeTool("a"));
    assertEquals([walk(one), walk(two), server.tools?.length], [[[]], [["a"]], 1]);
  });
});

test("addResource, removeResource, removeTemplate: work on both kinds", () => {
  const catalog = make({});
  change(catalog, Catalog.addResource(Resource.make("x://a", { name: "a", handler })));
  change(catalog, Catalog.addResource(Resource.template("x://{b}", { name: "b", handler })));
  assertEquals(catalog.resource("x://other", anonymous)?.feature.name, "b");
  assertEquals(change(catalog, Catalog.removeTemplate("x://{b}")), true);
  assertEquals(catalog.resource("x://other", anonymous), undefined);
  assertEquals(change(catalog, Catalog.removeResource("x://a")), true);
  assertEquals(catalog.resource("x://a", anonymous), undefined);
});
