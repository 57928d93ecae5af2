/** What is done with messages of older revisions that come over HTTP. */
import * as Effect from "effect/Effect";
import * as Detect from "../era/detect.ts";
import * as Legacy from "../era/legacy.ts";
import type * as Message from "../era/message.ts";
import { alone, type Session, unreachable } from "../era/session.ts";
import { type Fault, invalidRequest, isFault } from "../model/fault.ts";
import type { Principal } from "../model/principal.ts";
import type { HeaderReader } from "../model/request.ts";
import type { Exchange } from "./exchange.ts";
import type { Actor } from "./legacy.ts";
import { Reply } from "./legacy_reply.ts";

/** What came besides the message. */
export interface Sent {
  readonly header: HeaderReader;
  readonly principal: Principal;
  readonly exchange: Exchange;
}

/** What is done with messages, by kind. Each is replied to. */
export interface Messages {
  readonly request: (message: Message.RequestMessage, sent: Sent) => Effect.Effect<void>;
  readonly notification: (message: Message.NotificationMessage, sent: Sent) => Effect.Effect<void>;
  /** `json` is the whole response. */
  readonly response: (json: unknown, sent: Sent) => Effect.Effect<void>;
  readonly batch: (items: ReadonlyArray<unknown>, sent: Sent) => Effect.Effect<void>;
}

const nothingAsked: Fault = invalidRequest("The server asks nothing that could be answered by a response");

const noSessions =
  "This server keeps no sessions, so that clients of revisions before 2026-07-28 cannot be asked anything: " +
  "use a client of 2026-07-28, or let the server keep sessions";

const nothing = (): void => {};

/** Replies that there is nothing to say. */
export const accept = (exchange: Exchange): void =>
  exchange.respond({ status: 202, headers: exchange.headers.empty, body: undefined });

/** Replies that a message is refused, in the words of `revision` where that is known. */
export const refuse = (exchange: Exchange, fault: Fault, revision?: Legacy.Revision): void =>
  exchange.respond({
    status: Legacy.status(fault),
    headers: fault.status === 503 ? { ...exchange.headers.json, "retry-after": "1" } : exchange.headers.json,
    body: Legacy.fault(revision, exchange.id, fault),
  });

/** Where nobody is served: what a modern client does not send either. */
export const off: Messages = {
  request: (_, { exchange }) => Effect.sync(() => exchange.fault(Detect.modernOnly)),
  notification: (_, { exchange }) => Effect.sync(() => accept(exchange)),
  response: (_, { exchange }) => Effect.sync(() => exchange.fault(nothingAsked)),
  batch: (items, { exchange }) =>
    Effect.sync(() => {
      const refused = Legacy.readBatch(items, undefined);
      if (isFault(refused)) exchange.fault(refused);
    }),
};

/** Acts on `initialize`: `begin` gives the session, if there is to be one. */
export const open = (
  actor: Actor,
  message: Message.RequestMessage,
  { exchange, header }: Sent,
  begin: (conversation: Legacy.Conversation) => Effect.Effect<Session | Fault | undefined>,
): Effect.Effect<void> => {
  const conversation = Legacy.open(message, header("mcp-protocol-version"), "http");
  if (isFault(conversation)) return Effect.sync(() => refuse(exchange, conversation));
  return Effect.map(begin(conversation), (session) => {
    if (isFault(session)) return refuse(exchange, session);
    if (session !== undefined) exchange.add({ "mcp-session-id": session.id });
    exchange.result(actor.open(message.id, conversation, session !== undefined));
  });
};

/** Every request stands alone: who sent it is not known, and there is no way to ask. */
export const stateless = (actor: Actor): Messages => ({
  ...off,
  request: (message, sent) => {
    const { exchange, header, principal } = sent;
    if (message.method === "initialize") return open(actor, message, sent, () => Effect.undefined);
    const conversation = Legacy.stateless(header("mcp-protocol-version"));
    const decoded = Legacy.decode(message, conversation, header, principal);
    if (isFault(decoded)) return Effect.sync(() => refuse(exchange, decoded));
    return actor.act(decoded, new Reply(alone(conversation), exchange, message.id), {
      revision: conversation.revision,
      session: undefined,
      peer: () => unreachable(noSessions),
      keepAlive: nothing,
    });
  },
});
