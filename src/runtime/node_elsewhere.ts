/** Requests to `node:http` that are answered by a function from `Request` to `Response`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream";
import * as Result from "effect/Result";
import { urlOf } from "./node_visit.ts";

const toRequest = (request: IncomingMessage, response: ServerResponse, scheme: string): Request => {
  const { method = "GET", rawHeaders } = request;
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  const cut = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) cut.abort();
  });
  const body = method === "GET" || method === "HEAD"
    ? null
    : Readable.toWeb(request) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
  return new Request(urlOf(request, scheme), { method, headers, body, signal: cut.signal, ...{ duplex: "half" } });
};

const send = ({ body, headers, status }: Response, response: ServerResponse): void => {
  for (const [name, value] of headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  response.writeHead(status);
  if (body === null) return void response.end();
  // Nobody can be told of an error any more
  pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response, () => {});
};

/** Makes `answer` answer one request. */
export const elsewhere = (
  request: IncomingMessage,
  response: ServerResponse,
  scheme: string,
  answer: (request: Request) => Promise<Response>,
): void => {
  const read = Result.try(() => toRequest(request, response, scheme));
  if (Result.isFailure(read)) return void response.writeHead(400).end("Bad request");
  answer(read.success).then((answered) => send(answered, response));
};
