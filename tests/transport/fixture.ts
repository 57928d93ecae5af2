/** A server with one feature of each kind, and the modern wire to talk to it, byte for byte. */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Redacted from "effect/Redacted";
import * as Schema from "effect/Schema";
import { Call, McpServer, Need, Prompt, Resource, Sealer, Tool } from "@needful/mcp";

/** What happens inside of handlers, by name and in order. */
const trace = (): { readonly events: Array<string>; readonly note: (event: string) => Effect.Effect<void> } => {
  const events: Array<string> = [];
  return { events, note: (event) => Effect.sync(() => void events.push(event)) };
};

/** What the fixture can be observed and steered by. */
export interface Fixture {
  readonly server: McpServer.McpServer;
  readonly events: ReadonlyArray<string>;
  /** Opened when `wait` runs; it goes on once `release` is done. */
  readonly waiting: Deferred.Deferred<void>;
  readonly release: Deferred.Deferred<void>;
}

/** A fresh fixture. */
export const fixture = (): Fixture => {
  const { events, note } = trace();
  const waiting = Deferred.makeUnsafe<void>();
  const release = Deferred.makeUnsafe<void>();
  const who = Need.elicit("who", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) });
  const wait = Effect.andThen(Deferred.succeed(waiting, undefined), Deferred.await(release)).pipe(
    Effect.onInterrupt(() => note("interrupted")),
  );
  const tools = [
    Tool.make("echo", {
      description: "Gives its text back",
      input: Schema.Struct({ text: Schema.String }),
      handler: ({ text }) => Effect.as(note("echo"), text),
    }),
    Tool.make("ask", {
      description: "Asks for a name",
      handler: () => Effect.map(Effect.andThen(note("ask"), who), ({ name }) => `Hello ${name}`),
    }),
    Tool.make("wait", {
      description: "Waits until it is released",
      handler: () => Effect.as(wait, "released"),
    }),
    Tool.make("progress", {
      description: "Reports progress, then waits",
      handler: () =>
        Effect.gen(function* () {
          for (const progress of [1, 1, 0, 2, Number.NaN, 3]) yield* Call.progress({ progress, total: 3 });
          yield* wait;
          return "done";
        }),
    }),
    Tool.make("log", {
      description: "Logs at every level",
      handler: () =>
        Effect.as(
          Effect.forEach(
            ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const,
            (level) => Call.log(level, level, "fixture"),
          ),
          "logged",
        ),
    }),
    Tool.make("late", {
      description: "Logs, then asks for what the client cannot be asked for",
      handler: () => Effect.map(Effect.andThen(Call.log("info", "first"), who), ({ name }) => name),
    }),
    Tool.make("region", {
      description: "Has mirrored parameters",
      input: Schema.Struct({
        region: Schema.optionalKey(Schema.String.pipe(Tool.header("Region"))),
        count: Schema.optionalKey(Schema.Int.pipe(Tool.header("Count"))),
      }),
      handler: () => Effect.succeed("here"),
    }),
    Tool.make("gated", {
      description: "Needs sampling",
      requires: ["sampling", "roots"],
      handler: () => Effect.as(note("gated"), "ran"),
    }),
    Tool.make("=?base64?abc?=".replace(/[^a-z0-9]/g, "_"), {
      description: "Has an odd name",
      handler: () => Effect.succeed("odd"),
    }),
    Tool.make("boom", {
      description: "Breaks",
      input: Schema.Struct({ how: Schema.String }),
      handler: ({ how }) =>
        Effect.suspend(() => {
          const circular: Record<string, unknown> = { secret: "SECRET" };
          circular["self"] = circular;
          switch (how) {
            case "throw":
              throw new Error("SECRET /etc/x");
            case "throw string":
              throw "SECRET";
            case "reject":
              return Effect.promise(() => Promise.reject(new Error("SECRET")));
            case "circular":
              return Effect.die(circular);
            case "interrupt":
              return Effect.interrupt;
            case "unwritable":
              return Effect.succeed({ type: "text", text: "x", _meta: { a: 1n } } as never);
            default:
              return Tool.fail("It did not work");
          }
        }),
    }),
  ];
  const resources = [
    Resource.make("note:///café/日本語", {
      name: "note",
      cache: { ttl: "1 minute", scope: "public" },
      handler: () => Effect.succeed("text"),
    }),
    Resource.make("ask://name", {
      name: "asked",
      cache: { ttl: "1 minute", scope: "public" },
      handler: () => Effect.map(who, ({ name }) => name),
    }),
  ];
  const prompts = [
    Prompt.make("greet", {
      args: Schema.Struct({ name: Schema.String }),
      complete: { name: ["Ada", "Alan"] },
      handler: ({ name }) => Effect.succeed(`Greet ${name}`),
    }),
  ];
  const server = McpServer.make({ name: "fixture", version: "1", tools, resources, prompts });
  return { server, events, waiting, release };
};

/** What no test wants to see in its output, or to read from its environment. */
export const quiet: Layer.Layer<Sealer.Sealer> = Layer.merge(
  Sealer.layer({ keys: [Redacted.make("a key for tests that is long enough")] }).pipe(
    Layer.provide(Sealer.layerWebCrypto),
    Layer.orDie,
  ),
  Logger.layer([]),
);

/** A handler that is disposed of when the test is over. */
export const withHandler = async (
  server: McpServer.McpServer,
  use: (fetch: McpServer.WebHandler["fetch"], handler: McpServer.WebHandler) => Promise<void>,
  options: McpServer.HttpOptions = {},
  layer: Layer.Layer<never> = Layer.empty,
): Promise<void> => {
  const handler = McpServer.toWebHandler(server, Layer.merge(quiet, layer), options);
  try {
    await use(handler.fetch, handler);
  } finally {
    await handler.dispose();
  }
};

/** JSON, to be looked into. */
// deno-lint-ignore no-explicit-any -- tests look at what is on the wire, member by member
export type Wire = any;

const key = (name: string): string => `io.modelcontextprotocol/${name}`;

/** A whole `_meta`. */
export const meta = (capabilities: unknown = {}, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  [key("protocolVersion")]: "2026-07-28",
  [key("clientCapabilities")]: capabilities,
  ...more,
});

/** Header changes by lower-case name; null leaves one out. */
export type Changes = { readonly [name: string]: string | null };

const headersOf = (message: Wire, changes: Changes): Headers => {
  const target = message?.method === "resources/read" ? message.params?.uri : message?.params?.name;
  const all: Record<string, string | null> = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": typeof message?.method === "string" ? message.method : null,
    "mcp-name": typeof target === "string" && /^[\x21-\x7e]+$/.test(target) ? target : null,
    ...changes,
  };
  return new Headers(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null));
};

/** A POST of any body, with the headers that go with the message in it. */
export const post = (body: BodyInit | null, message?: Wire, changes: Changes = {}, signal?: AbortSignal): Request =>
  new Request("http://localhost/mcp", {
    method: "POST",
    headers: headersOf(message, changes),
    body,
    ...(signal === undefined ? {} : { signal }),
    ...{ duplex: "half" },
  });

/** A request message with a whole `_meta`. */
export const rpc = (method: string, params: Record<string, unknown> = {}, id: string | number = 1): Wire => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { _meta: meta(), ...params },
});

/** A POST of a message. */
export const send = (message: Wire, changes: Changes = {}, signal?: AbortSignal): Request =>
  post(JSON.stringify(message), message, changes, signal);

/** A call of a tool. */
export const call = (
  name: string,
  args: unknown = {},
  params: Record<string, unknown> = {},
  changes: Changes = {},
): Request => send(rpc("tools/call", { name, arguments: args, ...params }), changes);

/** Client capabilities with forms. */
export const forms = { elicitation: { form: {} } };

/** Messages of the events in a text of server-sent events; comments are left out. */
export const messagesIn = (text: string): ReadonlyArray<Wire> =>
  text.split("\n\n").filter((event) => event.startsWith("data: ")).map((event) => JSON.parse(event.slice(6)));

/** All messages of a reply, in order. */
export const messages = async (response: Response): Promise<ReadonlyArray<Wire>> => {
  const text = await response.text();
  if (response.headers.get("content-type") === "text/event-stream") return messagesIn(text);
  return text === "" ? [] : [JSON.parse(text)];
};

/** Status and code or kind of result: `400/-32602`, `200/complete`. */
export const outcome = async (response: Response): Promise<string> => {
  const last = (await messages(response)).at(-1);
  const kind = last?.error?.code ?? last?.result?.resultType ?? "empty";
  return `${response.status}/${kind}`;
};
