/** Clients of both eras that make one request to its end, over every transport, whatever they are asked meanwhile. */
import type { Wire } from "../transport/fixture.ts";
import { Client, Events, type Fetch, post, read, request } from "../transport/legacy_kit.ts";
import { answer, opened } from "../transport/stdio_asking.ts";
import { legacy, type Line, modern } from "../transport/stdio_kit.ts";
import { type Changes, META, rpc, send } from "../cases/wire.ts";

/** A request: its method and its params. */
export type Ask = readonly [method: string, params: { readonly [name: string]: unknown }];

/** What is said to a question, by its message, or by its method where it has none. */
export type User = (message: string, question: Wire) => unknown;

/** What came of a request. */
export interface End {
  /** The text of the result, or `error`, code and message. */
  readonly said: string;
  /** What was asked, in order: messages of forms and pages, methods of the rest. */
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

const messageOf = ({ method, params }: Wire): string => params?.message ?? method;

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
      asked.push(messageOf(question));
      inputResponses[key] = await user(messageOf(question), question);
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
    if (message.id === undefined) continue;
    asked.push(messageOf(message));
    await reply(message, await user(messageOf(message), message));
  }
};

/** A client of 2026-07-28 over HTTP. */
export const modernHttp = (fetch: Fetch, capabilities: unknown, headers: Changes = {}): Talk =>
  modernTalk(async ([method, params]) => {
    const target = { url: "http://localhost/mcp", fetch };
    const { error, result } = await send(target, rpc(method, { ...params, ...META(capabilities) }), headers);
    return { error, result };
  });

/** A client of 2026-07-28 over lines. */
export const modernLine = (line: Line, capabilities: unknown): Talk => {
  let id = 0;
  return modernTalk(async ([method, params]) => {
    line.send(modern(++id, method, params, {}, capabilities));
    return await line.next();
  });
};

/** A client of an older revision in a session over HTTP. */
export const legacyHttp = async (
  fetch: Fetch,
  revision: string,
  capabilities: unknown,
  headers: Changes = {},
): Promise<Talk> => {
  const client = await Client.open(fetch, { revision, capabilities, headers });
  const start = async ([method, params]: Ask): Promise<() => Promise<Wire>> => {
    const response = await client.post(request(method, params));
    if (response.headers.get("content-type") === "text/event-stream") {
      const events = new Events(response);
      return () => events.next();
    }
    const { last } = await read(response);
    return () => Promise.resolve(last);
  };
  return legacyTalk(start, (question, result) => client.answer(question, result));
};

/** A client of an older revision over lines. */
export const legacyLine = async (line: Line, revision: string, capabilities: unknown): Promise<Talk> => {
  await opened(line, revision, capabilities);
  let id = 0;
  const start = ([method, params]: Ask) => {
    line.send(legacy(++id, method, params));
    return Promise.resolve(() => line.next());
  };
  return legacyTalk(start, (question, result) => Promise.resolve(line.send(answer(question, result))));
};

/** A client of an older revision without a session, which cannot be asked. */
export const statelessHttp = (fetch: Fetch, revision: string): Talk =>
  legacyTalk(async ([method, params]) => {
    const { last } = await read(await fetch(post(request(method, params), { "mcp-protocol-version": revision })));
    return () => Promise.resolve(last);
  }, () => Promise.reject(new Error("Nobody can be asked")));
