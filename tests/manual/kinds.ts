/** A server with every kind of handler that returns, and clients of both eras that talk to it, over every transport. */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Manual, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import type { Wire } from "../transport/fixture.ts";
import { Client, Events, type Host, post, read, request, withHost } from "../transport/legacy_kit.ts";
import { answer, opened } from "../transport/stdio_asking.ts";
import { legacy, type Line, modern, withLine } from "../transport/stdio_kit.ts";
import { inProcess } from "../cases/serve.ts";
import { META, rpc, send } from "../cases/wire.ts";

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

/** A request for a behaviour. */
export type Ask = readonly [method: string, params: { readonly [name: string]: unknown }];

/** The kinds of handlers. */
export const kinds: { readonly [kind: string]: (behaviour: string) => Ask } = {
  tool: (name) => ["tools/call", { name, arguments: {} }],
  "tool with an output": (name) => ["tools/call", { name: `${name}_output`, arguments: {} }],
  prompt: (name) => ["prompts/get", { name }],
  "static resource": (name) => ["resources/read", { uri: `static:///${name}` }],
  template: (name) => ["resources/read", { uri: `template:///${name}/1` }],
};

/** What a user says to a question. */
export type User = (message: string) => unknown;

/** What came of a request. */
export interface End {
  /** The text of the result, or `error`, code and message. */
  readonly said: string;
  /** The messages of the forms, in order. */
  readonly asked: ReadonlyArray<string>;
}

/** Makes a request to its end. */
export type Talk = (ask: Ask, user: User) => Promise<End>;

const textOf = ({ error, result }: Wire): string => {
  if (error !== undefined) return `error ${error.code} ${error.message}`;
  const { contents = [], content = [], messages = [], structuredContent } = result;
  if (structuredContent !== undefined) return structuredContent.text;
  const text = contents[0]?.text ?? content[0]?.text ?? messages[0]?.content.text;
  return result.isError === true ? `failed: ${text}` : text;
};

const all = { elicitation: { form: {} } };

/** A client of 2026-07-28, which comes back with answers and state. */
const modernTalk = (exchange: (ask: Ask) => Promise<Wire>): Talk => async ([method, params], user) => {
  const asked: Array<string> = [];
  let more = {};
  for (let retries = 0; retries < 50; retries++) {
    const message = await exchange([method, { ...params, ...more }]);
    const { inputRequests = {}, requestState, resultType } = message.result ?? {};
    if (resultType !== "input_required") return { said: textOf(message), asked };
    const inputResponses: Record<string, unknown> = {};
    for (const [key, question] of Object.entries<Wire>(inputRequests)) {
      asked.push(question.params.message);
      inputResponses[key] = user(question.params.message);
    }
    more = { requestState, ...(Object.keys(inputResponses).length > 0 ? { inputResponses } : {}) };
  }
  throw new Error("Endless");
};

/** A client of an older revision, which is asked while its request waits. */
const legacyTalk = (
  start: (ask: Ask) => Promise<() => Promise<Wire>>,
  reply: (question: Wire, result: unknown) => Promise<unknown>,
): Talk =>
async (ask, user) => {
  const asked: Array<string> = [];
  const next = await start(ask);
  for (;;) {
    const message = await next();
    if (message.method === undefined) return { said: textOf(message), asked };
    if (message.method !== "elicitation/create") throw new Error(`Unforeseen: ${message.method}`);
    asked.push(message.params.message);
    await reply(message, user(message.params.message));
  }
};

/** A way to the server: how it is called, and how many rounds it has. */
export interface Way {
  readonly name: string;
  readonly era: "modern" | "legacy";
  readonly use: (run: (talk: Talk) => Promise<void>, capabilities?: unknown) => Promise<void>;
}

const pacing = { legacy: { pacing: 0 } };

const overLine = (run: (line: Line) => Promise<void>): Promise<void> => withLine(server(), run, pacing);

const overHttp = (run: (host: Host) => Promise<void>): Promise<void> => withHost(server(), run, pacing);

const older = ["2025-11-25", "2025-06-18"].flatMap((revision): ReadonlyArray<Way> => [
  {
    name: `${revision} over HTTP`,
    era: "legacy",
    use: (run, capabilities = all) =>
      overHttp(async ({ fetch }) => {
        const client = await Client.open(fetch, { revision, capabilities });
        const start = async ([method, params]: Ask) => {
          const response = await client.post(request(method, params));
          const { messages } = response.headers.get("content-type") === "application/json"
            ? await read(response)
            : { messages: undefined };
          if (messages !== undefined) return () => Promise.resolve(messages[0]);
          const events = new Events(response);
          return () => events.next();
        };
        await run(legacyTalk(start, (question, result) => client.answer(question, result)));
      }),
  },
  {
    name: `${revision} over stdio`,
    era: "legacy",
    use: (run, capabilities = all) =>
      overLine(async (line) => {
        await opened(line, revision, capabilities);
        let id = 0;
        const start = ([method, params]: Ask) => {
          line.send(legacy(++id, method, params));
          return Promise.resolve(() => line.next());
        };
        await run(legacyTalk(start, (question, result) => Promise.resolve(line.send(answer(question, result)))));
      }),
  },
]);

/** All ways. */
export const ways: ReadonlyArray<Way> = [
  {
    name: "2026-07-28 over HTTP",
    era: "modern",
    use: (run, capabilities = all) =>
      inProcess(server(), (target) =>
        run(modernTalk(async ([method, params]) => {
          const { error, result } = await send(target, rpc(method, { ...params, ...META(capabilities) }));
          return { error, result };
        }))),
  },
  {
    name: "2026-07-28 over stdio",
    era: "modern",
    use: (run, capabilities = all) =>
      overLine(async (line) => {
        let id = 0;
        await run(modernTalk(async ([method, params]) => {
          line.send(modern(++id, method, params, {}, capabilities));
          return await line.next();
        }));
      }),
  },
  ...older,
];

/** A client of 2025-11-25 without a session. */
export const stateless = (run: (talk: Talk) => Promise<void>): Promise<void> =>
  withHost(server(), async ({ fetch }) => {
    const start = async ([method, params]: Ask) => {
      const reply = await read(await fetch(post(request(method, params), { "mcp-protocol-version": "2025-11-25" })));
      return () => Promise.resolve(reply.last);
    };
    await run(legacyTalk(start, () => Promise.reject(new Error("Nobody can be asked"))));
  }, { legacy: { mode: "stateless", pacing: 0 } });
