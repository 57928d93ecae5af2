/** A server with every kind of handler that returns, and all ways to it. */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Manual, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { inProcess } from "../cases/serve.ts";
import { withHost } from "../transport/legacy_kit.ts";
import { withLine } from "../transport/stdio_kit.ts";
import { type Ask, legacyHttp, legacyLine, modernHttp, modernLine, statelessHttp, type Talk } from "./talk.ts";

const form = (message: string) => Manual.elicit({ message, schema: Schema.Struct({ name: Schema.NonEmptyString }) });
const requests = { who: form("Who?") };
const two = { a: form("A?"), b: form("B?") };

type Handler = Effect.Effect<
  string | Manual.InputRequired,
  Need.Declined | Need.Cancelled,
  Need.Flow | Need.Elicitation
>;

/** What one handler does, of whatever kind. */
const behaviours: { readonly [name: string]: Handler } = {
  /** Asks who it is. */
  greet: Effect.gen(function* () {
    const { who } = yield* Manual.responses(requests);
    if (who === undefined) return Manual.inputRequired({ inputRequests: requests });
    return who.action === "accept" ? `Hello ${who.content.name}` : `Hello stranger: ${who.action}`;
  }),
  /** Asks two things, and again for what is not answered yet. */
  two: Effect.gen(function* () {
    const missing = yield* Manual.missing(two);
    if (Object.keys(missing).length > 0) return Manual.inputRequired({ inputRequests: missing });
    const { a, b } = yield* Manual.responses(two);
    return [a, b].map((one) => one?.action === "accept" ? one.content.name : one?.action).join();
  }),
  /** Takes a no for a first visit. */
  loop: Effect.succeed(Manual.inputRequired({ inputRequests: requests })),
  /** Has state alone, up to two. */
  count: Effect.gen(function* () {
    const n = Number(Option.getOrElse(yield* Manual.rawState, () => "0"));
    return n < 2 ? Manual.inputRequired({ requestState: `${n + 1}` }) : `${n}`;
  }),
  /** Has state alone, without an end. */
  spin: Effect.succeed(Manual.inputRequired({ requestState: "s" })),
  /** Asks in both styles. */
  mixed: Effect.as(Need.confirm("sure", "Sure?"), Manual.inputRequired({ inputRequests: requests })),
  /** Returns what nobody can be sent. */
  nothing: Effect.succeed(Manual.inputRequired({} as Manual.InputRequiredOptions)),
  /** Does not take the state that it returned itself. */
  refuse: Effect.gen(function* () {
    if (Option.isNone(yield* Manual.rawState)) return Manual.inputRequired({ requestState: "a ticket" });
    return yield* Manual.refuseState("it was redeemed before");
  }),
  /** Says whether it could ask. */
  can: Effect.map(Manual.canRequest(requests.who), String),
};

export const server = (): McpServer.McpServer => {
  const each = Object.entries(behaviours);
  return McpServer.make({
    name: "kinds",
    version: "1",
    tools: each.flatMap(([name, handler]) => [
      Tool.make(name, { handler: () => handler }),
      Tool.make(`${name}_output`, {
        output: Schema.Struct({ text: Schema.String }),
        handler: () => Effect.map(handler, (end) => typeof end === "string" ? { text: end } : end),
      }),
    ]),
    prompts: each.map(([name, handler]) => Prompt.make(name, { handler: () => handler })),
    resources: each.flatMap(([name, handler]) => [
      Resource.make(`static:///${name}`, { name: `static ${name}`, handler: () => handler }),
      Resource.template(`template:///${name}/{id}`, { name: `template ${name}`, handler: () => handler }),
    ]),
  });
};

/** The kinds of handlers. */
export const kinds: { readonly [kind: string]: (behaviour: string) => Ask } = {
  tool: (name) => ["tools/call", { name, arguments: {} }],
  "tool with an output": (name) => ["tools/call", { name: `${name}_output`, arguments: {} }],
  prompt: (name) => ["prompts/get", { name }],
  "static resource": (name) => ["resources/read", { uri: `static:///${name}` }],
  template: (name) => ["resources/read", { uri: `template:///${name}/1` }],
};

/** A way to the server. */
export interface Way {
  readonly name: string;
  readonly era: "modern" | "legacy";
  readonly use: (run: (talk: Talk) => Promise<void>, capabilities?: unknown) => Promise<void>;
}

const all = { elicitation: { form: {} } };
const options = { legacy: { pacing: 0 } };

const older = (revision: string): ReadonlyArray<Way> => [
  {
    name: `${revision} over HTTP`,
    era: "legacy",
    use: (run, capabilities = all) =>
      withHost(server(), async ({ fetch }) => run(await legacyHttp(fetch, revision, capabilities)), options),
  },
  {
    name: `${revision} over stdio`,
    era: "legacy",
    use: (run, capabilities = all) =>
      withLine(server(), async (line) => run(await legacyLine(line, revision, capabilities)), options),
  },
];

/** All ways. */
export const ways: ReadonlyArray<Way> = [
  {
    name: "2026-07-28 over HTTP",
    era: "modern",
    use: (run, capabilities = all) => inProcess(server(), ({ fetch }) => run(modernHttp(fetch, capabilities))),
  },
  {
    name: "2026-07-28 over stdio",
    era: "modern",
    use: (run, capabilities = all) => withLine(server(), (line) => run(modernLine(line, capabilities)), options),
  },
  ...older("2025-11-25"),
  ...older("2025-06-18"),
];

/** A client of 2025-11-25 without a session. */
export const stateless = (run: (talk: Talk) => Promise<void>): Promise<void> =>
  withHost(server(), ({ fetch }) => run(statelessHttp(fetch, "2025-11-25")), {
    legacy: { mode: "stateless", pacing: 0 },
  });
