/** Listening to a catalog: what is told, to whom, when (2026-07-28, basic/patterns/subscriptions; case B60). */
import { test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import * as TestClock from "effect/testing/TestClock";
import { isFault } from "../../src/model/fault.ts";
import { anonymous, type Principal, principal } from "../../src/model/principal.ts";
import * as Catalog from "../../src/server/catalog.ts";
import * as McpServer from "../../src/server/mcp_server.ts";
import * as Prompt from "../../src/server/prompt.ts";
import * as Resource from "../../src/server/resource.ts";
import * as Tool from "../../src/server/tool.ts";

const handler = () => Effect.succeed("");
const tool = (name: string) => Tool.make(name, { handler });

const server = McpServer.make({
  name: "s",
  version: "1",
  tools: [tool("a")],
  prompts: [],
  resources: [
    Resource.make("note://1", { name: "one", handler }),
    Resource.template("note://by/{id}", { name: "by", handler }),
    Resource.make("note://ada", { name: "ada", handler, visible: ({ subject }) => subject === "ada" }),
  ],
});

interface Heard {
  readonly changes: Array<string>;
  readonly subscription: Catalog.Subscription;
}

const all: Catalog.Filter = { lists: ["tools", "prompts", "resources"], uris: [] };

const listen = (
  catalog: Catalog.Catalog,
  filter: Catalog.Filter = all,
  caller: Principal = anonymous,
): Heard => {
  const changes: Array<string> = [];
  const subscription = catalog.listen(filter, caller, {
    change: (change) => void changes.push(change._tag === "ListChanged" ? change.kind : change.uri),
    end: () => void changes.push("end"),
  });
  assert(!isFault(subscription), JSON.stringify(subscription));
  return { changes, subscription };
};

const run = <A>(
  body: Effect.Effect<A, unknown, Catalog.Catalog>,
  options?: Catalog.CatalogOptions,
): Promise<A> =>
  Effect.runPromise(Effect.provide(body, Layer.provideMerge(Catalog.layer(server, options), TestClock.layer())));

test("listen: tells of a change of a list within 100 ms, once for several", () =>
  run(Effect.gen(function* () {
    const { changes } = listen(yield* Catalog.Catalog);
    yield* Catalog.addTool(tool("b"));
    yield* TestClock.adjust("60 millis");
    yield* Catalog.addTool(tool("c"));
    yield* Catalog.removeTool("b");
    assertEquals(changes, []);
    yield* TestClock.adjust("40 millis");
    assertEquals(changes, ["tools"]);
    yield* TestClock.adjust("1 second");
    assertEquals(changes, ["tools"]);
    yield* Catalog.removeTool("c");
    yield* TestClock.adjust("100 millis");
    assertEquals(changes, ["tools", "tools"]);
  })));

test("listen: tells of each kind apart, and of templates as resources", () =>
  run(Effect.gen(function* () {
    const { changes } = listen(yield* Catalog.Catalog);
    yield* Catalog.addPrompt(Prompt.make("p", { handler }));
    yield* Catalog.removeTemplate("note://by/{id}");
    yield* Catalog.removeResource("note://1");
    yield* TestClock.adjust("100 millis");
    assertEquals(changes, ["prompts", "resources"]);
  })));

test("listen: tells nobody of what it did not ask for", () =>
  run(Effect.gen(function* () {
    const catalog = yield* Catalog.Catalog;
    const prompts = listen(catalog, { lists: ["prompts"], uris: [] });
    const nothing = listen(catalog, { lists: [], uris: [] });
    yield* Catalog.addTool(tool("b"));
    yield* Catalog.resourceUpdated("note://1");
    yield* TestClock.adjust("1 second");
    assertEquals([prompts.changes, nothing.changes], [[], []]);
  })));

test("listen: honours the lists that are served and the resources that this caller may read", () =>
  run(Effect.gen(function* () {
    const catalog = yield* Catalog.Catalog;
    const filter: Catalog.Filter = {
      lists: ["tools", "tools", "resources"],
      uris: ["note://1", "note://1", "note://by/7", "note://none", "note://ada"],
    };
    assertEquals(listen(catalog, filter).subscription.honoured, {
      lists: ["tools", "resources"],
      uris: ["note://1", "note://by/7"],
    });
    assertEquals(listen(catalog, filter, principal("ada")).subscription.honoured.uris, [
      "note://1",
      "note://by/7",
      "note://ada",
    ]);
    const bare = yield* Catalog.make(McpServer.make({ name: "s", version: "1", tools: [] }));
    assertEquals(listen(bare).subscription.honoured, { lists: ["tools"], uris: [] });
  })));

test("resourceUpdated: tells at once, and those only who listen to this resource", () =>
  run(Effect.gen(function* () {
    const catalog = yield* Catalog.Catalog;
    const one = listen(catalog, { lists: [], uris: ["note://1"] });
    const by = listen(catalog, { lists: [], uris: ["note://by/7", "note://1"] });
    yield* Catalog.resourceUpdated("note://1");
    yield* Catalog.resourceUpdated("note://by/7");
    yield* Catalog.resourceUpdated("note://by/8");
    assertEquals(one.changes, ["note://1"]);
    assertEquals(by.changes, ["note://1", "note://by/7"]);
  })));

test("resourceUpdated: tells nobody who may not read the resource any more", () =>
  run(Effect.gen(function* () {
    const { changes } = listen(yield* Catalog.Catalog, { lists: [], uris: ["note://1"] });
    yield* Catalog.removeResource("note://1");
    yield* Catalog.resourceUpdated("note://1");
    assertEquals(changes, []);
  })));

test("listen: does not tell of features that the caller may not see", () =>
  run(Effect.gen(function* () {
    const catalog = yield* Catalog.Catalog;
    const ada = listen(catalog, all, principal("ada"));
    const bob = listen(catalog, all, principal("bob"));
    yield* Catalog.addTool(Tool.make("s", { handler, visible: ({ subject }) => subject === "ada" }));
    yield* TestClock.adjust("100 millis");
    assertEquals([ada.changes, bob.changes], [["tools"], []]);
    // What becomes visible is a change too.
    yield* Catalog.replaceTool(tool("s"));
    yield* TestClock.adjust("100 millis");
    assertEquals([ada.changes, bob.changes], [["tools", "tools"], ["tools"]]);
  })));

test("close: ends a subscription, twice without harm, and leaves others alone", () =>
  run(Effect.gen(function* () {
    const catalog = yield* Catalog.Catalog;
    const one = listen(catalog);
    const two = listen(catalog);
    yield* Catalog.addTool(tool("b"));
    one.subscription.close();
    one.subscription.close();
    yield* TestClock.adjust("100 millis");
    assertEquals([one.changes, two.changes], [[], ["tools"]]);
  })));

test("close: leaves no timer behind, nor does a change that nobody listens to", async () => {
  const timers = new Set<unknown>();
  const set = globalThis.setTimeout;
  const clear = globalThis.clearTimeout;
  const counted = (...args: Parameters<typeof set>) => {
    const timer = set(...args);
    timers.add(timer);
    return timer;
  };
  globalThis.setTimeout = counted as typeof set;
  globalThis.clearTimeout = ((timer) => (timers.delete(timer), clear(timer))) as typeof clear;
  try {
    const catalog = Effect.runSync(Catalog.make(server));
    await Effect.runPromise(catalog.put(tool("x"), false));
    assertEquals(timers.size, 0);
    const { subscription } = listen(catalog);
    await Effect.runPromise(catalog.put(tool("y"), false));
    await Effect.runPromise(Effect.yieldNow);
    assertEquals(timers.size, 1);
    subscription.close();
    await Effect.runPromise(Effect.yieldNow);
    assertEquals(timers.size, 0);
  } finally {
    globalThis.setTimeout = set;
    globalThis.clearTimeout = clear;
  }
});

test("listen: refuses more than the maximum, until one ends", () =>
  run(
    Effect.gen(function* () {
      const catalog = yield* Catalog.Catalog;
      const [one] = [listen(catalog), listen(catalog)];
      const third = catalog.listen(all, anonymous, { change: () => {}, end: () => {} });
      assert(isFault(third));
      assertEquals([third.code, third.status], [-32603, 503]);
      one?.subscription.close();
      one?.subscription.close();
      listen(catalog);
      assert(
        isFault(catalog.listen(all, anonymous, { change: () => {}, end: () => {} })),
        "closing twice makes room once",
      );
    }),
    { maxSubscriptions: 2 },
  ));

test("listen: holds a bounded number of resources for one subscription", () =>
  run(
    Effect.gen(function* () {
      const uris = Array.from({ length: 10 }, (_, index) => `note://by/${index}`);
      const { subscription } = listen(yield* Catalog.Catalog, { lists: [], uris });
      assertEquals(subscription.honoured.uris, uris.slice(0, 3));
    }),
    { maxUris: 3 },
  ));

test("shutdown: ends every subscription once, drops what is pending and refuses new ones", () =>
  run(Effect.gen(function* () {
    const catalog = yield* Catalog.Catalog;
    const { changes, subscription } = listen(catalog);
    yield* Catalog.addTool(tool("b"));
    yield* catalog.shutdown;
    yield* catalog.shutdown;
    yield* TestClock.adjust("1 second");
    assertEquals(changes, ["end"]);
    subscription.close();
    const late = catalog.listen(all, anonymous, { change: () => {}, end: () => {} });
    assert(isFault(late) && late.status === 503);
  })));

test("layer: shuts the catalog down when it closes", async () => {
  const scope = Effect.runSync(Scope.make());
  const context = await Effect.runPromise(Layer.buildWithScope(Catalog.layer(server), scope));
  const catalog = await Effect.runPromise(Effect.provideContext(Effect.service(Catalog.Catalog), context));
  const { changes } = listen(catalog);
  await Effect.runPromise(Scope.close(scope, Exit.void));
  assertEquals(changes, ["end"]);
});

test("listen: frees everything after many subscriptions (case B60)", () =>
  run(Effect.gen(function* () {
    const catalog = yield* Catalog.Catalog;
    const heard = Array.from({ length: 10_000 }, () => listen(catalog));
    yield* Catalog.addTool(tool("b"));
    yield* TestClock.adjust("100 millis");
    assert(heard.every(({ changes }) => changes.length === 1));
    for (const { subscription } of heard) subscription.close();
    // The maximum of 10,000 is free again.
    for (const { subscription } of Array.from({ length: 10_000 }, () => listen(catalog))) subscription.close();
  })));
