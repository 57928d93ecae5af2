/** The one session of a connection that carries everything, as stdio does. */
import type { Conversation } from "../legacy/initialize.ts";
import { Session, unwatched, type Watch } from "./session.ts";
import type { Sink } from "./stream.ts";

/** How such a session is run. */
export interface AloneOptions {
  /** Resources that it may subscribe to. Default 1,000. */
  readonly maxSubscriptions?: number;
  /** Begins to tell it of changes. Default: it is told of none. */
  readonly watch?: (session: Session) => Watch;
}

const nothing = (): void => {};

/** A connection that carries all streams, and that none of them closes: `session.stream(() => sink)`, `session.listen(sink)`. */
export const channel = (send: (message: string, must: boolean) => boolean): Sink => ({
  send: (message, _, must) => send(message, must),
  prime: nothing,
  retry: nothing,
  keepAlive: nothing,
  close: nothing,
});

/** A session that lives until it is closed: it has no id, is never idle, and its streams cannot be taken up again. */
export const alone = (
  conversation: Conversation,
  { maxSubscriptions = 1_000, watch = () => unwatched }: AloneOptions = {},
): Session =>
  new Session("", "", conversation, {
    streams: undefined,
    retry: 0,
    maxStored: 0,
    maxSubscriptions,
    watch,
    busy: nothing,
    idle: nothing,
    closed: nothing,
  });
