/** Replies that become streams: what is sent before the result, silence, and clients that leave. */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as TestClock from "effect/testing/TestClock";
import { Auth, Call, McpServer, Tool } from "@needful/mcp";
import {
  call,
  type Fixture,
  fixture,
  messages,
  messagesIn,
  meta,
  outcome,
  post,
  quiet,
  rpc,
  send,
  withHandler,
} from "./fixture.ts";

const token = (progressToken: unknown) => ({ _meta: meta({}, { progressToken }) });
const level = (name: string) => ({ _meta: meta({}, { "io.modelcontextprotocol/logLevel": name }) });

const run = <A>(effect: Effect.Effect<A>): Promise<A> => Effect.runPromise(effect);

/** Waits until the handler of `wait` or `progress` is in the middle of its work. */
const inTheMiddle = ({ waiting }: Fixture): Promise<void> => run(Deferred.await(waiting));
const release = ({ release }: Fixture): Promise<boolean> => run(Deferred.succeed(release, undefined));

/** Time stands still until it is moved. */
const stillTime = async () => {
  const clock = await run(Effect.scoped(TestClock.make()));
  return { layer: Layer.succeed(Clock.Clock, clock), pass: (time: string) => run(clock.adjust(time as "1 second")) };
};

/** Reads a stream piece by piece. */
const pieces = (response: Response) => {
  const reader = response.body!.getReader();
  const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
  return { next: async () => text((await reader.read()).value), leave: () => reader.cancel() };
};

describe("progress and log messages", () => {
  test("progress: comes with its token, before the result, rising only", async () => {
    for (const id of [0, "a"]) {
      const made = fixture();
      await release(made);
      await withHandler(made.server, async (fetch) => {
        const response = await fetch(call("progress", {}, token(id)));
        assertEquals(response.headers.get("content-type"), "text/event-stream");
        assertEquals(response.headers.get("x-accel-buffering"), "no");
        assertStringIncludes(response.headers.get("cache-control")!, "no-cache");
        const all = await messages(response);
        assertEquals(
          all.slice(0, -1).map(({ method, params }) => [method, params]),
          [1, 2, 3].map((progress) => [
            "notifications/progress",
            { progressToken: id, progress, total: 3 },
          ]),
        );
        assertEquals(all.at(-1).result.content[0].text, "done");
      });
    }
  });

  test("progress: is dropped without a token", async () => {
    const made = fixture();
    await release(made);
    await withHandler(made.server, async (fetch) => {
      const response = await fetch(call("progress"));
      assertEquals([response.headers.get("content-type"), (await messages(response)).length], ["application/json", 1]);
    });
  });

  test("log: needs a level in the request, and reaches it (B59)", () =>
    withHandler(fixture().server, async (fetch) => {
      const levels = async (params: Record<string, unknown>) =>
        (await messages(await fetch(call("log", {}, params)))).slice(0, -1).map(({ params }) => params.level);
      assertEquals(await levels({}), []);
      assertEquals(await levels(level("warning")), ["warning", "error", "critical", "alert", "emergency"]);
      assertEquals((await levels(level("debug"))).length, 8);
      assertEquals(await outcome(await fetch(call("log", {}, level("bogus")))), "400/-32602");
    }));

  test("log: stays on the stream of its own request (B59)", () =>
    withHandler(fixture().server, async (fetch) => {
      const [low, high] = await Promise.all([
        fetch(call("log", {}, level("debug"))),
        fetch(call("log", {}, level("emergency"))),
      ]);
      assertEquals([(await messages(low)).length, (await messages(high)).length], [9, 2]);
    }));

  test("log: a fault after it is the last event of the stream", () =>
    withHandler(fixture().server, async (fetch) => {
      const response = await fetch(call("late", {}, level("info")));
      const all = await messages(response);
      assertEquals([response.status, all.length, all[0].params.data, all[1].error.code], [200, 2, "first", -32021]);
      // Without the message there is no stream, and the status can still be told
      assertEquals(await outcome(await fetch(call("late"))), "400/-32021");
    }));
});

describe("silence", () => {
  test("keepAlive: a reply that takes longer becomes a stream with comments", async () => {
    const made = fixture();
    const time = await stillTime();
    await withHandler(
      made.server,
      async (fetch) => {
        const responding = fetch(call("wait"));
        await inTheMiddle(made);
        await time.pass("15 seconds");
        const response = await responding;
        assertEquals(response.headers.get("content-type"), "text/event-stream");
        const stream = pieces(response);
        assertEquals(await stream.next(), ": keep-alive\n\n");
        await time.pass("15 seconds");
        assertEquals(await stream.next(), ": keep-alive\n\n");
        await release(made);
        assertEquals(messagesIn((await stream.next())!)[0].result.content[0].text, "released");
        assertEquals(await stream.next(), undefined);
      },
      {},
      time.layer,
    );
  });

  test("keepAlive: a client that takes no streams waits for its JSON", async () => {
    const made = fixture();
    const time = await stillTime();
    await withHandler(
      made.server,
      async (fetch) => {
        const responding = fetch(call("wait", {}, {}, { accept: "application/json" }));
        await inTheMiddle(made);
        await time.pass("1 minute");
        await release(made);
        const response = await responding;
        assertEquals(response.headers.get("content-type"), "application/json");
        await response.body!.cancel();
      },
      {},
      time.layer,
    );
  });

  test("keepAlive: can be set, and is not seen before its time", async () => {
    const made = fixture();
    const time = await stillTime();
    await withHandler(
      made.server,
      async (fetch) => {
        const responding = fetch(call("wait"));
        await inTheMiddle(made);
        await time.pass("59 seconds");
        await release(made);
        const response = await responding;
        assertEquals(response.headers.get("content-type"), "application/json");
        await response.body!.cancel();
      },
      { keepAlive: "1 minute" },
      time.layer,
    );
  });
});

describe("clients that leave (B57)", () => {
  test("disconnect: closing the stream interrupts the handler, whose finalizers run", async () => {
    const made = fixture();
    await withHandler(made.server, async (fetch) => {
      const stream = pieces(await fetch(call("progress", {}, token(1))));
      await inTheMiddle(made);
      assertStringIncludes((await stream.next())!, "notifications/progress");
      await stream.leave();
      assertEquals(made.events, ["interrupted"]);
    });
  });

  test("disconnect: an aborted request interrupts the handler while nothing is sent yet", async () => {
    const made = fixture();
    await withHandler(made.server, async (fetch) => {
      const client = new AbortController();
      const responding = fetch(send(rpc("tools/call", { name: "wait", arguments: {} }), {}, client.signal));
      await inTheMiddle(made);
      client.abort();
      assertEquals((await responding).status, 499);
      assertEquals(made.events, ["interrupted"]);
    });
  });

  test("disconnect: a request that was aborted before its body was read runs nothing", async () => {
    const made = fixture();
    await withHandler(made.server, async (fetch) => {
      const client = new AbortController();
      const request = send(rpc("tools/call", { name: "wait", arguments: {} }), {}, client.signal);
      client.abort();
      const { status } = await fetch(request);
      assertEquals(status >= 400, true);
      assertEquals(made.events.filter((event) => event !== "interrupted"), []);
    });
  });

  test("disconnect: nothing begins for a client that had left before it was asked who it is (2026-07-28, cancellation)", async () => {
    const made = fixture();
    let hooks = 0;
    const authenticate = () => {
      hooks++;
      return Effect.succeed(Auth.anonymous);
    };
    await withHandler(made.server, async (fetch) => {
      const echo = rpc("tools/call", { name: "echo", arguments: { text: "" } });
      const { status } = await fetch(send(echo, {}, AbortSignal.abort()));
      assertEquals([status, hooks, made.events], [499, 0, []]);
      assertEquals(await outcome(await fetch(send(echo))), "200/complete");
      assertEquals([hooks, made.events], [1, ["echo"]]);
    }, { authenticate });
  });

  test("disconnect: nothing follows for a client that leaves while it is asked who it is (2026-07-28, cancellation)", async () => {
    const made = fixture();
    // Ends well though it is interrupted, as a hook does that finishes its work first
    const asked = Effect.andThen(Deferred.succeed(made.waiting, undefined), Deferred.await(made.release));
    const authenticate = () => Effect.uninterruptible(Effect.as(asked, Auth.anonymous));
    await withHandler(made.server, async (fetch) => {
      const client = new AbortController();
      const echo = rpc("tools/call", { name: "echo", arguments: { text: "" } });
      const responding = fetch(send(echo, {}, client.signal));
      await inTheMiddle(made);
      client.abort();
      assertEquals((await responding).status, 499);
      await release(made);
      assertEquals(await outcome(await fetch(send(echo))), "200/complete");
      assertEquals(made.events, ["echo"]);
    }, { authenticate });
  });

  test("disconnect: a body that breaks off is refused, and the next request is served", async () => {
    const made = fixture();
    await withHandler(made.server, async (fetch) => {
      const broken = new ReadableStream({ start: (controller) => controller.error(new Error("gone")) });
      assertEquals(await outcome(await fetch(post(broken, rpc("tools/list")))), "400/-32700");
      assertEquals(await outcome(await fetch(call("echo", { text: "" }))), "200/complete");
    });
  });

  test("disconnect: leaves no listeners on a signal that lives long (B62)", async () => {
    const made = fixture();
    let added = 0, removed = 0;
    const watched = (request: Request): Request => {
      const { signal } = request;
      const add = signal.addEventListener.bind(signal), remove = signal.removeEventListener.bind(signal);
      signal.addEventListener = (...args: Parameters<typeof add>) => (added++, add(...args));
      signal.removeEventListener = (...args: Parameters<typeof remove>) => (removed++, remove(...args));
      return request;
    };
    await withHandler(made.server, async (fetch) => {
      const responding = fetch(watched(call("wait")));
      await inTheMiddle(made);
      assertEquals([added, removed], [1, 0]);
      await release(made);
      await (await responding).text();
      assertEquals([added, removed], [1, 1]);
    });
  });

  test("send: a client that does not read loses notices, but not its result", async () => {
    const made = fixture();
    await release(made);
    const many = new Array(50).fill(0);
    const data = "x".repeat(100_000);
    const chatty = Tool.make("chatty", {
      description: "Logs a lot",
      handler: () => Effect.as(Effect.forEach(many, () => Call.log("info", data)), "done"),
    });
    await withHandler(McpServer.make({ name: "chatty", version: "1", tools: [chatty] }), async (fetch) => {
      const all = await messages(await fetch(call("chatty", {}, level("info"))));
      assertEquals(all.at(-1).result.content[0].text, "done");
      // A megabyte is kept for it, and one message more may be begun
      assertEquals(all.length - 1, 11);
    });
  });
});

describe("stop", () => {
  test("dispose: lets calls in flight finish, and takes no new ones", async () => {
    const made = fixture();
    await withHandler(made.server, async (fetch, { dispose }) => {
      const responding = fetch(call("wait"));
      await inTheMiddle(made);
      const disposed = dispose();
      const refused = await fetch(call("echo", { text: "" }));
      assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
      await refused.body!.cancel();
      await release(made);
      assertEquals(await outcome(await responding), "200/complete");
      await disposed;
    });
  });

  test("dispose: interrupts what takes too long", async () => {
    const made = fixture();
    const time = await stillTime();
    await withHandler(
      made.server,
      async (fetch, { dispose }) => {
        const responding = fetch(call("wait"));
        await inTheMiddle(made);
        const disposed = dispose();
        await time.pass("2 seconds");
        assertEquals(await outcome(await responding), "503/-32603");
        await disposed;
        assertEquals(made.events, ["interrupted"]);
      },
      { stopWithin: "2 seconds" },
      time.layer,
    );
  });

  test("dispose: releases what the layer holds, once, and nothing that was never built", async () => {
    const log: Array<string> = [];
    const layer = Layer.effectDiscard(
      Effect.acquireRelease(Effect.sync(() => log.push("built")), () => Effect.sync(() => log.push("released"))),
    );
    const { server } = fixture();
    const idle = McpServer.toWebHandler(server, layer);
    await idle.dispose();
    assertEquals((await idle.fetch(call("echo", { text: "" }))).status, 503);
    assertEquals(log, []);
    await withHandler(
      server,
      async (fetch) => {
        await Promise.all([fetch(call("echo", { text: "" })), fetch(call("echo", { text: "" }))]);
      },
      {},
      layer,
    );
    assertEquals(log, ["built", "released"]);
  });

  test("toWebHandler: a layer that cannot be built is a generic error, and is tried again", async () => {
    let tries = 0;
    const layer = Layer.effectDiscard(Effect.suspend(() => ++tries === 1 ? Effect.fail("SECRET") : Effect.void));
    const handler = McpServer.toWebHandler(fixture().server, Layer.merge(layer, quiet));
    const first = await handler.fetch(call("echo", { text: "" }));
    assertEquals([first.status, (await first.text()).includes("SECRET")], [500, false]);
    assertEquals(await outcome(await handler.fetch(call("echo", { text: "" }))), "200/complete");
    await handler.dispose();
  });
});
