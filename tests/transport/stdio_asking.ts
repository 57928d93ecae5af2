/** A server that asks in every way, for clients of older revisions over a channel of lines. */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Call, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import type { StdioOptions } from "../../src/transport/stdio_options.ts";
import type { Wire } from "./fixture.ts";
import { legacy, type Line, notification, withLine } from "./stdio_kit.ts";

/** Everything that a client can declare. */
export const all = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };

const who = Need.elicit("who", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) });

/** A server, and a note of what ran. */
export interface Asking {
  readonly server: McpServer.McpServer;
  readonly ran: ReadonlyArray<string>;
  /** Opened when `wait` runs. */
  readonly waiting: Deferred.Deferred<void>;
}

/** A server whose tools ask, and a note of what ran. */
export const asking = (): Asking => {
  const ran: Array<string> = [];
  const waiting = Deferred.makeUnsafe<void>();
  const note = (what: string) => Effect.sync(() => void ran.push(what));
  const drop = Effect.flatMap(
    Need.confirm("sure", "Drop it?"),
    (sure) => sure ? Effect.as(note("dropped"), "Dropped") : Effect.succeed("Kept"),
  );
  const tools = [
    Tool.make("ask", {
      description: "Asks for a name",
      handler: () => who.pipe(Effect.map(({ name }) => `Hello ${name}`), Effect.onInterrupt(() => note("interrupted"))),
    }),
    Tool.make("chain", {
      description: "Asks, and asks again",
      handler: () =>
        Effect.flatMap(
          who,
          ({ name }) => Effect.map(Need.confirm("ok", `Is it ${name}?`), (ok) => `${name}: ${ok}`),
        ),
    }),
    Tool.make("both", {
      description: "Asks two things at a time",
      handler: () =>
        Effect.map(Need.all([who, Need.roots()]), ([{ name }, roots]) => `${name} in ${roots.map(({ uri }) => uri)}`),
    }),
    Tool.make("drop", { description: "Asks before it drops", handler: () => drop }),
    Tool.make("poem", {
      description: "Has a poem written",
      handler: () =>
        Need.sample("poem", { messages: [{ role: "user", content: { type: "text", text: "Rhyme" } }], maxTokens: 9 })
          .pipe(Effect.map(({ content }) => content.map((block) => block.type).join())),
    }),
    Tool.make("page", {
      description: "Sends the user to a page",
      handler: () =>
        Need.elicitUrl("page", {
          message: "Go there",
          url: (id) => `https://example.com/${id}`,
          done: Effect.succeed(Option.some("done")),
        }),
    }),
    Tool.make("perhaps", {
      description: "Asks if it can",
      handler: () => Effect.map(Need.optional(who), Option.match({ onNone: () => "nobody", onSome: (it) => it.name })),
    }),
    Tool.make("again", {
      description: "Starts again once",
      handler: () =>
        Effect.flatMap(times.get, (n) => n > 0 ? Effect.succeed("twice") : Effect.andThen(times.set(1), Need.again)),
    }),
    Tool.make("wait", {
      description: "Waits",
      handler: () =>
        Effect.andThen(Deferred.succeed(waiting, undefined), Effect.never).pipe(
          Effect.as(""),
          Effect.onInterrupt(() => note("interrupted")),
        ),
    }),
    Tool.make("talk", {
      description: "Logs and reports",
      handler: () =>
        Effect.gen(function* () {
          yield* Call.log("info", "low");
          yield* Call.log("error", "high");
          yield* Call.progress({ progress: 1, total: 2, message: "half" });
          const { name } = yield* who;
          yield* Call.progress({ progress: 1.5, total: 2 });
          return name;
        }),
    }),
    Tool.make("number", {
      description: "Gives a number",
      output: Schema.Finite,
      handler: () => Effect.succeed(7),
    }),
  ];
  const resources = [Resource.make("note://one", { name: "one", handler: () => Effect.succeed("1") })];
  const prompts = [Prompt.make("greet", { handler: () => Effect.map(who, ({ name }) => `Greet ${name}`) })];
  return { ran, waiting, server: McpServer.make({ name: "asking", version: "1", tools, resources, prompts }) };
};

const times = Need.state("times", { schema: Schema.Int, initial: 0 });

/** `initialize`. */
export const initialize = (protocolVersion: string, capabilities: unknown = all, id: string | number = 0): Wire =>
  legacy(id, "initialize", { protocolVersion, capabilities, clientInfo: { name: "t", version: "1" } });

/** Opens a conversation. */
export const opened = async (line: Line, revision = "2025-11-25", capabilities: unknown = all): Promise<Wire> => {
  line.send(initialize(revision, capabilities), notification("initialized"));
  return (await line.next()).result;
};

/** A call of a tool. */
export const tool = (id: string | number, name: string, more: Record<string, unknown> = {}): Wire =>
  legacy(id, "tools/call", { name, ...more });

/** An answer to a question. */
export const answer = ({ id }: Wire, result: unknown): Wire => ({ jsonrpc: "2.0", id, result });

/** The answer of somebody who filled in a form. */
export const accept = (question: Wire, content: unknown): Wire => answer(question, { action: "accept", content });

/** Runs such a server for a test. */
export const withAsking = (
  use: (line: Line, parts: Asking) => Promise<void>,
  options: StdioOptions = {},
): Promise<void> => {
  const parts = asking();
  return withLine(parts.server, (line) => use(line, parts), options);
};
