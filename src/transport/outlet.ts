/** Where the messages of one request go, whatever carries them. */
import * as Cause from "effect/Cause";
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

/** What was not foreseen is for the log; the client learns that it happened. */
export const failed = (outlet: Outlet, cause: Cause.Cause<never>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.failCause(cause)
    : Effect.andThen(Effect.logError("A request failed", cause), Effect.sync(() => outlet.fault(internal())));
