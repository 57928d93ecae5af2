/** One GET: a stream of a session, from its arrival until one side closes it. */
import * as Exit from "effect/Exit";
import type * as Fiber from "effect/Fiber";
import type { Sink, Stream } from "../era/session.ts";
import { code, isFault, make as makeFault } from "../model/fault.ts";
import { anonymous, type Principal } from "../model/principal.ts";
import * as Accept from "./accept.ts";
import type { ReplyHeaders } from "./cors.ts";
import { Exchange } from "./exchange.ts";
import { identify } from "./identify.ts";
import type { HttpSessions } from "./legacy_sessions.ts";
import { sinkOf } from "./legacy_sink.ts";
import { stopped } from "./outlet.ts";
import type { Endpoint } from "./post.ts";
import type { Job, Running } from "./running.ts";
import { ticking } from "./ticker.ts";
import type { Visit } from "./visit.ts";

const noStream = makeFault(code.invalidRequest, "A GET opens a stream: Accept must name text/event-stream", 406);

/** The number of the stream for changes. */
const changes = 0;

/** A wildcard does not count: a GET that strays here must not open a stream that never ends. */
const names = (accept: string | undefined): boolean =>
  accept !== undefined && /text\/(?:event-stream|\*)/i.test(accept) && Accept.read(accept).stream;

/** A GET. What it is the connection of is the session's to know. */
export class Listen implements Job {
  readonly #endpoint: Endpoint;
  readonly #listening: Running;
  readonly #sessions: HttpSessions;
  readonly #visit: Visit;
  readonly #exchange: Exchange;
  readonly #sink: Sink;
  #stream: Stream | undefined = undefined;
  #caller: Fiber.Fiber<Principal | undefined> | undefined = undefined;
  #ticker: Fiber.Fiber<never> | undefined = undefined;
  #unwatch: () => void = () => {};

  constructor(endpoint: Endpoint, listening: Running, sessions: HttpSessions, visit: Visit, headers: ReplyHeaders) {
    this.#endpoint = endpoint;
    this.#listening = listening;
    this.#sessions = sessions;
    this.#visit = visit;
    this.#exchange = new Exchange(headers, Accept.read(visit.header("accept")), visit, () => this.#left());
    const sink = sinkOf(this.#exchange);
    this.#sink = {
      ...sink,
      close: () => {
        // There is nothing more: what tells a client of event streams not to come back (WHATWG, "Server-sent events")
        if (!this.#exchange.streams) this.#exchange.respond({ status: 204, headers: headers.empty, body: undefined });
        sink.close();
        this.#end();
      },
    };
  }

  /** Begins. To be called once. */
  start(): void {
    const { run, settings } = this.#endpoint;
    this.#listening.add(this);
    this.#unwatch = this.#visit.watch(this.#exchange.leave);
    // The client may have left before it was watched
    if (this.#exchange.over) return;
    if (settings.authenticate === undefined) return this.#open(anonymous);
    const fiber = this.#caller = run(identify(settings.authenticate, this.#visit, this.#exchange));
    fiber.addObserver((exit) => {
      if (Exit.isSuccess(exit) && exit.value !== undefined) this.#open(exit.value);
      else this.#end();
    });
  }

  /** The server tells of no more changes. A stream that a call goes on with ends with that call. */
  readonly stop = (): void => {
    if (this.#stream === undefined) {
      this.#exchange.fault(stopped);
      this.#left();
    } else if (this.#stream.number === changes) {
      this.#exchange.drop();
      this.#left();
    }
  };

  #open(principal: Principal): void {
    const { header } = this.#visit;
    const session = names(header("accept")) ? this.#sessions.find(header, principal) : noStream;
    const stream = isFault(session) ? session : this.#sessions.listen(session, header, principal, this.#sink);
    if (isFault(stream)) {
      this.#exchange.fault(stream);
      return this.#end();
    }
    this.#stream = stream;
    // It had ended, and is closed again
    if (this.#exchange.over) return;
    const { run, settings } = this.#endpoint;
    this.#exchange.connect();
    this.#ticker = run(ticking(this.#exchange, settings.keepAlive));
  }

  /** The client has left. */
  #left(): void {
    this.#stream?.lost(this.#sink);
    this.#caller?.interruptUnsafe();
    this.#end();
  }

  #end(): void {
    this.#listening.delete(this);
    this.#unwatch();
    this.#ticker?.interruptUnsafe();
  }
}
