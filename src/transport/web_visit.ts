/** A `Request`, and the `Response` to it. */
import type { Fault } from "../model/fault.ts";
import * as Body from "./body.ts";
import type { Fields, Reply, Stream, Visit } from "./visit.ts";

/** Bytes that a client may be behind before notices to it are dropped. */
const maxBehind = 1_048_576;

const encoder = new TextEncoder();

/** The path of a URL that is known to be absolute. */
export const pathOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
};

const hostOf = (url: string): string => {
  const start = url.indexOf("://") + 3;
  const end = url.slice(start).search(/[/?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
};

const contentType = "content-type";

/**
 * A `Response` with these headers. Deno hands one that has a content type alone to its server at once; for more of them in
 * the constructor it makes an object of the server's besides, which costs a tenth of a call: so they are added afterwards.
 */
const responseOf = (body: BodyInit | null, status: number, fields: Fields): Response => {
  const type = fields[contentType];
  const response = new Response(body, { status, headers: type === undefined ? {} : { [contentType]: type } });
  for (const name in fields) if (name !== contentType) response.headers.set(name, fields[name]!);
  return response;
};

/** A reply as a `Response`. */
export const response = ({ body, headers, status }: Reply): Response => responseOf(body ?? null, status, headers);

/** One request to a host of Web-standard requests. */
export class WebVisit implements Visit {
  readonly request: Request;
  readonly #resolve: (response: Response) => void;

  /** `resolve` gets the response as soon as there is one. */
  constructor(request: Request, resolve: (response: Response) => void) {
    this.request = request;
    this.#resolve = resolve;
  }

  get method(): string {
    return this.request.method;
  }

  get url(): string {
    return this.request.url;
  }

  get host(): string {
    return this.header("host") ?? hostOf(this.request.url);
  }

  readonly header = (name: string): string | undefined => this.request.headers.get(name) ?? undefined;

  read(limit: number, done: (body: string | Fault) => void): () => void {
    return Body.read(this.request, limit, done);
  }

  watch(left: () => void): () => void {
    const { signal } = this.request;
    if (signal.aborted) left();
    else signal.addEventListener("abort", left);
    return () => signal.removeEventListener("abort", left);
  }

  reply(reply: Reply): void {
    this.#resolve(response(reply));
  }

  stream(headers: Fields, left: () => void): Stream {
    let controller: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (started) => {
          controller = started;
        },
        cancel: left,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxBehind }),
    );
    const write = (text: string): void => controller.enqueue(encoder.encode(text));
    this.#resolve(responseOf(body, 200, headers));
    return {
      write,
      offer: (text) => {
        if ((controller.desiredSize ?? 0) <= 0) return false;
        write(text);
        return true;
      },
      close: () => controller.close(),
    };
  }
}

/**
 * A request from a host that holds bodies to the length that their headers state, as every server of HTTP does where no
 * other framing goes before it (RFC 9112, section 6.3).
 */
export class FramedVisit extends WebVisit {
  override read(limit: number, done: (body: string | Fault) => void): () => void {
    const framed = this.header("content-length") !== undefined && this.header("transfer-encoding") === undefined;
    return framed ? Body.readWhole(this.request, limit, done) : super.read(limit, done);
  }
}
