/** The conversation with a client of an older revision, over a channel of lines. There is one in the life of a process. */
import type * as Effect from "effect/Effect";
import * as Legacy from "../era/legacy.ts";
import type * as Message from "../era/message.ts";
import { alone, channel, peer, type Session, type Sink, type Stream } from "../era/session.ts";
import type { Fault } from "../model/fault.ts";
import type { Principal } from "../model/principal.ts";
import type { Actor } from "./legacy.ts";
import type { Outlet } from "./outlet.ts";
import type { StdioSettings } from "./stdio_options.ts";
import type { Writer } from "./stdio_writer.ts";

const nothing = (): void => {};

/** A conversation that `initialize` opened. */
export class Conversation {
  readonly revision: Legacy.Revision;
  readonly #actor: Actor;
  readonly #principal: Principal;
  readonly #session: Session;
  readonly #sink: Sink;
  /** All calls ask on the same stream, as there is one channel. */
  readonly #stream: Stream;

  constructor(conversation: Legacy.Conversation, actor: Actor, settings: StdioSettings, writer: Writer) {
    const { maxSubscriptions, principal } = settings;
    this.revision = conversation.revision;
    this.#actor = actor;
    this.#principal = principal;
    this.#session = alone(conversation, {
      watch: (session) => actor.watch(session, principal),
      ...(maxSubscriptions === undefined ? {} : { maxSubscriptions }),
    });
    this.#sink = channel((message, must) => must ? writer.write(message) : writer.offer(message));
    this.#stream = this.#session.stream(() => this.#sink);
  }

  /** Reads a request that claims no revision of its own. */
  decode(request: Message.RequestMessage): Legacy.Decoded | Fault {
    return Legacy.decode(request, this.#session, undefined, this.#principal);
  }

  /** Acts on a request. */
  act(decoded: Legacy.Decoded, outlet: Outlet): Effect.Effect<void> {
    return this.#actor.act(decoded, outlet, {
      revision: this.revision,
      session: this.#session,
      peer: (alive) => peer(this.#session, this.#stream, alive),
      keepAlive: nothing,
    });
  }

  /** The client is ready: it can be asked, and is told of changes. */
  initialized(): void {
    if (this.#session.ready || this.#session.closed) return;
    this.#session.initialized();
    this.#session.listen(this.#sink);
  }

  /** The client answers a question; what answers none is ignored. */
  answer(json: unknown): void {
    const response = Legacy.readResponse(json);
    if (response !== undefined) this.#session.answer(response);
  }

  /** The client answers nothing any more, and is told of nothing but the ends of its calls. */
  close(): void {
    this.#session.close();
  }
}
