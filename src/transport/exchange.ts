/** One HTTP request and what is written in reply to it. All of its mutable state is here. */
import { fault as faultText } from "../era/modern.ts";
import type { RequestId } from "../model/call.ts";
import type { Fault } from "../model/fault.ts";
import type { Accepts } from "./accept.ts";
import type { ReplyHeaders } from "./cors.ts";
import type { SureOutlet } from "./outlet.ts";
import * as Sse from "./sse.ts";
import type { Fields, Reply, Stream, Visit } from "./visit.ts";

/** A reply that is a fault, and no stream; `more` are headers of it, such as `allow`. */
export const faultReply = (headers: ReplyHeaders, fault: Fault, id?: RequestId, more?: Fields): Reply => ({
  status: fault.status,
  headers: more === undefined ? headers.json : { ...headers.json, ...more },
  body: faultText(id, fault),
});

/** What a conversation does about a reply, which is more than one connection there. */
export interface Party {
  readonly fault: (fault: Fault) => void;
  readonly keepAlive: () => void;
  /** The client has closed the connection. */
  readonly left: () => void;
}

/**
 * The reply to one request: a single JSON body, unless something is sent before the end, which makes it a stream. After
 * the end, or after the client has left, nothing is written any more.
 */
export class Exchange implements SureOutlet {
  readonly accepts: Accepts;
  /** Of the JSON-RPC request, once it is read. */
  id: RequestId | undefined = undefined;
  readonly #visit: Visit;
  readonly #left: () => void;
  #headers: ReplyHeaders;
  #party: Party | undefined = undefined;
  #stream: Stream | undefined = undefined;
  #over = false;

  /** `left` is called when the client leaves before the end. */
  constructor(headers: ReplyHeaders, accepts: Accepts, visit: Visit, left: () => void) {
    this.#headers = headers;
    this.accepts = accepts;
    this.#visit = visit;
    this.#left = left;
  }

  /** Headers that the reply has. */
  get headers(): ReplyHeaders {
    return this.#headers;
  }

  /** Whether the reply is complete, or nobody waits for it. */
  get over(): boolean {
    return this.#over;
  }

  /** Whether a stream has begun. */
  get streams(): boolean {
    return this.#stream !== undefined;
  }

  /** Adds headers to the reply, which has not begun. */
  add(fields: Fields): void {
    const { empty, json, stream } = this.#headers;
    this.#headers = { json: { ...json, ...fields }, stream: { ...stream, ...fields }, empty: { ...empty, ...fields } };
  }

  /** From now on faults, signs of life and the client's leaving are for `party` to act on. */
  give(party: Party): void {
    this.#party = party;
  }

  /** The stream that is the reply, begun if it has not been. Not to be used once the reply is over. */
  connect(): Stream {
    return this.#stream ??= this.#visit.stream(this.headers.stream, () => {
      this.#over = true;
      this.leave();
    });
  }

  /** The client has left: the reply is over, unless it is a party's. */
  readonly leave = (): void => {
    if (this.#party !== undefined) return this.#party.left();
    this.drop();
    this.#left();
  };

  /** Sends a message before the reply. False if it was dropped: the client takes no streams, or is far behind. */
  send(message: string): boolean {
    return this.#offer(Sse.event(message));
  }

  /** Sends a message before the reply, however far behind the client is. It must take streams. */
  write(message: string): void {
    if (!this.#over) this.connect().write(Sse.event(message));
  }

  /** Shows a waiting client that the server lives, if it takes streams. */
  keepAlive(): void {
    if (this.#party === undefined) this.#offer(Sse.comment);
    else this.#party.keepAlive();
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
    if (this.#party !== undefined) return this.#party.fault(fault);
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
    return this.connect().offer(text);
  }

  #end(messages: ReadonlyArray<string>): void {
    const stream = this.connect();
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
