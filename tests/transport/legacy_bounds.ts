/**
 * Cases B38 and B62, as a program of its own that may collect garbage: opens sessions, ends half of them, lets the rest be idle, then
 * opens far more than may be kept; makes calls of every kind in one session. `deno run -A --v8-flags=--expose-gc legacy_bounds.ts <sessions> <initialize calls> <calls>`.
 */
import process from "node:process";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Metric from "effect/Metric";
import { McpServer, Tool } from "@needful/mcp";
import { withHandler } from "./fixture.ts";
import { Client, initialize, notification, outcome, post, read, request, tool, withHost } from "./legacy_kit.ts";
import { asking } from "./stdio_asking.ts";

const heap = async (): Promise<number> => {
  const gc = (globalThis as unknown as { readonly gc: () => void }).gc;
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    gc();
  }
  return process.memoryUsage().heapUsed;
};

const [sessions = "2000", calls = "10000", each = "100"] = process.argv.slice(2);
const server = McpServer.make({
  name: "bounds",
  version: "1",
  tools: [Tool.make("hello", { description: "Greets", handler: () => Effect.succeed("hello") })],
});
const report: Record<string, unknown> = {};

const ping = async (client: Client): Promise<string> => outcome(await client.send(request("ping")));

/** One whole life of a session, without its end. */
const live = async (fetch: Parameters<typeof Client.open>[0]): Promise<Client> => {
  const client = await Client.open(fetch);
  await client.send(tool("hello"));
  return client;
};

await withHost(server, async ({ fetch, pass }) => {
  for (let i = 0; i < 500; i++) await (await live(fetch)).delete();
  const start = await heap();
  let first: Client | undefined;
  for (let i = 0; i < Number(sessions); i++) {
    const client = await live(fetch);
    first ??= client;
    if (i % 2 === 1) await client.delete();
  }
  const idle = await heap();
  report["alive"] = await ping(first!);
  await pass("30 minutes");
  report["idle"] = await ping(first!);
  const end = await heap();
  report["bytes per idle session"] = Math.round((idle - start) / (Number(sessions) / 2));
  report["bytes left per session"] = Math.round((end - start) / Number(sessions));
}, { legacy: { max: Number(sessions) } });

await withHost(server, async ({ fetch }) => {
  const ready: Array<Client> = [];
  for (let i = 0; i < 10; i++) ready.push(await Client.open(fetch));
  const open = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await read(await fetch(post(initialize())));
  };
  // As many as may be, so that from here on each takes the place of another
  await open(1_000);
  const start = await heap();
  await open(Number(calls));
  const end = await heap();
  report["bytes per initialize"] = Math.round((end - start) / Number(calls));
  report["ready"] = await Promise.all(ready.map(ping));
}, { legacy: { max: 1_000 } });

let fibers = 0;
const counting = Layer.succeed(Metric.FiberRuntimeMetrics, {
  recordFiberStart: () => void fibers++,
  recordFiberEnd: () => void fibers--,
}) as Layer.Layer<never>;

const kinds: { readonly [kind: string]: (client: Client) => Promise<unknown> } = {
  "json": (client) => client.send(tool("number")),
  "error": (client) => client.send(tool("nobody")),
  "notification": (client) => client.send(notification("nope")),
  "response": (client) => client.answer({ id: 0 }, {}),
  "answered": async (client) => {
    const stream = await client.stream(tool("ask"));
    await client.accept(await stream.next(), { name: "Ada" });
    await stream.next();
  },
  "cancelled": async (client) => {
    const stream = await client.stream(tool("ask", {}, "c"));
    await stream.next();
    await client.cancel("c");
    await stream.rest();
  },
  "left": async (client) => {
    const stream = await client.stream(tool("ask"));
    const question = await stream.next();
    await stream.leave();
    await client.accept(question, { name: "Ada" });
  },
  "listening": async (client) => {
    const stream = await client.listen();
    await stream.event();
    await stream.leave();
  },
};

await withHandler(
  asking().server,
  async (fetch) => {
    const flat: Record<string, unknown> = {};
    for (const [kind, act] of Object.entries(kinds)) {
      // What ends is kept for a while for clients that come back, as long as it is little
      const client = await Client.open(fetch);
      const many = async (): Promise<number> => {
        for (let i = 0; i < Number(each); i++) await act(client);
        return await heap();
      };
      const windows = [await many(), await many(), await many(), await many()];
      const grown = windows.slice(1).map((size, i) => (size - windows[i]!) / Number(each));
      const before = fibers;
      await client.delete();
      flat[kind] = { heap: Math.round(Math.min(...grown)), before, fibers };
    }
    report["flat"] = flat;
  },
  { legacy: { maxStored: 1_000 } },
  counting,
);

console.log(JSON.stringify(report));
