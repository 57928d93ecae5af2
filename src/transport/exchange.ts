/** One HTTP request and what is written in reply to it. All of its mutable state is here. */
import { fault as faultText } from "../era/modern.ts";
import type { RequestId } from "../model/call.ts";
import type { Fault } from "../model/fault.ts";
import type { Accepts } from "./accept.ts";
import type { ReplyHeaders } from "./cors.ts";
import type { Outlet } from "./outlet.ts";
import * as Sse from "./sse.ts";

/** Bytes that a client may be behind before notices to it are dropped. */
const maxBehind = 1_048_576;

/** More headers of a reply, such as `Allow`. */
export type MoreHeaders = { readonly [name: string]: string };

const merged = (headers: Headers, more: MoreHeaders): Headers => {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(more)) all.set(name, value);
  return all;
};

/** A reply that is a fault, and no stream. */
export const faultResponse = (
  headers: ReplyHeaders,
  fault: Fault,
  id?: RequestId,
  more?: MoreHeaders,
): Response =>
  new Response(faultText(id, fault), {
    status: fault.status,
    headers: more === undefined ? headers.json : merged(headers.json, more),
  });

/**
 * The reply to one request: a single JSON body, unless something is sent before the end, which makes it a stream. After
 * the end, or after the client has left, nothing is written any more.
 */
export class Exchange implements Outlet {
  readonly headers: ReplyHeaders;
  readonly accepts: Accepts;
  /** Of the JSON-RPC request, once it is read. */
  id: RequestId | undefined = undefined;
  readonly #resolve: (response: Response) => void;
  readonly #left: () => void;
  #stream: Sse.EventStream | undefined = undefined;
  #over = false;

  /** `left` is called when the client closes the stream. */
  constructor(headers: ReplyHeaders, accepts: Accepts, resolve: (response: Response) => void, left: () => void) {
    this.headers = headers;
    this.accepts = accepts;
    this.#resolve = resolve;
    this.#left = left;
  }

  /** Whether the reply is complete, or nobody waits for it. */
  get over(): boolean {
    return this.#over;
  }

  /** Sends a message before the reply. False if it was dropped: the client takes no streams, or is far behind. */
  send(message: string): boolean {
    return this.#offer(Sse.event(message));
  }

  /** Shows a waiting client that the server lives, if it takes streams. */
  keepAlive(): void {
    this.#offer(Sse.comment);
  }

  /** The reply: the text of a result. `after` are messages that follow it on a stream. */
  result(text: string, ...after: ReadonlyArray<string>): void {
    if (this.#over) return;
    if (this.#stream === undefined && this.accepts.json) {
      return this.respond(new Response(text, { headers: this.headers.json }));
    }
    this.#end([text, ...after]);
  }

  /** The reply: a fault. It is JSON unless a stream has begun. */
  fault(fault: Fault): void {
    if (this.#over) return;
    if (this.#stream === undefined) return this.respond(faultResponse(this.headers, fault, this.id));
    this.#end([faultText(this.id, fault)]);
  }

  /** The reply: anything. Nothing may have been sent before. */
  respond(response: Response): void {
    if (this.#over) return;
    this.#over = true;
    this.#resolve(response);
  }

  #offer(text: string): boolean {
    if (this.#over || !this.accepts.stream) return false;
    return this.#open().offer(text);
  }

  #open(): Sse.EventStream {
    if (this.#stream !== undefined) return this.#stream;
    const stream = Sse.make(maxBehind, () => {
      this.#over = true;
      this.#left();
    });
    this.#stream = stream;
    this.#resolve(new Response(stream.body, { headers: this.headers.stream }));
    return stream;
  }

  #end(messages: ReadonlyArray<string>): void {
    const stream = this.#open();
    this.#over = true;
    stream.write(messages.map(Sse.event).join(""));
    stream.close();
  }

  /** Cuts a stream off, or answers without content, where there is nothing to say: the client has left. */
  drop(): void {
    if (this.#over) return;
    if (this.#stream === undefined) return this.respond(new Response(null, { status: 499 }));
    this.#over = true;
    this.#stream.close();
  }
}
