/** The sessions of a server: how they are found, and how they end. */
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Base64Url from "effect/encoding/Base64Url";
import { randomBytes } from "../../model/crypto.ts";
import { code, type Fault, invalidRequest, make as makeFault } from "../../model/fault.ts";
import type { Principal } from "../../model/principal.ts";
import { versionKey } from "../detect.ts";
import type { Conversation } from "../legacy/initialize.ts";
import { modern } from "../revision.ts";
import { Deadlines } from "./deadlines.ts";
import { type Host, Session, unwatched, type Watch } from "./session.ts";
import type { Stream } from "./stream.ts";

/** Bounds of sessions. */
export interface Options {
  /** How long a session lives that does nothing. Default 30 minutes. */
  readonly idle?: Duration.Input;
  /** Sessions at a time. Default 10,000. */
  readonly max?: number;
  /** How long a stream that lost its connection can be taken up again. Default 60 seconds. */
  readonly resumeWithin?: Duration.Input;
  /** How long a client is told to wait after the server closed its connection. Default 1 second. */
  readonly retry?: Duration.Input;
  /** Characters of sent messages that a session keeps for clients that come back. Default 1 Mi. */
  readonly maxStored?: number;
  /** Resources that a session may subscribe to. Default 1,000. */
  readonly maxSubscriptions?: number;
  /** Begins to tell a session of changes. Default: it is told of none. */
  readonly watch?: (session: Session) => Watch;
}

/** The sessions of a server. */
export interface Sessions {
  readonly size: number;
  /**
   * Begins a session on behalf of `principal`, with an id that nobody can guess. Where there are too many, the oldest
   * that the client never said to be ready for makes room, then the one that has been idle longest; 503 where all are busy.
   */
  readonly open: (conversation: Conversation, principal: Principal) => Effect.Effect<Session | Fault>;
  /** The session with this id: 400 without an id, 404 for one that has ended, never began or is somebody else's. */
  readonly find: (id: string | undefined, principal: Principal) => Session | Fault;
  /** Ends all sessions. */
  readonly shutdown: Effect.Effect<void>;
}

const missing: Fault = invalidRequest(
  "The header Mcp-Session-Id is missing: begin with initialize, or speak " +
    `${modern.join(", ")} and name it in the _meta of every request (${versionKey})`,
);
const unknown: Fault = invalidRequest("There is no such session: begin a new one with initialize", 404);

const full = (max: number): Fault =>
  makeFault(code.internal, `Too many sessions: the server holds ${max} at most, and all are busy`, 503);

const idBytes = 18;
const tagBytes = 6;

/** On whose behalf a session is; whoever else comes with its id does not get it. */
const ownerOf = ({ authenticated, subject }: Principal): string | undefined => authenticated ? subject : undefined;

interface Entry {
  readonly session: Session;
  readonly owner: string | undefined;
}

/** Makes an empty store. Its timers run with the current context, and only while there is something to end. */
export const make = (options: Options = {}): Effect.Effect<Sessions> =>
  Effect.map(Effect.context<never>(), (context) => {
    const { max = 10_000, maxStored = 1_048_576, maxSubscriptions = 1_000, watch = () => unwatched } = options;
    const millis = (input: Duration.Input): number => Duration.toMillis(Duration.fromInputUnsafe(input));
    const idle = millis(options.idle ?? "30 minutes");
    const entries = new Map<string, Entry>();
    const close = (session: Session): void => session.close();
    /** Sessions with nothing to do, by whether the client ever said that it is ready. */
    const fresh = new Deadlines(context, idle, close);
    const resting = new Deadlines(context, idle, close);
    const streams = new Deadlines<Stream>(
      context,
      millis(options.resumeWithin ?? "60 seconds"),
      (lost) => lost.forget(),
    );
    const leave = (session: Session): void => {
      fresh.delete(session);
      fresh.rest();
      resting.delete(session);
    };
    const rest = (session: Session): void => {
      leave(session);
      (session.ready ? resting : fresh).add(session);
    };
    const host: Host = {
      streams,
      retry: millis(options.retry ?? "1 second"),
      maxStored,
      maxSubscriptions,
      watch,
      busy: leave,
      idle: rest,
      closed: (session) => {
        leave(session);
        entries.delete(session.id);
        // Not whenever none is idle, which a single client that is busy now and then would pay for each time
        if (entries.size === 0) resting.rest();
      },
    };
    const makeRoom = (): boolean => {
      if (entries.size < max) return true;
      const victim = fresh.oldest() ?? resting.oldest();
      victim?.close();
      return victim !== undefined;
    };
    return {
      get size() {
        return entries.size;
      },
      open: (conversation, principal) =>
        Effect.map(randomBytes(idBytes + tagBytes), (bytes) => {
          if (!makeRoom()) return full(max);
          const id = Base64Url.encode(bytes.subarray(0, idBytes));
          const session = new Session(id, Base64Url.encode(bytes.subarray(idBytes)), conversation, host);
          entries.set(id, { session, owner: ownerOf(principal) });
          rest(session);
          return session;
        }),
      find: (id, principal) => {
        if (id === undefined || id === "") return missing;
        const entry = entries.get(id);
        if (entry === undefined || entry.owner !== ownerOf(principal)) return unknown;
        const { session } = entry;
        if (!session.busy) rest(session);
        return session;
      },
      shutdown: Effect.sync(() => {
        for (const { session } of [...entries.values()]) session.close();
      }),
    };
  });
