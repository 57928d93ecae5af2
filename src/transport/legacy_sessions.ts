/** The sessions of an endpoint, found by the headers of requests. */
import * as Effect from "effect/Effect";
import * as Legacy from "../era/legacy.ts";
import { make as makeSessions, type Session, type Sessions, type Sink, type Stream } from "../era/session.ts";
import { type Fault, invalidRequest, isFault } from "../model/fault.ts";
import { anonymous, type Principal } from "../model/principal.ts";
import type { HeaderReader } from "../model/request.ts";
import type { Instance } from "../server/instance.ts";
import type { Actor } from "./legacy.ts";
import type { LegacySettings } from "./legacy_options.ts";

/** Sessions over HTTP. */
export interface HttpSessions extends Pick<Sessions, "open" | "shutdown" | "size"> {
  /** The session that the headers of a request name, in the revision that they name. */
  readonly find: (header: HeaderReader, principal: Principal) => Session | Fault;
  /** Begins to write to `sink`: what belongs to no request or, where the headers say so, what a lost stream still holds. */
  readonly listen: (session: Session, header: HeaderReader, principal: Principal, sink: Sink) => Stream | Fault;
}

const gone: Fault = invalidRequest("The stream of Last-Event-ID is not one that can be taken up again");

/** Makes the sessions of an endpoint: there are none yet. */
export const make = (instance: Instance, actor: Actor, settings: LegacySettings["sessions"]): HttpSessions => {
  /** On whose behalf the streams for changes were opened. */
  const listeners = new WeakMap<Session, Principal>();
  const sessions = Effect.runSyncWith(instance.context)(makeSessions({
    ...settings,
    watch: (session) => actor.watch(session, listeners.get(session) ?? anonymous),
  }));
  return {
    get size() {
      return sessions.size;
    },
    open: sessions.open,
    shutdown: sessions.shutdown,
    find: (header, principal) => {
      const session = sessions.find(header("mcp-session-id"), principal);
      if (isFault(session)) return session;
      return Legacy.checkHeader(session.revision, header("mcp-protocol-version")) ?? session;
    },
    listen: (session, header, principal, sink) => {
      listeners.set(session, principal);
      const behind = session.tag === undefined ? undefined : header("last-event-id");
      return behind === undefined || behind === "" ? session.listen(sink) : session.resume(behind, sink) ?? gone;
    },
  };
};
