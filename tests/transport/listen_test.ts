/** `subscriptions/listen`, from its acknowledgement to its end (2026-07-28, subscriptions and cancellation; B60). */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Clock from "effect/Clock";
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as TestClock from "effect/testing/TestClock";
import { Catalog, McpServer, Tool } from "@needful/mcp";
import { fixture, messages, messagesIn, outcome, quiet, rpc, send, type Wire, withHandler } from "./fixture.ts";

const run = <A>(effect: Effect.Effect<A>): Promise<A> => Effect.runPromise(effect);

const listen = (notifications: unknown, id: string | number = 1, signal?: AbortSignal): Request =>
  send(rpc("subscriptions/listen", { notifications }, id), {}, signal);

const subscriptionId = "io.modelcontextprotocol/subscriptionId";

/** A stream's messages, one by one; undefined at its end. */
const reading = (response: Response) => {
  const reader = response.body!.getReader();
  const ready: Array<Wire> = [];
  const next = async (): Promise<Wire> => {
    while (ready.length === 0) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      ready.push(...messagesIn(new TextDecoder().decode(value)));
    }
    return ready.shift();
  };
  return { next, leave: () => reader.cancel() };
};

/** The fixture with its catalog in the hands of the test, and time that stands still until it is moved. */
const serving = async (
  use: (parts: {
    fetch: McpServer.WebHandler["fetch"];
    dispose: McpServer.WebHandler["dispose"];
    change: (effect: Effect.Effect<unknown, unknown, Catalog.Catalog>) => Promise<unknown>;
    pass: (time: "15 seconds" | "1 hour") => Promise<void>;
  }) => Promise<void>,
  options: McpServer.HttpOptions = {},
): Promise<void> => {
  const clock = await run(Effect.scoped(TestClock.make()));
  let catalog: Context.Context<Catalog.Catalog> | undefined;
  const layer = Layer.effectDiscard(Effect.map(Effect.context<Catalog.Catalog>(), (context) => {
    catalog = context;
  }));
  const time = Layer.succeed(Clock.Clock, clock);
  const handler = McpServer.toWebHandler(fixture().server, Layer.mergeAll(layer, quiet, time), options);
  try {
    await use({
      ...handler,
      change: (effect) => Effect.runPromise(Effect.provideContext(effect, catalog!) as Effect.Effect<unknown>),
      pass: (time) => run(clock.adjust(time)),
    });
  } finally {
    await handler.dispose();
  }
};

const extra = Tool.make("extra", { description: "Joins later", handler: () => Effect.succeed("here") });

/** The two messages that end a subscription on the server's side. */
const ends = (last: ReadonlyArray<Wire>, id: string | number): void => {
  const [result, cancelled] = last;
  assertEquals([result.id, result.result.resultType, result.result._meta[subscriptionId]], [id, "complete", id]);
  assertEquals(Object.keys(result.result._meta).sort(), ["io.modelcontextprotocol/serverInfo", subscriptionId]);
  assertEquals([cancelled.method, cancelled.params.requestId, cancelled.params._meta], ["notifications/cancelled", id, {
    [subscriptionId]: id,
  }]);
};

describe("subscriptions/listen", () => {
  test("listen: acknowledges what is honoured, first and with the id's own type", () =>
    serving(async ({ fetch }) => {
      for (const id of [0, "s", 7]) {
        const wanted = {
          toolsListChanged: true,
          promptsListChanged: false,
          resourceSubscriptions: ["ask://name", "no:where"],
        };
        const response = await fetch(listen(wanted, id));
        assertEquals(response.headers.get("content-type"), "text/event-stream");
        const stream = reading(response);
        assertEquals(await stream.next(), {
          jsonrpc: "2.0",
          method: "notifications/subscriptions/acknowledged",
          params: {
            _meta: { [subscriptionId]: id },
            notifications: { toolsListChanged: true, resourceSubscriptions: ["ask://name"] },
          },
        });
        await stream.leave();
      }
    }));

  test("listen: ends at once where nothing is honoured", () =>
    serving(async ({ fetch }) => {
      for (const wanted of [{}, { resourceSubscriptions: ["no:where"] }, { nopeListChanged: true }]) {
        const [acknowledged, ...last] = await messages(await fetch(listen(wanted, 0)));
        assertEquals(acknowledged.params.notifications, {});
        ends(last, 0);
      }
    }));

  test("listen: tells of changes, gathered for 100 ms, and of nothing else", () =>
    serving(async ({ change, fetch }) => {
      const stream = reading(
        await fetch(listen({ toolsListChanged: true, resourceSubscriptions: ["ask://name"] }, "s")),
      );
      await stream.next();
      await change(Catalog.addTool(extra));
      await change(Catalog.removeTool("extra"));
      await change(Catalog.removePrompt("greet"));
      await change(Catalog.resourceUpdated("note:///café/日本語"));
      await change(Catalog.resourceUpdated("ask://name"));
      const updated = await stream.next();
      assertEquals([updated.method, updated.params], ["notifications/resources/updated", {
        _meta: { [subscriptionId]: "s" },
        uri: "ask://name",
      }]);
      // The catalog is older than the layer that holds the clock: its window passes by itself
      const changed = await stream.next();
      assertEquals([changed.method, changed.params], ["notifications/tools/list_changed", {
        _meta: { [subscriptionId]: "s" },
      }]);
      await change(Catalog.resourceUpdated("ask://name"));
      assertEquals((await stream.next()).method, "notifications/resources/updated");
      await stream.leave();
    }));

  test("listen: a change while it opens comes after the acknowledgement", () =>
    serving(async ({ change, fetch }) => {
      await fetch(send(rpc("tools/list")));
      await change(Catalog.addTool(extra));
      const opening = fetch(listen({ toolsListChanged: true }));
      const stream = reading(await opening);
      await change(Catalog.removeTool("extra"));
      assertEquals((await stream.next()).method, "notifications/subscriptions/acknowledged");
      assertEquals((await stream.next()).method, "notifications/tools/list_changed");
      await stream.leave();
    }));

  test("listen: two subscriptions are told apart by their ids", () =>
    serving(async ({ change, fetch }) => {
      const streams = await Promise.all(
        ["a", "b"].map(async (id) => reading(await fetch(listen({ resourceSubscriptions: ["ask://name"] }, id)))),
      );
      for (const stream of streams) await stream.next();
      await change(Catalog.resourceUpdated("ask://name"));
      const ids = await Promise.all(streams.map(async (stream) => (await stream.next()).params._meta[subscriptionId]));
      assertEquals(ids, ["a", "b"]);
      for (const stream of streams) await stream.leave();
    }));

  test("listen: needs a client that takes streams", () =>
    withHandler(fixture().server, async (fetch) => {
      const message = rpc("subscriptions/listen", { notifications: {} });
      assertEquals(await outcome(await fetch(send(message, { accept: "application/json" }))), "406/-32600");
    }));

  test("listen: silence is broken by comments", () =>
    serving(async ({ fetch, pass }) => {
      const response = await fetch(listen({ toolsListChanged: true }));
      const reader = response.body!.getReader();
      await reader.read();
      await pass("15 seconds");
      assertEquals(new TextDecoder().decode((await reader.read()).value), ": keep-alive\n\n");
      await reader.cancel();
    }));

  test("listen: the server's end is a result, then the notice of it, then the end of the stream", () =>
    serving(async ({ dispose, fetch }) => {
      const stream = reading(await fetch(listen({ toolsListChanged: true }, 0)));
      await stream.next();
      await dispose();
      ends([await stream.next(), await stream.next()], 0);
      assertEquals(await stream.next(), undefined);
    }));

  test("listen: ends when its lifetime is over", () =>
    serving(async ({ fetch, pass }) => {
      const stream = reading(await fetch(listen({ toolsListChanged: true }, "s")));
      await stream.next();
      await pass("1 hour");
      ends([await stream.next(), await stream.next()], "s");
      assertEquals(await stream.next(), undefined);
    }, { subscriptions: { lifetime: "1 hour" }, keepAlive: "2 hours" }));

  test("listen: there is a maximum, and leaving makes room, however a client leaves", () =>
    serving(async ({ fetch }) => {
      const open = async () => reading(await fetch(listen({ toolsListChanged: true })));
      const first = await open();
      assertEquals(await outcome(await fetch(listen({ toolsListChanged: true }))), "503/-32603");
      await first.leave();
      const client = new AbortController();
      const second = await fetch(listen({ toolsListChanged: true }, 1, client.signal));
      assertEquals(second.status, 200);
      client.abort();
      // One with nothing to tell takes no room at all
      for (let i = 0; i < 3; i++) assertEquals((await messages(await fetch(listen({})))).length, 3);
      const third = await open();
      assertEquals((await third.next()).method, "notifications/subscriptions/acknowledged");
      await third.leave();
    }, { subscriptions: { max: 1 } }));

  test("listen: a client that does not read is cut off with a result, and has to begin anew", () =>
    serving(async ({ change, fetch }) => {
      const response = await fetch(listen({ resourceSubscriptions: ["ask://name"] }));
      for (let i = 0; i < 10_000; i++) await change(Catalog.resourceUpdated("ask://name"));
      const all = await messages(response);
      ends(all.slice(-2), 1);
      assertEquals(all.length < 10_000, true);
    }));
});
