/** A stream of messages to a client, over one connection after another. */
import * as EventId from "./event_id.ts";

/** A connection, as a transport offers it. Nothing of it throws or waits. */
export interface Sink {
  /**
   * Writes a message, with the id behind which the client can take up the stream again. False if it was dropped, which
   * happens where the client is far behind, and never to one that `must` be written.
   */
  readonly send: (message: string, id: string | undefined, must: boolean) => boolean;
  /** Writes an event with an id and no message (2025-11-25, basic/transports, "Sending Messages to the Server"). */
  readonly prime: (id: string) => void;
  /** Tells the client how many milliseconds to wait before it connects again. */
  readonly retry: (millis: number) => void;
  /** Shows the client that the connection lives. */
  readonly keepAlive: () => void;
  /** Closes the connection from the server's side. `Stream.lost` need not be called after that. */
  readonly close: () => void;
}

/** What a stream tells its session. */
export interface Owner {
  /** Of the ids of events; undefined where streams cannot be taken up again, and have none. */
  readonly tag: string | undefined;
  /** Whether the session has ended: no stream of it is opened then. */
  readonly closed: boolean;
  /** Milliseconds that a client is told to wait after the server closed its connection. */
  readonly retry: number;
  /** There is a connection. */
  readonly connected: (stream: Stream) => void;
  /** There is none any more; but there may be one within a while if the stream is still `open`. */
  readonly disconnected: (stream: Stream) => void;
  /** Nothing can be sent on the stream from now on. */
  readonly forgotten: (stream: Stream) => void;
  /** Characters more, or less, are stored for the stream. */
  readonly stored: (stream: Stream, characters: number) => void;
}

interface Event {
  readonly number: number;
  readonly message: string;
  readonly must: boolean;
}

/** Characters that a stored message costs on top of its own. */
const overhead = 100;

const costOf = ({ message }: Event): number => message.length + overhead;

/**
 * One stream. It is opened by its first message. Where it has event ids it outlives its connections: what is sent is kept,
 * so that a client can take it up again. Otherwise it ends with its connection.
 */
export class Stream {
  /** Unique in the session. */
  readonly number: number;
  readonly #owner: Owner;
  #connect: (() => Sink) | undefined;
  #sink: Sink | undefined = undefined;
  #events: Array<Event> = [];
  #last = 0;
  #state: "new" | "open" | "ended" | "lost" = "new";

  /** `connect` begins to write to the connection that waits for the stream; undefined where the client takes none. */
  constructor(number: number, owner: Owner, connect: (() => Sink) | undefined) {
    this.number = number;
    this.#owner = owner;
    this.#connect = connect;
  }

  /** Whether anything has been written: until then a reply may be sent without the stream. */
  get opened(): boolean {
    return this.#state !== "new";
  }

  /** Whether a message can reach the client: now, or when it comes back. */
  get reachable(): boolean {
    if (this.#state === "new") return this.#connect !== undefined && !this.#owner.closed;
    return this.#state === "open" && (this.#sink !== undefined || this.#owner.tag !== undefined);
  }

  /** Whether the server has sent all that it will. */
  get ended(): boolean {
    return this.#state === "ended";
  }

  /** Sends a message that may be dropped. False if it was. */
  offer(message: string): boolean {
    return this.#send(message, false);
  }

  /** Sends a message that must arrive. False if there is no way to the client. */
  write(message: string): boolean {
    return this.#send(message, true);
  }

  /** Shows a waiting client that the server lives; opens the stream. */
  keepAlive(): void {
    this.#connected()?.keepAlive();
  }

  /** Sends the last message, if there is one, and ends the stream. False if there is no way to the client. */
  end(message?: string): boolean {
    const sent = message === undefined || this.write(message);
    if (this.#state === "lost" || this.#state === "ended") return sent;
    this.#state = "ended";
    this.#connect = undefined;
    this.#leave()?.close();
    if (this.#events.length === 0) this.forget();
    return sent;
  }

  /**
   * Closes the connection, and lets the client come back for the rest (2025-11-25, basic/transports, "Sending Messages to
   * the Server"). Does nothing where it could not.
   */
  disconnect(): void {
    if (this.#owner.tag === undefined) return;
    const sink = this.#connected();
    if (sink === undefined) return;
    sink.retry(this.#owner.retry);
    this.#leave();
    sink.close();
  }

  /** The client has closed the connection `sink`, or went away before there was anything to write (undefined). */
  lost(sink: Sink | undefined): void {
    if (sink !== this.#sink || (sink === undefined && this.opened)) return;
    this.#connect = undefined;
    this.#leave();
    if (this.#owner.tag === undefined || !this.opened) this.forget();
  }

  /**
   * Goes on over `sink`, with what was sent after the event with the number `after`. Where that is nothing yet, the client is
   * told again where it is: official ones forget it, and would come back without.
   */
  resume(sink: Sink, after: number): void {
    this.#enter(sink);
    const missed = this.#events.filter(({ number }) => number > after);
    for (const { message, number } of missed) sink.send(message, this.#id(number), true);
    if (this.ended) return this.#leave()?.close();
    const id = this.#id(after);
    if (missed.length === 0 && id !== undefined) sink.prime(id);
  }

  /** Begins anew over `sink`: what was sent before is not kept. */
  restart(sink: Sink): void {
    this.#clear();
    this.#enter(sink);
    this.#prime(sink);
  }

  /** Whether an event with the number may have been sent. */
  has(event: number): boolean {
    return event <= this.#last;
  }

  /** Forgets one message that may be dropped, the oldest. False if there is none. */
  dropOldest(): boolean {
    const index = this.#events.findIndex(({ must }) => !must);
    const [dropped] = index < 0 ? [] : this.#events.splice(index, 1);
    if (dropped === undefined) return false;
    this.#owner.stored(this, -costOf(dropped));
    return true;
  }

  /** Gives the stream up: whatever it held is gone, and nothing can be sent on it. */
  forget(): void {
    if (this.#state === "lost") return;
    this.#clear();
    this.#connect = undefined;
    const sink = this.#leave();
    this.#state = "lost";
    sink?.close();
    this.#owner.forgotten(this);
  }

  #send(message: string, must: boolean): boolean {
    const sink = this.#connected();
    if (this.#state !== "open" || (sink === undefined && this.#owner.tag === undefined)) return false;
    const number = this.#last + 1;
    const sent = sink === undefined || sink.send(message, this.#id(number), must);
    if (this.#owner.tag === undefined || !(sent || must)) return sent;
    this.#last = number;
    const event = { number, message, must };
    this.#events.push(event);
    this.#owner.stored(this, costOf(event));
    return true;
  }

  /** The connection, begun if it has not been. */
  #connected(): Sink | undefined {
    const connect = this.#connect;
    if (connect === undefined) return this.#sink;
    this.#connect = undefined;
    if (this.#owner.closed) return undefined;
    const sink = connect();
    this.#enter(sink);
    this.#prime(sink);
    return sink;
  }

  #prime(sink: Sink): void {
    const id = this.#id(++this.#last);
    if (id !== undefined) sink.prime(id);
  }

  #id(event: number): string | undefined {
    const { tag } = this.#owner;
    return tag === undefined ? undefined : EventId.make(tag, { stream: this.number, event });
  }

  /** `sink` is the connection from now on. */
  #enter(sink: Sink): void {
    const before = this.#sink;
    this.#sink = sink;
    if (this.#state !== "ended") this.#state = "open";
    if (before === undefined) this.#owner.connected(this);
    else before.close();
  }

  /** There is no connection from now on. Gives the one that there was. */
  #leave(): Sink | undefined {
    const sink = this.#sink;
    this.#sink = undefined;
    if (sink !== undefined) this.#owner.disconnected(this);
    return sink;
  }

  #clear(): void {
    const characters = this.#events.reduce((sum, event) => sum + costOf(event), 0);
    this.#events = [];
    if (characters > 0) this.#owner.stored(this, -characters);
  }
}
