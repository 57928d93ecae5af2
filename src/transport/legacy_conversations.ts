/** Messages of older revisions over HTTP, in sessions. */
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Legacy from "../era/legacy.ts";
import type * as Message from "../era/message.ts";
import { peer, type Session } from "../era/session.ts";
import type { RequestId } from "../model/call.ts";
import { type Fault, invalidRequest, isFault } from "../model/fault.ts";
import type { Actor } from "./legacy.ts";
import { BatchReply } from "./legacy_batch.ts";
import { accept, type Messages, off, open, refuse, type Sent } from "./legacy_messages.ts";
import { Reply } from "./legacy_reply.ts";
import type { HttpSessions } from "./legacy_sessions.ts";
import { failed, type Outlet } from "./outlet.ts";

const nothing = (): void => {};

const inFlight = (id: RequestId): Fault =>
  invalidRequest(`A request with the id ${JSON.stringify(id)} is in flight already`);

/** Acts on a request until it is answered, or the client cancels it, or the session ends: then it is interrupted. */
const act = (
  actor: Actor,
  session: Session,
  reply: Reply,
  outlet: Outlet,
  decoded: Legacy.Decoded,
): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const { id } = decoded.envelope;
    if (!session.begin(id, () => fiber.interruptUnsafe())) return Effect.sync(() => outlet.fault(inFlight(id)));
    const acted = actor.act(decoded, outlet, {
      revision: session.revision,
      session,
      peer: (alive) => peer(session, reply.stream, alive),
      keepAlive: nothing,
    });
    const replied = Effect.catchCause(acted, (cause) => failed(outlet, cause));
    return Effect.ensuring(replied, Effect.sync(() => session.finish(id)));
  });

/** Requests belong to sessions that `initialize` begins. */
export const inSessions = (actor: Actor, sessions: HttpSessions): Messages => {
  const within = (
    { exchange, header, principal }: Sent,
    next: (session: Session) => Effect.Effect<void>,
  ): Effect.Effect<void> => {
    const session = sessions.find(header, principal);
    return isFault(session) ? Effect.sync(() => refuse(exchange, session)) : next(session);
  };

  const notify = (session: Session, message: Message.NotificationMessage): void => {
    const notification = Legacy.readNotification(message);
    if (notification?._tag === "Initialized") session.initialized();
    else if (notification?._tag === "Cancelled") session.cancel(notification.requestId);
  };

  const answer = (session: Session, json: unknown): void => {
    const response = Legacy.readResponse(json);
    if (response !== undefined) session.answer(response);
  };

  /** Acts on one of several messages; undefined where there is nothing to wait for. */
  const part = (session: Session, batch: BatchReply, { json, message }: Legacy.Item, { header, principal }: Sent) => {
    switch (message._tag) {
      case "Notification":
        return void notify(session, message);
      case "Response":
        return void answer(session, json);
      case "Malformed":
        return batch.outlet(session.revision, message.id).fault(message.fault);
      case "Request": {
        const outlet = batch.outlet(session.revision, message.id);
        const decoded = Legacy.decode(message, session, header, principal);
        if (isFault(decoded)) return outlet.fault(decoded);
        return act(actor, session, batch.reply, outlet, decoded);
      }
    }
  };

  const batched = (session: Session, items: ReadonlyArray<Legacy.Item>, sent: Sent): Effect.Effect<void> => {
    const batch = new BatchReply(new Reply(session, sent.exchange));
    const acted = items.map((item) => part(session, batch, item, sent)).filter((effect) => effect !== undefined);
    if (batch.empty) return Effect.sync(() => accept(sent.exchange));
    // Each on a fiber of its own: to cancel one is not to cancel the others
    const begun = Effect.forEach(acted, (effect) => Effect.forkChild(effect));
    return Effect.map(Effect.flatMap(begun, Fiber.awaitAll), () => batch.end());
  };

  return {
    request: (message, sent) => {
      const { exchange, header, principal } = sent;
      if (message.method === "initialize") {
        return open(actor, message, sent, (conversation) => sessions.open(conversation, principal));
      }
      return within(sent, (session) => {
        const decoded = Legacy.decode(message, session, header, principal);
        if (isFault(decoded)) return Effect.sync(() => refuse(exchange, decoded, session.revision));
        const reply = new Reply(session, exchange, message.id);
        return Effect.onInterrupt(
          act(actor, session, reply, reply, decoded),
          () => Effect.sync(() => reply.abandon()),
        );
      });
    },
    notification: (message, sent) =>
      sent.header("mcp-session-id") === undefined
        ? off.notification(message, sent)
        : within(sent, (session) =>
          Effect.sync(() => {
            notify(session, message);
            accept(sent.exchange);
          })),
    response: (json, sent) =>
      within(sent, (session) =>
        Effect.sync(() => {
          answer(session, json);
          accept(sent.exchange);
        })),
    batch: (items, sent) =>
      sent.header("mcp-session-id") === undefined ? off.batch(items, sent) : within(sent, (session) => {
        const read = Legacy.readBatch(items, session.revision);
        if (isFault(read)) return Effect.sync(() => refuse(sent.exchange, read, session.revision));
        return batched(session, read, sent);
      }),
  };
};
