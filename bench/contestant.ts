/** What the benchmark compares, and the requests that every contestant answers. */

/** A server that is called in-process, without a socket. */
export interface Contestant {
  readonly name: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** Makes a contestant. */
export type Make = () => Promise<Contestant>;

const url = "http://localhost/mcp";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} }, sampling: {}, roots: {} },
};

let id = 0;

/** A `tools/call` request as a server of HTTP passes it on when the official client sent it. Texts are ASCII. */
export const toolCall = (name: string, args: object, retry: object = {}): Request => {
  const params = { name, arguments: args, ...retry, _meta: meta };
  const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params });
  return new Request(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-length": String(body.length),
      "accept": "application/json, text/event-stream",
      "host": "localhost",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body,
  });
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
}

/** Sends `request` and reads the result; fails on anything else. */
export const send = async (contestant: Contestant, request: Request): Promise<ToolResult> => {
  const response = await contestant.fetch(request);
  const body: { readonly result?: ToolResult; readonly error?: unknown } = await response.json();
  if (body.result === undefined) throw new Error(`${contestant.name}: no result: ${JSON.stringify(body)}`);
  return body.result;
};
