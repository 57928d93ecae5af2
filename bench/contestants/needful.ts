/** This project, with the platform's own crypto: handlers by `Effect.fnUntraced`, and by `Effect.fn` beside it. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as Schema from "effect/Schema";
import { McpServer, Need, Sealer, Tool } from "@needful/mcp";
import { layer as nativeCrypto } from "../../src/runtime/native_crypto.ts";
import type { Make } from "../contestant.ts";

const Echo = Schema.Struct({ text: Schema.String });
const Greet = Schema.Struct({ order: Schema.String });
const Who = Schema.Struct({ name: Schema.String });

const servicesBy = (crypto: Layer.Layer<Sealer.CryptoServices>): Layer.Layer<Sealer.Sealer | Sealer.CryptoServices> =>
  Layer.provideMerge(
    Layer.orDie(Sealer.layer({ keys: [Redacted.make("0123456789abcdef0123456789abcdef")] })),
    crypto,
  );

/** The sealer with the key that all contestants have, and the crypto services, as the runtimes' layers have them. */
export const services: Layer.Layer<Sealer.Sealer | Sealer.CryptoServices> = servicesBy(nativeCrypto);

const ask = Need.elicit("who", { message: "Who is it?", schema: Who });

const more = (count: number): ReadonlyArray<Tool.Tool> =>
  Array.from({ length: count }, (_, index) =>
    Tool.make(`tool_${index}`, {
      description: `Says it again, in way ${index}`,
      input: Echo,
      handler: ({ text }) => Effect.succeed(text),
    }));

const untracedTools = [
  Tool.make("echo", {
    description: "Says it again",
    input: Echo,
    handler: Effect.fnUntraced(function* ({ text }) {
      return yield* Effect.succeed(text);
    }),
  }),
  Tool.make("greet", {
    description: "Asks who it is",
    input: Greet,
    handler: Effect.fnUntraced(function* ({ order }) {
      const { name } = yield* ask;
      return `${name} has order ${order}`;
    }),
  }),
] as const;

const tracedTools = [
  Tool.make("echo", {
    description: "Says it again",
    input: Echo,
    handler: Effect.fn(function* ({ text }) {
      return yield* Effect.succeed(text);
    }),
  }),
  Tool.make("greet", {
    description: "Asks who it is",
    input: Greet,
    handler: Effect.fn(function* ({ order }) {
      const { name } = yield* ask;
      return `${name} has order ${order}`;
    }),
  }),
] as const;

const serverOf = (tools: typeof untracedTools | typeof tracedTools, count: number): McpServer.McpServer =>
  McpServer.make({ name: "bench", version: "1.0.0", pageSize: 2_000, tools: [...tools, ...more(count)] });

/** The server with handlers by `Effect.fnUntraced`. */
export const server: McpServer.McpServer = serverOf(untracedTools, 0);

const serve = (
  name: string,
  tools: typeof untracedTools | typeof tracedTools,
  count: number,
  from: typeof services = services,
): ReturnType<Make> => {
  const { dispose, fetch } = McpServer.toWebHandler(serverOf(tools, count), from, { framed: true });
  return Promise.resolve({ name, fetch, close: dispose });
};

/** Handlers by `Effect.fnUntraced`, as the documentation recommends where speed counts. */
export const untraced: Make = (count = 0) => serve("needful, Effect.fnUntraced", untracedTools, count);

/** Handlers by `Effect.fn`, which makes a span for every call. */
export const traced: Make = (count = 0) => serve("needful, Effect.fn", tracedTools, count);

/** With the Web's cryptography, as `McpServer.toWebHandler` has it by itself. */
export const portable: Make = (count = 0) =>
  serve("needful, by WebCrypto", untracedTools, count, servicesBy(Sealer.layerWebCrypto));
