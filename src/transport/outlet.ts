/** Where the messages of one request go, whatever carries them. */
import type * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import { code, type Fault, internal, make } from "../model/fault.ts";

/** The way back to the client, for one request. Nothing is written once the reply was, or the client has left. */
export interface Outlet {
  /** Sends a message before the reply. False if it was dropped. */
  readonly send: (message: string) => boolean;
  /** The reply: the text of a result. `after` are messages that follow it where they can. */
  readonly result: (text: string, ...after: ReadonlyArray<string>) => void;
  /** The reply: a fault. */
  readonly fault: (fault: Fault) => void;
}

/** The way back for a request that may have a message which its client must get before the reply. */
export interface SureOutlet extends Outlet {
  /** Sends a message before the reply, however far behind the client is. */
  readonly write: (message: string) => void;
}

/** What clients are told that come, or still wait, while the server stops. */
export const stopped: Fault = make(code.internal, "The server is stopping", 503);

/**
 * What was not foreseen is for the log; the client learns that it happened, by `fault`. An interruption is no exception:
 * one that we ask for ends the fiber, and nothing in it catches that, so that what comes here is the author's.
 */
export const failed = (
  outlet: Pick<Outlet, "fault">,
  cause: Cause.Cause<never>,
  fault: Fault = internal(),
): Effect.Effect<void> =>
  Effect.andThen(Effect.logError("A request failed", cause), Effect.sync(() => outlet.fault(fault)));
