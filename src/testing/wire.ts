/** The modern wire, from the client's side: a message becomes an HTTP request, a response becomes messages. */
import { isRecord, type JsonRecord } from "../model/json.ts";

/** What came back for one request. */
export interface Reply {
  /** HTTP status. */
  readonly status: number;
  /** HTTP headers. */
  readonly headers: Headers;
  /** In the order in which they came, before the response. */
  readonly notifications: ReadonlyArray<JsonRecord>;
  /** The JSON-RPC response: it has `result` or `error`. Undefined where the body holds none. */
  readonly response: JsonRecord | undefined;
}

const safe = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/;
const sentinel = /^=\?base64\?.*\?=$/;

/** A value as a header carries it: plain where it can be, else base64 in a sentinel (basic/transports, "Value Encoding"). */
export const headerValue = (value: string): string => {
  if (value === "" || (safe.test(value) && !sentinel.test(value))) return value;
  const bytes = new TextEncoder().encode(value);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}?=`;
};

/** The `Mcp-Param-*` headers of a call: what `x-mcp-header` marks in the schema, as far as the arguments have it. */
export const parameterHeaders = (schema: unknown, args: unknown): Record<string, string> => {
  const headers: Record<string, string> = {};
  const walk = (schema: unknown, value: unknown): void => {
    if (!isRecord(schema)) return;
    const name = schema["x-mcp-header"];
    if (typeof name === "string" && value !== undefined && value !== null && typeof value !== "object") {
      headers[`Mcp-Param-${name}`] = headerValue(String(value));
    }
    if (!isRecord(schema["properties"]) || !isRecord(value)) return;
    for (const [property, inner] of Object.entries(schema["properties"])) {
      if (Object.hasOwn(value, property)) walk(inner, value[property]);
    }
  };
  walk(schema, args);
  return headers;
};

/** The HTTP request for a JSON-RPC request, with the headers that mirror its body. */
export const request = (
  url: string,
  message: { readonly id: string | number; readonly method: string; readonly params: JsonRecord },
  revision: string,
  headers: { readonly [name: string]: string },
  signal: AbortSignal,
): Request => {
  const all = new Headers({
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "host": new URL(url).host,
    "mcp-protocol-version": revision,
    "mcp-method": message.method,
  });
  const named = message.method === "resources/read" ? message.params["uri"] : message.params["name"];
  const mirrored = ["tools/call", "prompts/get", "resources/read"].includes(message.method);
  if (mirrored && typeof named === "string") all.set("mcp-name", headerValue(named));
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Request(url, {
    method: "POST",
    headers: all,
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    signal,
  });
};

/** The data of the events in a text of server-sent events. */
const events = (text: string): ReadonlyArray<string> =>
  text.split(/\r\n\r\n|\n\n|\r\r/).flatMap((event) => {
    const data = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
    return data.length === 0 ? [] : [data.map((line) => line.slice(5).replace(/^ /, "")).join("\n")];
  });

/** Reads a whole response. Rejects where the body is neither JSON nor a stream of JSON messages. */
export const reply = async (response: Response): Promise<Reply> => {
  const text = await response.text();
  const streamed = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const messages = (streamed ? events(text) : text === "" ? [] : [text])
    .map((data): unknown => JSON.parse(data))
    .filter(isRecord);
  return {
    status: response.status,
    headers: response.headers,
    notifications: messages.filter((message) => "method" in message),
    response: messages.find((message) => "result" in message || "error" in message),
  };
};
