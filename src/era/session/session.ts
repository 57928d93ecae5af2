/** A session: what a server knows of one conversation with a client of an older revision. */
import * as Effect from "effect/Effect";
import type { Implementation, RequestId } from "../../model/call.ts";
import type { ClientCapabilities } from "../../model/capability.ts";
import type { Change } from "../../model/change.ts";
import type { LogLevel } from "../../model/notice.ts";
import type { PeerFailure } from "../../model/peer.ts";
import type { Question } from "../../model/question.ts";
import type { Response } from "../legacy/incoming.ts";
import type { Conversation } from "../legacy/initialize.ts";
import * as Notification from "../legacy/notification.ts";
import { canSay } from "../legacy/question.ts";
import type { Revision } from "../legacy/revisions.ts";
import { Asks, noStream, unreachable } from "./asks.ts";
import type { Deadlines } from "./deadlines.ts";
import * as EventId from "./event_id.ts";
import { type Owner, type Sink, Stream } from "./stream.ts";

/** Changes are being told to a session. */
export interface Watch {
  /** The resources that the client subscribed to have changed: see `subscriptions`. */
  readonly subscribed: () => void;
  readonly close: () => void;
}

/** Tells of nothing. */
export const unwatched: Watch = { subscribed: () => {}, close: () => {} };

/** What a session is run by. */
export interface Host {
  /** Streams without a connection; undefined where they cannot be taken up again. */
  readonly streams: Deadlines<Stream> | undefined;
  readonly retry: number;
  /** Characters of sent messages that one session may keep. */
  readonly maxStored: number;
  /** Resources that one session may subscribe to. */
  readonly maxSubscriptions: number;
  /** There is a stream for changes: they are told by `session.change` until the watch is closed. */
  readonly watch: (session: Session) => Watch;
  /** The session has something to do from now on. */
  readonly busy: (session: Session) => void;
  /** It has nothing to do, from now on or still: it has just been used. */
  readonly idle: (session: Session) => void;
  readonly closed: (session: Session) => void;
}

const nobody: ReadonlySet<string> = new Set();
const nothing = (): void => {};

/** One conversation. Its mutable state is all here; an idle one has no more than these members. */
export class Session implements Conversation, Owner {
  readonly id: string;
  readonly revision: Revision;
  readonly client: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  readonly tag: string | undefined;
  /** Set by `logging/setLevel`. */
  level: LogLevel | undefined;
  readonly #host: Host;
  #ready = false;
  #closed = false;
  #holds = 0;
  #lastStream = 0;
  #stored = 0;
  #requests: Map<RequestId, () => void> | undefined = undefined;
  #asks: Asks | undefined = undefined;
  #streams: Map<number, Stream> | undefined = undefined;
  #changes: Stream | undefined = undefined;
  #watch: Watch | undefined = undefined;
  #subscriptions: Set<string> | undefined = undefined;

  /** `tag` tells the ids of its events from those of other sessions. */
  constructor(id: string, tag: string, conversation: Conversation, host: Host) {
    this.id = id;
    this.revision = conversation.revision;
    this.client = conversation.client;
    this.capabilities = conversation.capabilities;
    this.level = conversation.level;
    this.tag = host.streams !== undefined && this.revision.resumable ? tag : undefined;
    this.#host = host;
  }

  /** Whether the client has said that it is ready: before that it is asked nothing. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Whether the session has ended. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Whether a request runs or a stream is connected: such a session is not ended for being idle. */
  get busy(): boolean {
    return this.#holds > 0;
  }

  /** Milliseconds that a client is told to wait after the server closed its connection. */
  get retry(): number {
    return this.#host.retry;
  }

  /** The client is ready (`notifications/initialized`). */
  initialized(): void {
    this.#ready = true;
    if (!this.busy && !this.#closed) this.#host.idle(this);
  }

  /**
   * Begins a request of the client's; `cancel` is called at most once, when the client cancels it or the session ends.
   * False, and nothing done, where one with the same id still runs. Every request that was begun is to be finished.
   */
  begin(id: RequestId, cancel: () => void): boolean {
    this.#requests ??= new Map();
    if (this.#closed || this.#requests.has(id)) return false;
    this.#requests.set(id, cancel);
    this.#hold();
    return true;
  }

  /** The request has been answered, or will not be. */
  finish(id: RequestId): void {
    if (this.#requests?.delete(id)) this.#release();
  }

  /** The client cancels its request. Ids that are not those of a running request are ignored. */
  cancel(id: RequestId): void {
    const cancel = this.#requests?.get(id);
    if (cancel === undefined) return;
    this.#requests?.set(id, nothing);
    cancel();
  }

  /** A stream for the requests of one message; `connect` as for `Stream`. */
  stream(connect: (() => Sink) | undefined): Stream {
    return new Stream(++this.#lastStream, this, connect);
  }

  /** The stream for all that belongs to no request goes over `sink` from now on; its connection before is closed. */
  listen(sink: Sink): Stream {
    const stream = this.#standalone();
    stream.restart(sink);
    return stream;
  }

  /**
   * Goes on with the stream that the event `id` was sent on, behind that event. Undefined where the id was not made in
   * this session, or its stream is not kept any more.
   */
  resume(id: string, sink: Sink): Stream | undefined {
    const place = this.tag === undefined ? undefined : EventId.read(this.tag, id);
    if (place === undefined) return undefined;
    const stream = place.stream === 0 ? this.#changes : this.#streams?.get(place.stream);
    if (stream === undefined || !stream.has(place.event)) return undefined;
    stream.resume(sink, place.event);
    return stream;
  }

  /** Why this question cannot be put to the client on this stream now; undefined if it can. */
  cannotSay(stream: Stream, question: Question): string | undefined {
    return canSay(this.revision, question) ?? this.cannotAsk(stream);
  }

  /** Why nothing can be put to the client on this stream now; undefined if there is a way. */
  cannotAsk(stream: Stream): string | undefined {
    if (this.#closed) return "The session has ended";
    if (!this.#ready) return "The client has not sent notifications/initialized yet";
    return stream.reachable ? undefined : noStream;
  }

  /**
   * Puts a question to the client on the stream of the call that asks it, and gives the result that the client replies,
   * unread. An interruption withdraws the question.
   */
  ask(stream: Stream, question: Question): Effect.Effect<unknown, PeerFailure> {
    return Effect.suspend(() => {
      const reason = this.cannotSay(stream, question);
      return reason === undefined
        ? (this.#asks ??= new Asks()).put(this.revision, stream, question)
        : unreachable(reason);
    });
  }

  /** Takes the client's reply to a question. False where none with this id waits. */
  answer(response: Response): boolean {
    return this.#asks?.answer(response) ?? false;
  }

  /** Tells the client that what a URL was for is finished, if its revision has a word for it. */
  elicitationComplete(stream: Stream, interaction: string): void {
    const message = Notification.elicitationComplete(this.revision, interaction);
    if (message !== undefined) stream.write(message);
  }

  /** Tells the client of a change. False where there is no stream for it: changes are not kept for later. */
  change(change: Change): boolean {
    return this.#changes?.offer(Notification.change(change)) ?? false;
  }

  /** The resources whose changes the client wants to be told. */
  get subscriptions(): ReadonlySet<string> {
    return this.#subscriptions ?? nobody;
  }

  /** Adds to `subscriptions`. False where there are too many. */
  subscribe(uri: string): boolean {
    this.#subscriptions ??= new Set();
    if (this.#subscriptions.has(uri)) return true;
    if (this.#subscriptions.size >= this.#host.maxSubscriptions) return false;
    this.#subscriptions.add(uri);
    this.#watch?.subscribed();
    return true;
  }

  /** Removes from `subscriptions`. */
  unsubscribe(uri: string): void {
    if (this.#subscriptions?.delete(uri)) this.#watch?.subscribed();
  }

  /** Ends the session: its requests are cancelled, its questions will not be answered, its streams are closed. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const id of this.#requests?.keys() ?? []) this.cancel(id);
    this.#asks?.lose("The session has ended");
    for (const stream of this.#streams?.values() ?? []) stream.forget();
    this.#changes?.forget();
    this.#host.closed(this);
  }

  /** For its streams. */
  connected(stream: Stream): void {
    this.#hold();
    this.#host.streams?.delete(stream);
    this.#host.streams?.rest();
    if (stream === this.#changes) this.#watch ??= this.#host.watch(this);
    else (this.#streams ??= new Map()).set(stream.number, stream);
  }

  /** For its streams. */
  disconnected(stream: Stream): void {
    if (this.tag !== undefined && !this.#closed) this.#host.streams?.add(stream);
    this.#release();
  }

  /** For its streams. */
  forgotten(stream: Stream): void {
    this.#host.streams?.delete(stream);
    this.#host.streams?.rest();
    if (stream === this.#changes) {
      this.#watch?.close();
      this.#watch = undefined;
    }
    this.#streams?.delete(stream.number);
    this.#asks?.lose("The stream to the client is lost", stream);
  }

  /** For its streams. The oldest that have ended make room, and then what may be dropped. */
  stored(stream: Stream, characters: number): void {
    this.#stored += characters;
    if (this.#stored <= this.#host.maxStored) return;
    for (const other of this.#streams?.values() ?? []) {
      if (other !== stream && other.ended) other.forget();
      if (this.#stored <= this.#host.maxStored) return;
    }
    while (this.#stored > this.#host.maxStored && stream.dropOldest());
  }

  #standalone(): Stream {
    return this.#changes ??= new Stream(0, this, undefined);
  }

  #hold(): void {
    if (this.#holds++ === 0) this.#host.busy(this);
  }

  #release(): void {
    if (--this.#holds === 0 && !this.#closed) this.#host.idle(this);
  }
}
