/** What the types of features promise. `deno check` of this file is the test. */
import { test } from "node:test";
import { assert } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { Principal } from "../../src/model/principal.ts";
import { Principal as PrincipalKey } from "../../src/model/principal.ts";
import * as Need from "../../src/need/mod.ts";
import * as Catalog from "../../src/server/catalog.ts";
import * as Content from "../../src/server/content.ts";
import * as McpServer from "../../src/server/mcp_server.ts";
import * as Prompt from "../../src/server/prompt.ts";
import * as Resource from "../../src/server/resource.ts";
import * as Tool from "../../src/server/tool.ts";
import { check, type Equal, same } from "../types.ts";

interface Shop {
  readonly refund: (order: string) => Effect.Effect<string, RefundError>;
}
const Shop = Context.Service<Shop>("test/Shop");

interface Mail {
  readonly send: (text: string) => Effect.Effect<void>;
}
const Mail = Context.Service<Mail>("test/Mail");

interface RefundError {
  readonly _tag: "RefundError";
  readonly reason: string;
}

const Order = Schema.Struct({ order: Schema.String, amount: Schema.Finite });
const Receipt = Schema.Struct({ id: Schema.String });

// R of a tool is what its handler needs, whatever kind of function it is.
check(() => {
  const traced = Tool.make("refund", {
    input: Order,
    handler: Effect.fn(function* ({ order, amount }) {
      same<Equal<typeof order, string>>();
      same<Equal<typeof amount, number>>();
      const shop = yield* Shop;
      const sure = yield* Need.confirm("sure", `Refund ${amount}?`);
      if (!sure) return "Nothing was refunded.";
      return yield* shop.refund(order).pipe(
        Effect.mapError(Tool.failWith((error) => `The refund failed: ${error.reason}`)),
      );
    }),
  });
  same<Equal<typeof traced, Tool.Tool<Shop | Need.Elicitation>>>();
  same<Equal<Tool.Services<typeof traced>, Shop | Need.Elicitation>>();
  const untraced = Tool.make("refund", {
    input: Order,
    handler: Effect.fnUntraced(function* ({ order }) {
      same<Equal<typeof order, string>>();
      yield* Mail;
      return order;
    }),
  });
  same<Equal<typeof untraced, Tool.Tool<Mail>>>();
  const named = Tool.make("refund", {
    input: Order,
    handler: Effect.fn("refund")(function* ({ order }) {
      yield* Need.roots();
      return order;
    }),
  });
  same<Equal<typeof named, Tool.Tool<Need.Roots>>>();
  const arrow = Tool.make("refund", { input: Order, handler: ({ order }) => Effect.succeed(order) });
  same<Equal<typeof arrow, Tool.Tool<never>>>();
  const bare = Tool.make("hello", { handler: () => Effect.succeed("Hello") });
  same<Equal<typeof bare, Tool.Tool<never>>>();
});

// The input's type comes from `input` alone.
check(() => {
  Tool.make("a", {
    input: Order,
    // @ts-expect-error -- the input has no such field
    handler: ({ price }) => Effect.succeed(`${price}`),
  });
  Tool.make("a", {
    input: Order,
    // @ts-expect-error -- the amount is a number
    handler: ({ amount }: { readonly amount: string }) => Effect.succeed(amount),
  });
  Tool.make("a", {
    input: Schema.Struct({ at: Schema.DateFromString, n: Schema.FiniteFromString }),
    handler: (input) => {
      same<Equal<typeof input, { readonly at: Date; readonly n: number }>>();
      return Effect.succeed(input.at.toISOString());
    },
  });
  Tool.make("a", {
    input: Tool.jsonSchema<{ readonly n: number }>({ type: "object", properties: { n: { type: "number" } } }),
    handler: (input) => {
      same<Equal<typeof input, { readonly n: number }>>();
      return Effect.succeed("");
    },
  });
  Tool.make("a", {
    input: Tool.jsonSchema({ type: "object" }),
    handler: (input) => Effect.succeed(String(input["anything"])),
  });
  class Point extends Schema.Class<Point>("Point")({ x: Schema.Finite }) {}
  Tool.make("a", {
    input: Point,
    handler: (input) => {
      same<Equal<typeof input, Point>>();
      return Effect.succeed("");
    },
  });
});

// The output's type comes from `output` alone; content is always allowed.
check(() => {
  Tool.make("a", { output: Receipt, handler: () => Effect.succeed({ id: "1" }) });
  Tool.make("a", { output: Receipt, handler: () => Effect.succeed("text") });
  Tool.make("a", { output: Schema.Array(Schema.Finite), handler: () => Effect.succeed([1, 2]) });
  Tool.make("a", { handler: () => Effect.succeed([Content.text("a"), Content.image("", { mimeType: "image/png" })]) });
  Tool.make("a", {
    output: Receipt,
    handler: () => Effect.succeed(Tool.result({ structured: { id: "1" }, content: "One" })),
  });
  Tool.make("a", { handler: () => Effect.succeed(Tool.result({ content: "One", _meta: { "x.y/z": 1 } })) });
  // @ts-expect-error -- the id is a string
  Tool.make("a", { output: Receipt, handler: () => Effect.succeed({ id: 1 }) });
  // @ts-expect-error -- there is no id
  Tool.make("a", { output: Receipt, handler: () => Effect.succeed({ name: "1" }) });
  // @ts-expect-error -- the structured value is not one of the output's
  Tool.make("a", { output: Receipt, handler: () => Effect.succeed(Tool.result({ structured: { id: 1 } })) });
  // @ts-expect-error -- without an output there is no structured value
  Tool.make("a", { handler: () => Effect.succeed({ id: "1" }) });
  // @ts-expect-error -- a handler has to return something
  Tool.make("a", { handler: () => Effect.void });
});

// E of a handler is closed: the author's own errors need a text, and being unable to ask has to be handled.
check(() => {
  Tool.make("a", {
    // @ts-expect-error -- RefundError has no text for the client
    handler: Effect.fn(function* () {
      return yield* (yield* Shop).refund("1");
    }),
  });
  Tool.make("a", {
    // @ts-expect-error -- Unanswerable has to be handled
    handler: () => Effect.map(Need.attempt(Need.confirm("sure", "?")), String),
  });
  Tool.make("a", {
    handler: () =>
      Need.attempt(Need.confirm("sure", "?")).pipe(
        Effect.map(String),
        Effect.catchTag("Unanswerable", () => Effect.succeed("cannot ask")),
      ),
  });
  Tool.make("a", {
    handler: Effect.fn(function* () {
      const { name } = yield* Need.elicit("who", { message: "?", schema: Schema.Struct({ name: Schema.String }) });
      if (name === "") return yield* Tool.fail("No name");
      return name;
    }),
  });
  Tool.make("a", { handler: () => Effect.mapError(Effect.fail(1), Tool.failWith((n) => n.toFixed())) });
  // @ts-expect-error -- the resource's failure is none of a tool's
  Tool.make("a", { handler: () => Effect.fail(Resource.notFound()) });
});

// The server's R adds up its members', without what the server brings itself.
check(() => {
  const shop = Tool.make("shop", { handler: () => Effect.as(Shop, "") });
  const mail = Tool.make("mail", { handler: () => Effect.as(Mail, "") });
  const asks = Tool.make("asks", { handler: () => Effect.map(Need.confirm("sure", "?"), String) });
  const knows = Tool.make("knows", { handler: () => Effect.map(PrincipalKey, (p: Principal) => p.subject) });
  const grows = Tool.make("grows", { handler: () => Effect.as(Catalog.removeTool("x"), "") });
  const flows = Tool.make("flows", { handler: () => Effect.map(Need.flow, (flow) => flow.id) });
  const readme = Resource.make("docs://readme", { name: "readme", handler: () => Effect.as(Mail, "") });
  const note = Resource.template("note://{id}", { name: "note", handler: ({ id }) => Effect.as(Shop, id) });
  const review = Prompt.make("review", { handler: () => Effect.as(Shop, "") });
  const about = { name: "s", version: "1" };

  const none = McpServer.make(about);
  same<Equal<typeof none, McpServer.McpServer<never>>>();
  const empty = McpServer.make({ ...about, tools: [], resources: [], prompts: [] });
  same<Equal<typeof empty, McpServer.McpServer<never>>>();
  const tuple = McpServer.make({ ...about, tools: [shop, mail, asks] });
  same<Equal<typeof tuple, McpServer.McpServer<Shop | Mail>>>();
  const own = McpServer.make({ ...about, tools: [asks, knows, grows, flows] });
  same<Equal<typeof own, McpServer.McpServer<never>>>();
  const record = McpServer.make({ ...about, tools: Object.values({ shop, asks }) });
  same<Equal<typeof record, McpServer.McpServer<Shop>>>();
  const list: ReadonlyArray<Tool.Tool<Mail | Need.Elicitation>> = [mail, asks];
  const spread = McpServer.make({ ...about, tools: [shop, ...list] });
  same<Equal<typeof spread, McpServer.McpServer<Shop | Mail>>>();
  const all = McpServer.make({ ...about, tools: [asks], resources: [readme, note], prompts: [review] });
  same<Equal<typeof all, McpServer.McpServer<Mail | Shop>>>();

  const serve = (_: McpServer.McpServer<never>): void => {};
  serve(own);
  // @ts-expect-error -- Shop and Mail are missing
  serve(tuple);
  const serveWithMail = (_: McpServer.McpServer<Mail>): void => {};
  serveWithMail(McpServer.make({ ...about, tools: [mail] }));
  // @ts-expect-error -- Shop is missing
  serveWithMail(tuple);
  // @ts-expect-error -- a prompt is no tool
  McpServer.make({ ...about, tools: [review] });
});

// A feature that joins a running server can need nothing that the server was not made with.
check(() => {
  const plain = Tool.make("plain", { handler: () => Effect.succeed("") });
  const asks = Tool.make("asks", { handler: () => Effect.map(Need.confirm("sure", "?"), String) });
  const shop = Tool.make("shop", { handler: () => Effect.as(Shop, "") });
  const added = Catalog.addTool(plain);
  same<Equal<typeof added, Effect.Effect<void, Catalog.Duplicate, Catalog.Catalog>>>();
  Catalog.addTool(asks);
  // @ts-expect-error -- nobody provides Shop
  Catalog.addTool(shop);
  const updated = Catalog.resourceUpdated("docs://readme");
  same<Equal<typeof updated, Effect.Effect<void, never, Catalog.Catalog>>>();
});

// Variables of templates and arguments of prompts are known by name.
check(() => {
  type Of<T extends string> = Resource.Variables<T>;
  same<Equal<Of<"note://{id}">, { readonly id: string }>>();
  same<Equal<Of<"x://{a,b}/{+c}">, { readonly a: string; readonly b: string; readonly c: string }>>();
  same<
    Equal<Of<"x://{a}{/b}{?c,d*}">, {
      readonly a: string;
      readonly b?: string;
      readonly c?: string;
      readonly d: ReadonlyArray<string>;
    }>
  >();
  same<Equal<Of<string>, { readonly [name: string]: string | ReadonlyArray<string> }>>();
  const template = Resource.template("note://{id}", {
    name: "note",
    complete: { id: (value) => Effect.as(Mail, [value]) },
    handler: ({ id }) => Effect.as(Shop, id),
  });
  same<Equal<typeof template, Resource.Template<Shop | Mail>>>();
  const sometimes = Resource.template("note://{id}", {
    name: "note",
    complete: { id: (value) => value === "" ? [] : Effect.as(Mail, [value]) },
    handler: () => Effect.succeed(""),
  });
  same<Equal<typeof sometimes, Resource.Template<Mail>>>();
  // @ts-expect-error -- the template has no such variable
  Resource.template("note://{id}", { name: "note", handler: ({ name }) => Effect.succeed(name) });
  const prompt = Prompt.make("review", {
    args: Schema.Struct({ code: Schema.String, depth: Schema.optionalKey(Schema.FiniteFromString) }),
    complete: { code: ["a"], depth: (_value, context) => Effect.as(Mail, Object.keys(context)) },
    handler: ({ code, depth }) => {
      same<Equal<typeof depth, number | undefined>>();
      return Effect.as(Shop, [Prompt.user(code)]);
    },
  });
  same<Equal<typeof prompt, Prompt.Prompt<Shop | Mail>>>();
  Prompt.make("review", {
    // @ts-expect-error -- arguments of prompts are strings
    args: Schema.Struct({ depth: Schema.Finite }),
    handler: () => Effect.succeed(""),
  });
});

test("types: the file is checked", () => assert(true));
