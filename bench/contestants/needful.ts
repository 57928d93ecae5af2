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

const sealer = Sealer.layer({ keys: [Redacted.make("0123456789abcdef0123456789abcdef")] });
const services = Layer.provideMerge(sealer, nativeCrypto);

const ask = Need.elicit("who", { message: "Who is it?", schema: Who });

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

const serve = (name: string, tools: typeof untracedTools | typeof tracedTools): ReturnType<Make> => {
  const server = McpServer.make({ name: "bench", version: "1.0.0", tools });
  const { dispose, fetch } = McpServer.toWebHandler(server, services, { framed: true });
  return Promise.resolve({ name, fetch, close: dispose });
};

/** Handlers by `Effect.fnUntraced`, as the documentation recommends where speed counts. */
export const untraced: Make = () => serve("needful, Effect.fnUntraced", untracedTools);

/** Handlers by `Effect.fn`, which makes a span for every call. */
export const traced: Make = () => serve("needful, Effect.fn", tracedTools);
