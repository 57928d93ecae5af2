/** A server over an in-memory channel of lines. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as TestClock from "effect/testing/TestClock";
import type { McpServer } from "@needful/mcp";
import { make as makeCatalog } from "../../src/server/catalog.ts";
import { Catalog } from "../../src/server/catalog_service.ts";
import * as Instance from "../../src/server/instance.ts";
import { liveLimits } from "../../src/transport/legacy_options.ts";
import { serve } from "../../src/transport/stdio.ts";
import { settings, type StdioOptions } from "../../src/transport/stdio_options.ts";
import { meta, quiet, type Wire } from "./fixture.ts";

/** The other end of the channel, in the hands of a test. */
export interface Line {
  /** Writes messages, one a line. A string is written as it is. */
  readonly send: (...messages: ReadonlyArray<Wire>) => void;
  readonly write: (bytes: Uint8Array) => void;
  /** The next message; undefined at the end. */
  readonly next: () => Promise<Wire>;
  /** The next messages. */
  readonly take: (count: number) => Promise<ReadonlyArray<Wire>>;
  /** What came so far and was not taken. */
  readonly rest: () => ReadonlyArray<Wire>;
  /** Closes the input. */
  readonly end: () => void;
  /** Stops to read, or goes on. */
  readonly hold: (held: boolean) => void;
  /** Waits until the server waits for its reader, or has come to its end. */
  readonly waiting: () => Promise<void>;
  /** Closes the output. */
  readonly hangUp: () => void;
  /** How many pieces the server has not read yet. */
  readonly unread: () => number;
  /** Interrupts the server. */
  readonly stop: () => void;
  /** Whether, and how, it came to its end. */
  readonly ended: Promise<Exit.Exit<void, unknown>>;
  readonly pass: (time: `${number} ${"seconds" | "millis" | "minutes"}`) => Promise<void>;
  readonly change: (effect: Effect.Effect<unknown, unknown, Catalog>) => Promise<unknown>;
}

const encoder = new TextEncoder();

/** Runs a server for a test, with a clock that stands still until it is moved, and stops it at the end. */
export const withLine = async (
  server: McpServer.McpServer,
  use: (line: Line) => Promise<void>,
  options: StdioOptions = {},
): Promise<void> => {
  const clock = await Effect.runPromise(Effect.scoped(TestClock.make()));
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const input = new ReadableStream<Uint8Array>({
    start: (started) => {
      controller = started;
    },
  }, { highWaterMark: 0 });
  const decoder = new TextDecoder();
  const ready: Array<Wire> = [];
  const readers: Array<() => void> = [];
  let text = "", done = false, broken = false;
  let held: Array<() => void> | undefined;
  const wake = (): void => readers.splice(0).forEach((resume) => resume());
  const write = (bytes: Uint8Array): Promise<void> => {
    if (broken) return Promise.reject(new Error("Broken pipe"));
    text += decoder.decode(bytes, { stream: true });
    const lines = text.split("\n");
    text = lines.pop()!;
    ready.push(...lines.map((line) => JSON.parse(line)));
    wake();
    return held === undefined ? Promise.resolve() : new Promise((resolve) => {
      held?.push(resolve);
      wake();
    });
  };
  let catalog: Catalog | undefined;
  const running = Effect.gen(function* () {
    catalog = yield* makeCatalog(server);
    const live = liveLimits(options.legacy ?? {}, options.keepAlive);
    const instance = yield* Instance.make(server, catalog, { live, limits: options.limits ?? {} });
    yield* serve(instance, settings(options), { input, write });
  });
  const fiber = Effect.runFork(
    Effect.provide(Effect.scoped(running), Layer.merge(quiet, Layer.succeed(Clock.Clock, clock))),
  );
  const ended = new Promise<Exit.Exit<void, unknown>>((resolve) =>
    fiber.addObserver((exit) => {
      done = true;
      wake();
      resolve(exit);
    })
  );
  const bytes = (chunk: Uint8Array): void => controller.enqueue(chunk);
  const next = async (): Promise<Wire> => {
    while (ready.length === 0 && !done) await new Promise<void>((resolve) => readers.push(resolve));
    return ready.shift();
  };
  const line: Line = {
    send: (...messages) => {
      const lines = messages.map((message) => typeof message === "string" ? message : JSON.stringify(message));
      bytes(encoder.encode(lines.map((one) => `${one}\n`).join("")));
    },
    write: bytes,
    next,
    take: async (count) => {
      const taken: Array<Wire> = [];
      while (taken.length < count) taken.push(await next());
      return taken;
    },
    rest: () => ready.splice(0),
    end: () => controller.close(),
    hold: (holding) => {
      const waiting = held ?? [];
      held = holding ? waiting : undefined;
      if (!holding) waiting.forEach((resume) => resume());
    },
    waiting: async () => {
      while (held?.length === 0 && !done) await new Promise<void>((resolve) => readers.push(resolve));
    },
    hangUp: () => {
      broken = true;
    },
    unread: () => 0 - controller.desiredSize!,
    stop: () => fiber.interruptUnsafe(),
    ended,
    pass: (time) => Effect.runPromise(clock.adjust(time)),
    change: (effect) =>
      Effect.runPromise(Effect.provideContext(effect, Context.make(Catalog, catalog!)) as Effect.Effect<unknown>),
  };
  try {
    await use(line);
  } finally {
    fiber.interruptUnsafe();
    // Nobody waits for limits at the end of a test
    const moving = setInterval(() => Effect.runFork(clock.adjust("1 minute")), 5);
    await ended;
    clearInterval(moving);
  }
};

/** A request of 2026-07-28. */
export const modern = (
  id: string | number,
  method: string,
  params: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
  capabilities: unknown = {},
): Wire => ({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta(capabilities, more) } });

/** A call of a tool in 2026-07-28. */
export const call = (id: string | number, name: string, args: Record<string, unknown> = {}, more = {}): Wire =>
  modern(id, "tools/call", { name, arguments: args }, more, { elicitation: {} });

/** A request without a claim. */
export const legacy = (id: string | number, method: string, params?: Record<string, unknown>): Wire => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});

/** A notification. */
export const notification = (method: string, params?: Record<string, unknown>): Wire => ({
  jsonrpc: "2.0",
  method: `notifications/${method}`,
  ...(params === undefined ? {} : { params }),
});

/** The client cancels a request. */
export const cancelled = (requestId: unknown): Wire => notification("cancelled", { requestId });

/** The text of a tool's result. */
export const textOf = (message: Wire): string =>
  message.result?.content?.map((block: Wire) => block.text).join("") ?? JSON.stringify(message.error);
