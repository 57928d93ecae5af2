/** Cases B56 and B57: a client that leaves, in every way that a socket allows. The parts about stdio and earlier revisions are not here. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Call, McpServer, Need, Tool } from "@needful/mcp";
import { type Counter, counter, echo, slow } from "./fixtures.ts";
import { type Listening, overHttp } from "./serve.ts";
import { bytesOf, connect, exchange, type Raw, type Socket } from "./socket.ts";
import { accept, again, asks, type Body, call, completes, FORM, headers, type Json, META, rpc, send } from "./wire.ts";

const server = (runs: Counter) =>
  McpServer.make({
    name: "leaving",
    version: "1",
    tools: [
      slow(runs),
      echo(runs),
      Tool.make("huge", {
        description: "Returns 20 MiB",
        handler: () => Effect.as(runs.count("huge"), "x".repeat(20 * 1_048_576)),
      }),
      Tool.make("chatty", {
        description: "Reports as fast as it can",
        handler: Effect.fnUntraced(function* () {
          yield* runs.count("chatty");
          for (let progress = 1; progress < 100_000; progress++) {
            yield* Call.progress({ progress, message: "x".repeat(1000) });
            yield* Effect.sleep(1);
          }
          return "done";
        }, Effect.onInterrupt(() => runs.count("interrupted"))),
      }),
      Tool.make("step", {
        description: "Does a step that cannot be interrupted, then asks",
        handler: Effect.fnUntraced(function* () {
          yield* runs.count("step");
          yield* Need.once("work", Effect.andThen(Effect.sleep(100), runs.count("worked")), Schema.Void as never);
          return `${yield* Need.confirm("sure", "Sure?")}`;
        }, Effect.onInterrupt(() => runs.count("interrupted"))),
      }),
    ],
  });

const request = (body: Body): Raw => ({
  headers: Object.entries(headers(body as unknown as Json)),
  body: JSON.stringify(body),
});

const loud = (name: string, args: Json = {}): Body =>
  rpc("tools/call", { name, arguments: args, ...META(FORM, { progressToken: "p" }) });

/** Waits until `holds`; what the kernel does takes its time. */
const eventually = async (holds: () => boolean): Promise<void> => {
  for (let i = 0; i < 500 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert(holds(), "It did not come about within 5 seconds");
};

const open = async ({ port }: Listening, body: Body): Promise<Socket> => {
  const socket = await connect(port);
  await socket.write(bytesOf(port, request(body)));
  return socket;
};

const alive = async (target: Listening): Promise<void> =>
  completes(await send(target, call("echo", { a: 1 })), '{"a":1}');

describe("B57: a client that leaves cancels its request", () => {
  test("B57: a stream that is closed after its first event interrupts the handler, and its finalizers run", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const socket = await open(target, loud("slow", { ms: 60_000, loud: true }));
      const seen = await socket.until("notifications/progress");
      assert(seen.startsWith("HTTP/1.1 200") && seen.includes("text/event-stream"), seen);
      socket.close();
      await eventually(() => runs.of("interrupted") === 1);
      assertEquals(runs.of("slept"), 0);
      await alive(target);
    });
  });

  test("B57: so does a connection that is closed before anything was sent", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const socket = await open(target, call("slow", { ms: 60_000 }));
      await eventually(() => runs.of("slow") === 1);
      socket.close();
      await eventually(() => runs.of("interrupted") === 1);
      await alive(target);
    });
  });

  test("B57: a longer request whose client leaves before anything was sent is cancelled with the first keep-alive", () => {
    // Deno 2.9 tells of a closed connection at once only where the whole request had less than 512 bytes. Writing to it
    // shows it for any request, and that is what keep-alive comments do, for clients that take streams
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const socket = await open(target, call("slow", { ms: 60_000 }, FORM, { padding: "x".repeat(5000) }));
      await eventually(() => runs.of("slow") === 1);
      socket.close();
      await eventually(() => runs.of("interrupted") === 1);
      await alive(target);
    }, { keepAlive: "50 millis" });
  });

  test("B57: an upload that breaks off, at any byte, runs nothing", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const bytes = bytesOf(target.port, request(call("echo", { a: "日本語".repeat(50) })));
      const head = new TextDecoder().decode(bytes).indexOf("\r\n\r\n") + 4;
      for (const length of [1, 20, head - 1, head, head + 1, head + 200, bytes.length - 1]) {
        const socket = await connect(target.port);
        await socket.write(bytes.subarray(0, length));
        socket.close();
      }
      await alive(target);
      assertEquals(runs.of("echo"), 1);
    });
  });

  test("B57: a connection serves one request after another, and the last one can be left", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const socket = await connect(target.port);
      for (let i = 0; i < 5; i++) {
        const { status, body } = await exchange(socket, target.port, request(call("echo", { i })));
        assert(status === 200 && body.includes(`{\\"i\\":${i}}`), body);
      }
      await socket.write(bytesOf(target.port, request(call("slow", { ms: 60_000 }))));
      await eventually(() => runs.of("slow") === 1);
      socket.close();
      await eventually(() => runs.of("interrupted") === 1);
    });
  });

  test("B57: two requests in one write are answered in their order", () =>
    overHttp(server(counter()), async (target) => {
      const socket = await connect(target.port);
      const [one, two] = [call("echo", { n: 1 }), call("echo", { n: 2 })].map((body) =>
        bytesOf(target.port, request(body))
      );
      const both = new Uint8Array(one!.length + two!.length);
      both.set(one!);
      both.set(two!, one!.length);
      await socket.write(both);
      const first = await socket.until('{\\"n\\":1}');
      const second = await socket.until('{\\"n\\":2}');
      assert(first.includes('{\\"n\\":1}') && second.includes('{\\"n\\":2}'));
      socket.close();
    }));

  test("B57: a handler that goes on reporting to nobody is stopped", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const socket = await open(target, loud("chatty"));
      await socket.until('"progress":3');
      socket.close();
      await eventually(() => runs.of("interrupted") === 1);
      await alive(target);
    });
  });

  test("B57: a result that nobody takes any more does no harm, however large", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      for (let i = 0; i < 3; i++) {
        const socket = await open(target, call("huge"));
        await socket.until("\r\n\r\n");
        socket.close();
      }
      await alive(target);
      assertEquals(runs.of("huge"), 3);
    });
  });

  test("B57: a step that has begun ends, for it is uninterruptible, and the rest is interrupted", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const socket = await open(target, call("step", {}, FORM));
      await eventually(() => runs.of("step") === 1);
      socket.close();
      await eventually(() => runs.of("interrupted") === 1);
      assertEquals(runs.of("worked"), 1);
      await alive(target);
    });
  });

  test("B57: 300 clients that leave at once leave nothing behind", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      for (let batch = 0; batch < 6; batch++) {
        const before = runs.of("slow");
        const sockets = await Promise.all(
          Array.from({ length: 50 }, (_, i) => open(target, loud("slow", { ms: 60_000, loud: i % 2 === 0 }))),
        );
        await eventually(() => runs.of("slow") === before + 50);
        for (const socket of sockets) socket.close();
        await eventually(() => runs.of("interrupted") === before + 50);
      }
      await alive(target);
    }, { keepAlive: "50 millis" });
  });
});

describe("B56: notifications/cancelled is not the signal over HTTP", () => {
  test("B56: it is taken with 202 and has no effect, for ids of calls in flight too (section 9)", () => {
    const runs = counter();
    return overHttp(server(runs), async (target) => {
      const running = { ...call("slow", { ms: 300 }), id: 7 };
      const reply = send(target, running);
      await eventually(() => runs.of("slow") === 1);
      for (const requestId of [7, "7", 8, null, undefined, {}]) {
        const note = {
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { ...META(), requestId, reason: "x" },
        };
        assertEquals((await send(target, note)).status, 202);
      }
      completes(await reply, "Awake");
      assertEquals([runs.of("interrupted"), runs.of("slept")], [0, 1]);
    });
  });

  test("B56: requests of one id at the same time are independent, for there is no session (basic, statelessness)", () =>
    overHttp(server(counter()), async (target) => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => send(target, { ...call("echo", { i }), id: 1 })),
      );
      replies.forEach((reply, i) => completes(reply, `{"i":${i}}`));
    }));
});

test("B57: a round that was left can be repeated with the same state", () => {
  const runs = counter();
  const confirms = Tool.make("confirms", {
    description: "Asks, then takes its time",
    handler: Effect.fnUntraced(function* () {
      const sure = yield* Need.confirm("sure", "Sure?");
      yield* runs.count("answered");
      if (runs.of("answered") === 1) {
        yield* Effect.sleep("1 minute").pipe(Effect.onInterrupt(() => runs.count("interrupted")));
      }
      return `${sure}`;
    }),
  });
  return overHttp(McpServer.make({ name: "again", version: "1", tools: [confirms] }), async (target) => {
    const first = call("confirms", {}, FORM);
    const { state } = asks(await send(target, first), "sure");
    const retry = again(first, { inputResponses: { sure: accept({ ok: true }) }, requestState: state });
    const socket = await open(target, retry);
    await eventually(() => runs.of("answered") === 1);
    socket.close();
    await eventually(() => runs.of("interrupted") === 1);
    completes(await send(target, retry), "true");
  }, { keepAlive: "50 millis" });
});
