/** The client of a session as the calls of that client see it. */
import * as Effect from "effect/Effect";
import { supports } from "../../model/capability.ts";
import type { Peer } from "../../model/peer.ts";
import type { Session } from "./session.ts";
import type { Stream } from "./stream.ts";

/** The client for a call whose stream is `stream`; `alive` as in `Peer`. */
export const peer = (session: Session, stream: Stream, alive: () => void): Peer => ({
  supports: (capability) => supports(session.capabilities, capability) && session.cannotAsk(stream) === undefined,
  cannotSay: (question) => session.cannotSay(stream, question),
  ask: (question) => session.ask(stream, question),
  complete: (interaction) => session.elicitationComplete(stream, interaction),
  alive,
  disconnect: Effect.sync(() => stream.disconnect()),
});

/** A client that cannot be asked anything, as there is no way to it, for `reason`. */
export const unreachable = (reason: string): Peer => ({
  supports: () => false,
  cannotSay: () => reason,
  ask: () => Effect.fail({ _tag: "Unreachable", reason }),
  complete: () => {},
  alive: () => {},
  disconnect: Effect.void,
});
