/**
 * Cases B16 and B62, as a program of its own that may collect garbage: runs four times as many calls of each kind, and
 * prints what they left behind. `deno run -A --v8-flags=--expose-gc f_flat.ts <calls> <kind>…`.
 */
import process from "node:process";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Metric from "effect/Metric";
import { Call, McpServer, Need, Resource, Tool } from "@needful/mcp";
import { askName, askTwo, counter, echo, slow } from "./fixtures.ts";
import { inProcess } from "./serve.ts";
import {
  accept,
  again,
  asks,
  call,
  decline,
  FORM,
  headers,
  type Json,
  M,
  META,
  post,
  read,
  rpc,
  send,
  type Target,
} from "./wire.ts";

/** What is alive at a moment, and how much of each there was so far. */
interface Alive {
  readonly heap: number;
  readonly fibers: number;
  readonly timers: number;
  readonly listeners: number;
}

const alive = { fibers: 0, timers: new Set<unknown>(), listeners: 0 };
const seen = { fibers: 0, timers: 0, listeners: 0 };

const metrics: Metric.FiberRuntimeMetricsService = {
  recordFiberStart: () => {
    alive.fibers++;
    seen.fibers++;
  },
  recordFiberEnd: () => void alive.fibers--,
};

const host = globalThis as unknown as {
  setTimeout: (run: () => void, ms?: number) => unknown;
  clearTimeout: (id: unknown) => void;
  gc: () => void;
};
const { clearTimeout, setTimeout } = host;
host.setTimeout = (run, ms) => {
  const id = setTimeout.call(globalThis, () => {
    alive.timers.delete(id);
    run();
  }, ms);
  alive.timers.add(id);
  seen.timers++;
  return id;
};
host.clearTimeout = (id) => {
  alive.timers.delete(id);
  clearTimeout.call(globalThis, id);
};
const { addEventListener, removeEventListener } = AbortSignal.prototype;
AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...args: Parameters<typeof addEventListener>) {
  alive.listeners++;
  seen.listeners++;
  return addEventListener.apply(this, args);
} as typeof addEventListener;
AbortSignal.prototype.removeEventListener = function (
  this: AbortSignal,
  ...args: Parameters<typeof removeEventListener>
) {
  alive.listeners--;
  return removeEventListener.apply(this, args);
} as typeof removeEventListener;

const finalizes = Tool.make("finalizes", {
  description: "Asks with everything around it",
  handler: () =>
    Need.all([
      Need.optional(Effect.acquireUseRelease(Effect.void, () => Need.confirm("a", "A?"), () => Effect.void)),
      Effect.timeout(Need.confirm("b", "B?"), "1 minute").pipe(Effect.orElseSucceed(() => false)),
      Effect.andThen(Effect.sleep(1), Need.confirm("c", "C?")),
    ]).pipe(Effect.map((all) => all.join()), Effect.ensuring(Effect.void)),
});

const detached = Tool.make("detached", {
  description: "Asks in a fiber that nobody waits for",
  handler: () => Effect.andThen(Effect.forkDetach(Need.confirm("a", "A?")), Effect.as(Need.confirm("b", "B?"), "done")),
});

const loud = Tool.make("loud", {
  description: "Tells how far it is",
  handler: () => Effect.as(Call.progress({ progress: 1 }), "loud"),
});

const fails = Tool.make("fails", { description: "Fails", handler: () => Effect.die(new Error("defect")) });

const runs = counter();
const server = McpServer.make({
  name: "flat",
  version: "1",
  tools: [askName(runs), askTwo(runs), echo(runs), slow(runs), finalizes, detached, loud, fails],
  resources: [Resource.make("note:///r", { name: "r", handler: () => Effect.as(Need.confirm("a", "A?"), "r") })],
});

/** One long-lived signal for all requests of `cancelled`, as a server's own shutdown signal would be. */
const forever = new AbortController();

const kinds: { readonly [kind: string]: (target: Target) => Promise<unknown> } = {
  "json": (target) => send(target, call("echo", { a: 1 })),
  "sse": (target) => send(target, rpc("tools/call", { name: "loud", ...META({}, { progressToken: 1 }) })),
  "error": (target) => send(target, call("nobody")),
  "defect": (target) => send(target, call("fails")),
  "malformed": (target) => post(target, { headers: headers({}), body: "{bad" }),
  "state": (target) => send(target, call("ask_name", {}, FORM, { requestState: `${Math.random()}`.repeat(20) })),
  "notification": (target) => send(target, { jsonrpc: "2.0", method: "notifications/x", params: META() }),
  "abandoned": (target) => send(target, call("ask_name", {}, FORM)),
  "abandoned-two": (target) => send(target, call("ask_two", {}, FORM)),
  "abandoned-all": (target) => send(target, call("finalizes", {}, FORM)),
  "abandoned-detached": (target) => send(target, call("detached", {}, FORM)),
  "abandoned-resource": (target) => send(target, read("note:///r", FORM)),
  "incapable": (target) => send(target, call("ask_name")),
  "flow": async (target) => {
    const first = call("ask_name", {}, FORM);
    const { state } = asks(await send(target, first), "who");
    await send(target, again(first, { inputResponses: { who: accept({ name: "Ada" }) }, requestState: state }));
  },
  "declined": async (target) => {
    const first = call("ask_name", {}, FORM);
    const { state } = asks(await send(target, first), "who");
    await send(target, again(first, { inputResponses: { who: decline }, requestState: state }));
  },
  "cancelled": async (target) => {
    const { body, headers } = M(call("slow", { ms: 60_000 }));
    const own = new AbortController();
    const signal = AbortSignal.any([own.signal, forever.signal]);
    const response = target.fetch(new Request(target.url, { method: "POST", headers, body, signal }));
    const before = runs.of("slow");
    while (runs.of("slow") === before) await new Promise((resolve) => setImmediate(resolve));
    own.abort();
    await (await response).body?.cancel();
  },
  "listen": async (target) => {
    const { body, headers } = M(
      rpc("subscriptions/listen", { ...META(), notifications: { toolsListChanged: true } }) as unknown as Json,
    );
    const response = await target.fetch(new Request(target.url, { method: "POST", headers, body }));
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
  },
};

const measure = async (): Promise<Alive> => {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout.call(globalThis, () => resolve(undefined), 2));
    host.gc();
  }
  return {
    heap: process.memoryUsage().heapUsed,
    fibers: alive.fibers,
    timers: alive.timers.size,
    listeners: alive.listeners,
  };
};

const [count = "300", ...chosen] = process.argv.slice(2);
const calls = Number(count);
const report: { [kind: string]: Alive } = {};
await inProcess(server, async (target) => {
  const many = async (kind: string): Promise<Alive> => {
    for (let i = 0; i < calls; i++) await kinds[kind]!(target);
    return await measure();
  };
  for (const kind of chosen) {
    const first = await many(kind);
    const windows = [first, await many(kind), await many(kind), await many(kind)];
    // What compilers and caches take, they take once: a leak shows in every window
    const grown = windows.slice(1).map(({ heap }, i) => (heap - windows[i]!.heap) / calls);
    const { fibers, listeners, timers } = windows.at(-1)!;
    report[kind] = { fibers, listeners, timers: timers - first.timers, heap: Math.round(Math.min(...grown)) };
  }
}, { layer: Layer.succeed(Metric.FiberRuntimeMetrics, metrics) as Layer.Layer<never> });
console.log(JSON.stringify({ report, seen }));
