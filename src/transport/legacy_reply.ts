/** The reply to what one POST of an older revision asked. */
import * as Legacy from "../era/legacy.ts";
import type { Session, Sink, Stream } from "../era/session.ts";
import type { RequestId } from "../model/call.ts";
import { type Fault, invalidRequest } from "../model/fault.ts";
import type { Exchange, Party } from "./exchange.ts";
import { sinkOf } from "./legacy_sink.ts";
import type { Outlet } from "./outlet.ts";

/** The answer to a request that runs when its session ends. */
const ended: Fault = invalidRequest("The session has ended", 404);

/**
 * JSON, unless something is sent before the end, which makes it a stream of the session. That one may go on over other
 * connections: what is asked does not end with the one that it came over.
 */
export class Reply implements Outlet, Party {
  readonly stream: Stream;
  readonly #session: Session;
  readonly #exchange: Exchange;
  readonly #id: RequestId | undefined;
  #sink: Sink | undefined = undefined;
  #over = false;

  /** `id` is that of the one request, if there is just one. */
  constructor(session: Session, exchange: Exchange, id?: RequestId) {
    this.#session = session;
    this.#exchange = exchange;
    this.#id = id;
    this.stream = session.stream(exchange.accepts.stream ? () => this.#sink = sinkOf(exchange) : undefined);
    exchange.give(this);
  }

  /** Sends a message before the reply. False if it was dropped. */
  send(message: string): boolean {
    return !this.#over && this.stream.offer(message);
  }

  /** The reply: the text of a result. `after` are not for older revisions. */
  result(text: string): void {
    this.#end(text, this.#exchange.accepts.json, 200);
  }

  /** The reply: a fault. It is JSON unless a stream has begun. */
  fault(fault: Fault): void {
    this.#end(Legacy.fault(this.#session.revision, this.#id, fault), true, Legacy.status(fault));
  }

  /** There is no reply: the client wants none any more, or the session has ended. */
  abandon(): void {
    if (this.#over) return;
    if (this.#session.closed) this.fault(ended);
    this.#over = true;
    this.stream.end();
    // A stream without a message: what else would be taken for the reply
    if (this.#exchange.accepts.stream) sinkOf(this.#exchange).close();
    else this.#exchange.respond({ status: 202, headers: this.#exchange.headers.empty, body: undefined });
  }

  /** Shows a client that waits on this connection that the server lives. */
  keepAlive(): void {
    if (this.#sink === undefined) this.stream.keepAlive();
    else this.#sink.keepAlive();
  }

  /** The client has closed the connection: what it asked goes on. */
  left(): void {
    this.stream.lost(this.#sink);
  }

  #end(text: string, json: boolean, status: number): void {
    if (this.#over) return;
    this.#over = true;
    if (this.stream.opened || !json) return void this.stream.end(text);
    this.stream.end();
    this.#exchange.respond({ status, headers: this.#exchange.headers.json, body: text });
  }
}
