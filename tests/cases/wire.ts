/** Raw messages of revision 2026-07-28 and what comes back for them, in the notation of the cases. */
import { assertEquals } from "@std/assert";

/** The revision that these messages speak. */
export const revision = "2026-07-28";

/** A client that shows forms. */
export const FORM = { elicitation: { form: {} } };
/** A client that can be asked for anything. */
export const ANY = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };

/** An object of JSON. */
export type Json = { readonly [member: string]: unknown };

/** The `_meta` of a request from a client that declares `caps`, to be spread into params. */
export const META = (caps: unknown = {}, more: Json = {}): { readonly _meta: Json } => ({
  _meta: {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": caps,
    ...more,
  },
});

/** A request. */
export interface Body {
  readonly jsonrpc: "2.0";
  readonly id: string | number;
  readonly method: string;
  readonly params: Json;
}

let lastId = 0;

/** A request of `method` with exactly `params`. */
export const rpc = (method: string, params: Json, id: string | number = ++lastId): Body => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

/** A call of the tool `name` by a client that declares `caps`. */
export const call = (name: string, args?: unknown, caps: unknown = {}, more: Json = {}): Body =>
  rpc("tools/call", { name, ...(args === undefined ? {} : { arguments: args }), ...META(caps), ...more });

/** A `prompts/get` by a client that declares `caps`. */
export const prompt = (name: string, args?: unknown, caps: unknown = {}, more: Json = {}): Body =>
  rpc("prompts/get", { name, ...(args === undefined ? {} : { arguments: args }), ...META(caps), ...more });

/** A `resources/read` by a client that declares `caps`. */
export const read = (uri: string, caps: unknown = {}, more: Json = {}): Body =>
  rpc("resources/read", { uri, ...META(caps), ...more });

/** The same request once more, with a new id and more params: how a client comes back with answers. */
export const again = (body: Body, more: Json): Body => rpc(body.method, { ...body.params, ...more });

/** An accepted form. */
export const accept = (content?: unknown): Json =>
  content === undefined ? { action: "accept" } : { action: "accept", content };
/** A form that the user said no to. */
export const decline: Json = { action: "decline" };
/** A form that the user closed. */
export const cancel: Json = { action: "cancel" };

/** What goes over HTTP. */
export interface Post {
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Changes to the headers of a request; null leaves one out. */
export type Changes = { readonly [name: string]: string | null };

const encoder = new TextEncoder();

/** A text in the sentinel of headers (streamable-http, "Value Encoding"). */
export const sentinel = (text: string): string =>
  `=?base64?${btoa(Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join(""))}?=`;

const plain = (text: string): boolean =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?");

/** The headers of a request, those that mirror its body included, with `changes` by lower-case name. */
export const headers = (body: Json, changes: Changes = {}): { readonly [name: string]: string } => {
  const { method, params } = body as Partial<Body>;
  const named = method === "resources/read" ? params?.["uri"] : params?.["name"];
  const mirrored = ["tools/call", "prompts/get", "resources/read"].includes(method ?? "") && typeof named === "string";
  const all: { readonly [name: string]: string | null } = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": revision,
    "mcp-method": typeof method === "string" ? method : null,
    "mcp-name": mirrored ? (plain(named) ? named : sentinel(named)) : null,
    ...changes,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null));
};

/** A modern POST. */
export const M = (body: Json | Body, changes: Changes = {}): Post => ({
  headers: headers(body as Json, changes),
  body: JSON.stringify(body),
});

/** A result, of whatever kind. */
export interface Result extends Json {
  readonly resultType?: string;
  readonly content?: ReadonlyArray<{ readonly type: string; readonly text?: string }>;
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly inputRequests?: { readonly [key: string]: { readonly method: string; readonly params: Json } };
  readonly requestState?: string;
}

/** A JSON-RPC error. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A whole reply. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Whether it came as server-sent events. */
  readonly streamed: boolean;
  /** In the order in which they came. */
  readonly notifications: ReadonlyArray<{ readonly method: string; readonly params: Json }>;
  readonly id: unknown;
  readonly result: Result | undefined;
  readonly error: RpcError | undefined;
}

/** The messages in a text of server-sent events. */
export const events = (text: string): ReadonlyArray<Json> =>
  text.split("\n\n").flatMap((event) => {
    const data = event.split("\n").filter((line) => line.startsWith("data:"));
    return data.length === 0 ? [] : [JSON.parse(data.map((line) => line.slice(5)).join("\n")) as Json];
  });

/** Reads a reply to its end. */
export const reply = async (response: Response): Promise<Reply> => {
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  const streamed = type.startsWith("text/event-stream");
  const messages = streamed ? events(text) : type.startsWith("application/json") ? [JSON.parse(text) as Json] : [];
  const last = messages.find((message) => !("method" in message));
  return {
    status: response.status,
    headers: response.headers,
    text,
    streamed,
    notifications: messages.filter((message) => "method" in message) as unknown as Reply["notifications"],
    id: last?.["id"],
    result: last?.["result"] as Result | undefined,
    error: last?.["error"] as RpcError | undefined,
  };
};

/** Something that answers HTTP requests. */
export interface Target {
  readonly url: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Sends a POST and reads the whole reply. */
export const post = async (target: Target, { body, headers }: Post): Promise<Reply> =>
  await reply(await target.fetch(new Request(target.url, { method: "POST", headers, body })));

/** Sends a message and reads the whole reply. */
export const send = (target: Target, body: Json | Body, changes: Changes = {}): Promise<Reply> =>
  post(target, M(body, changes));

/** The text of a complete result. */
export const text = ({ result }: Reply): string | undefined =>
  result?.content?.map((block) => block.text ?? "").join("\n");

/** Fails unless the reply is an interim result that asks exactly `keys`, in any order; gives its requests and its state. */
export const asks = (
  reply: Reply,
  ...keys: ReadonlyArray<string>
): { readonly requests: NonNullable<Result["inputRequests"]>; readonly state: string } => {
  assertEquals([reply.status, reply.result?.resultType], [200, "input_required"], reply.text);
  const requests = reply.result?.inputRequests ?? {};
  assertEquals(Object.keys(requests).sort(), [...keys].sort(), reply.text);
  const state = reply.result?.requestState;
  assertEquals(typeof state, "string", reply.text);
  return { requests, state: state! };
};

/** Fails unless the reply is a complete result without `isError` whose text is `expected`. */
export const completes = (reply: Reply, expected: string): void => {
  assertEquals(
    [reply.status, reply.result?.resultType, reply.result?.isError ?? false, text(reply)],
    [200, "complete", false, expected],
    reply.text,
  );
};

/** Fails unless the reply is an error with this HTTP status and JSON-RPC code. */
export const fails = (reply: Reply, status: number, code: number): RpcError => {
  assertEquals([reply.status, reply.error?.code], [status, code], reply.text);
  assertEquals(reply.result, undefined, reply.text);
  return reply.error!;
};
