/** A request to `node:http`, and the response to it. */
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Fault } from "../model/fault.ts";
import { Pieces } from "../transport/body.ts";
import type { Fields, Reply, Stream, Visit } from "../transport/visit.ts";

/** Bytes that a client may be behind before notices to it are dropped. */
const maxBehind = 1_048_576;

/** Calls `left` if the connection of `response` is closed before all of it was sent. */
const watchEnd = (response: ServerResponse, left: () => void): () => void => {
  const closed = (): void => {
    if (!response.writableFinished) left();
  };
  if (response.destroyed) closed();
  else response.on("close", closed);
  return () => void response.off("close", closed);
};

/** The URL that was asked for, absolute. */
export const urlOf = ({ headers, url = "/" }: IncomingMessage, scheme: string): string =>
  url.startsWith("/") ? `${scheme}://${headers.host ?? ""}${url}` : url;

/** One request, without the objects of the Web. */
export class NodeVisit implements Visit {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #scheme: string;
  readonly #ending: (response: ServerResponse) => void;

  /** `ending` is called when the last of the response is about to be written. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    scheme: string,
    ending: (response: ServerResponse) => void,
  ) {
    this.#request = request;
    this.#response = response;
    this.#scheme = scheme;
    this.#ending = ending;
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  get url(): string {
    return urlOf(this.#request, this.#scheme);
  }

  get host(): string {
    return this.#request.headers.host ?? "";
  }

  readonly header = (name: string): string | undefined => {
    const value = this.#request.headers[name];
    return typeof value === "string" ? value : Array.isArray(value) ? value.join(", ") : undefined;
  };

  read(limit: number, done: (body: string | Fault) => void): () => void {
    const request = this.#request;
    const pieces = new Pieces(limit, (body) => {
      ignore();
      done(body);
    });
    const push = (chunk: Uint8Array): void => void pieces.push(chunk);
    const end = (): void => pieces.end();
    const close = (): void => pieces.breakOff();
    // What still comes is thrown away, so that the client can read the reply, and go on with the connection
    const ignore = (): void => {
      request.off("data", push).off("end", end).off("close", close);
      request.resume();
    };
    request.on("data", push).on("end", end).on("close", close);
    return () => {
      pieces.giveUp();
      ignore();
    };
  }

  watch(left: () => void): () => void {
    return watchEnd(this.#response, left);
  }

  reply({ body, headers, status }: Reply): void {
    const response = this.#response;
    this.#ending(response);
    if (body === undefined) {
      response.writeHead(status, status === 204 ? headers : { ...headers, "content-length": "0" }).end();
    } else {
      response.writeHead(status, { ...headers, "content-length": `${Buffer.byteLength(body)}` }).end(body);
    }
  }

  stream(headers: Fields, left: () => void): Stream {
    const response = this.#response;
    response.writeHead(200, headers).flushHeaders();
    const unwatch = watchEnd(response, left);
    const write = (text: string): void => void response.write(text);
    return {
      write,
      offer: (text) => {
        if (response.writableLength >= maxBehind) return false;
        write(text);
        return true;
      },
      close: () => {
        unwatch();
        this.#ending(response);
        response.end();
      },
    };
  }
}
