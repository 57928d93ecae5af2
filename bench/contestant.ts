/** What the benchmark compares, and the messages that every contestant answers. */

/** A server that is called in-process, without a socket. */
export interface Contestant {
  readonly name: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** Makes a contestant; `more` is the number of tools that it has besides `echo` and `greet`. */
export type Make = (more?: number) => Promise<Contestant>;

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} }, sampling: {}, roots: {} },
};

let id = 0;

/** The text of a message, and the headers that go with it. */
export interface Post {
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** A message as the official client sends it. Texts are ASCII. */
export const post = (method: string, params: { readonly name?: string; readonly [member: string]: unknown }): Post => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params: { ...params, _meta: meta } });
  return {
    headers: {
      "content-type": "application/json",
      "content-length": String(body.length),
      "accept": "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...params.name === undefined ? {} : { "mcp-name": params.name },
    },
    body,
  };
};

/** A `tools/call`. */
export const toolCall = (name: string, args: object, retry: object = {}): Post =>
  post("tools/call", { name, arguments: args, ...retry });

/** A `tools/list`; the page behind `cursor`, if there is one. */
export const toolList = (cursor: string | undefined): Post =>
  post("tools/list", cursor === undefined ? {} : { cursor });

const hole = "{what the server said}";

/** A message that is made but for one text, which the server says: `make` is given what stands for it. */
export const awaiting = (make: (text: string) => Post): (text: string) => Post => {
  const { body, headers } = make(hole);
  const [before, after, ...more] = body.split(hole);
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`Not one hole in ${body}`);
  return (text) => {
    const filled = before + text + after;
    return { headers: { ...headers, "content-length": String(filled.length) }, body: filled };
  };
};

/** Messages made ahead of time, which differ in their ids; gives them in turns. */
export const pool = <A>(size: number, make: () => A): () => A => {
  const all = Array.from({ length: size }, make);
  let next = 0;
  return () => all[next++ % size]!;
};

/** A message as a server of HTTP passes it on. */
export const requestOf = ({ body, headers }: Post): Request =>
  new Request("http://localhost/mcp", { method: "POST", headers: { ...headers, host: "localhost" }, body });

/** Sends a message and gives the text of the reply; fails on anything but a result. */
export const exchange = async (contestant: Contestant, message: Post): Promise<string> => {
  const response = await contestant.fetch(requestOf(message));
  const text = await response.text();
  if (!text.includes('"result":')) throw new Error(`${contestant.name}: no result: ${text}`);
  return text;
};

/** A text of a result, by its name, found without reading the rest. It holds nothing that JSON escapes. */
export const textOf = (reply: string, member: "requestState" | "nextCursor"): string | undefined => {
  const name = `"${member}":"`;
  const at = reply.indexOf(name);
  if (at < 0) return undefined;
  const start = at + name.length;
  return reply.slice(start, reply.indexOf('"', start));
};

/** The members of a form that the benchmark looks at. */
export interface FormParams {
  readonly message: string;
  readonly requestedSchema: { readonly type: string; readonly properties: unknown; readonly required: unknown };
}

/** The members of a result that the benchmark looks at. */
export interface ToolResult {
  readonly resultType: string;
  readonly content?: ReadonlyArray<{ readonly type: string; readonly text: string }>;
  readonly structuredContent?: unknown;
  readonly inputRequests?: { readonly [key: string]: { readonly method: string; readonly params: FormParams } };
  readonly requestState?: string;
  readonly tools?: ReadonlyArray<{ readonly name: string; readonly description?: string }>;
  readonly nextCursor?: string;
}

/** The result in the text of a reply. */
export const resultOf = (reply: string): ToolResult => JSON.parse(reply).result;

/** What the result says, be it structured or not. */
export const said = (result: ToolResult): unknown => result.structuredContent ?? result.content?.[0]?.text;
