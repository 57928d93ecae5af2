/** One HTTP request and what is written in reply to it. All of its mutable state is here. */
import { fault as faultText } from "../era/modern.ts";
import type { RequestId } from "../model/call.ts";
import type { Fault } from "../model/fault.ts";
import type { Accepts } from "./accept.ts";
import type { ReplyHeaders } from "./cors.ts";
import type { Outlet } from "./outlet.ts";
import * as Sse from "./sse.ts";
import type { Fields, Reply, Stream, Visit } from "./visit.ts";

/** A reply that is a fault, and no stream; `more` are headers of it, such as `allow`. */
export const faultReply = (headers: ReplyHeaders, fault: Fault, id?: RequestId, more?: Fields): Reply => ({
  status: fault.status,
  headers: more === undefined ? headers.json : { ...headers.json, ...more },
  body: faultText(id, fault),
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
  readonly #visit: Visit;
  readonly #left: () => void;
  #stream: Stream | undefined = undefined;
  #over = false;

  /** `left` is called when the client closes the stream. */
  constructor(headers: ReplyHeaders, accepts: Accepts, visit: Visit, left: () => void) {
    this.headers = headers;
    this.accepts = accepts;
    this.#visit = visit;
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
      return this.respond({ status: 200, headers: this.headers.json, body: text });
    }
    this.#end([text, ...after]);
  }

  /** The reply: a fault. It is JSON unless a stream has begun. */
  fault(fault: Fault): void {
    if (this.#over) return;
    if (this.#stream === undefined) return this.respond(faultReply(this.headers, fault, this.id));
    this.#end([faultText(this.id, fault)]);
  }

  /** The reply: anything. Nothing may have been sent before. */
  respond(reply: Reply): void {
    if (this.#over) return;
    this.#over = true;
    this.#visit.reply(reply);
  }

  #offer(text: string): boolean {
    if (this.#over || !this.accepts.stream) return false;
    return this.#open().offer(text);
  }

  #open(): Stream {
    return this.#stream ??= this.#visit.stream(this.headers.stream, () => {
      this.#over = true;
      this.#left();
    });
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
    if (this.#stream === undefined) return this.respond({ status: 499, headers: this.headers.empty, body: undefined });
    this.#over = true;
    this.#stream.close();
  }
}
