/** What a server does with a request in a conversation of an older revision, whatever carried it. */
import * as Effect from "effect/Effect";
import * as Legacy from "../era/legacy.ts";
import type { Session, Watch } from "../era/session.ts";
import type { RequestId } from "../model/call.ts";
import type { ChangeKind } from "../model/change.ts";
import { type Fault, internal, isFault, methodNotFound } from "../model/fault.ts";
import type { Notice } from "../model/notice.ts";
import type { Peer } from "../model/peer.ts";
import type { Principal } from "../model/principal.ts";
import type { Envelope, SessionOperation } from "../model/request.ts";
import type { Subscription } from "../server/catalog_service.ts";
import { discover, dispatch } from "../server/dispatch.ts";
import type { Instance } from "../server/instance.ts";
import { reporter } from "../server/notify.ts";
import type { Outlet } from "./outlet.ts";

/** The client that a request came from. */
export interface Caller {
  readonly revision: Legacy.Revision;
  /** Undefined where there are none: then there is nothing to set, and nothing to subscribe to. */
  readonly session: Session | undefined;
  /** The client as a call asks it; `alive` as in `Peer`. */
  readonly peer: (alive: () => void) => Peer;
  /** Shows a client that takes no progress that its call is alive. */
  readonly keepAlive: () => void;
}

/** Acts on requests that passed the checks of the envelope. */
export interface Actor {
  /** The response to `initialize`. */
  readonly open: (id: RequestId, conversation: Legacy.Conversation, session: boolean) => string;
  /** The response to a request that gives nothing. */
  readonly empty: (id: RequestId, revision: Legacy.Revision) => string;
  /** Acts on a request and replies to it. An interruption ends it without a reply. */
  readonly act: (decoded: Legacy.Decoded, outlet: Outlet, caller: Caller) => Effect.Effect<void>;
  /** Tells sessions of changes, as far as `principal` may know. */
  readonly watch: (session: Session, principal: Principal) => Watch;
}

const lists: ReadonlyArray<ChangeKind> = ["tools", "resources", "prompts"];

const tooMany: Fault = internal("Too many subscriptions in this session");

const noticeText = (revision: Legacy.Revision, { progressToken }: Envelope, notice: Notice): string | undefined => {
  if (notice._tag === "Log") return Legacy.log(notice.log);
  return progressToken === undefined ? undefined : Legacy.progress(revision, progressToken, notice.progress);
};

/** Makes the actor of an instance. */
export const make = (instance: Instance): Actor => {
  const { catalog, server } = instance;
  const encoders = new Map(
    Legacy.revisions.map((revision) => [revision, Legacy.makeEncoder(server.info, revision)]),
  );
  const encoderOf = (revision: Legacy.Revision): Legacy.Encoder => encoders.get(revision)!;

  /** What is wrong with a request about the conversation; otherwise it is done. */
  const settle = (session: Session | undefined, envelope: Envelope, operation: SessionOperation): Fault | undefined => {
    if (operation._tag === "Ping") return undefined;
    if (session === undefined) return methodNotFound(envelope.method);
    if (operation._tag === "SetLevel") {
      session.level = operation.level;
      return undefined;
    }
    if (!catalog.served().resources) return methodNotFound(envelope.method);
    const { uri } = operation;
    if (operation._tag === "Unsubscribe") {
      session.unsubscribe(uri);
      return undefined;
    }
    if (catalog.resource(uri, envelope.principal) === undefined) return Legacy.resourceNotFound(uri);
    return session.subscribe(uri) ? undefined : tooMany;
  };

  const reply = (
    { envelope, operation }: Legacy.Decoded & { readonly operation: Legacy.Asked },
    outlet: Outlet,
    { keepAlive, peer, revision }: Caller,
  ): Effect.Effect<void> => {
    const { alive, notify } = reporter(envelope, (notice) => {
      const text = noticeText(revision, envelope, notice);
      if (text !== undefined) outlet.send(text);
    });
    const asked = peer(() => {
      if (!alive()) keepAlive();
    });
    const { id, method } = envelope;
    return Effect.map(
      dispatch(instance, envelope, operation, notify, asked),
      (replied) => outlet.result(encoderOf(revision).reply(id, method, replied)),
    );
  };

  return {
    open: (id, conversation, session) => encoderOf(conversation.revision).initialize(id, discover(instance), session),
    empty: (id, revision) => encoderOf(revision).empty(id),
    act: (decoded, outlet, caller) => {
      const { envelope, operation } = decoded;
      const { id, method } = envelope;
      switch (operation._tag) {
        case "Ping":
        case "SetLevel":
        case "Subscribe":
        case "Unsubscribe":
          return Effect.sync(() => {
            const refused = settle(caller.session, envelope, operation);
            const encoder = encoderOf(caller.revision);
            outlet.result(refused === undefined ? encoder.empty(id) : encoder.reply(id, method, refused));
          });
        default:
          return reply({ ...decoded, operation }, outlet, caller);
      }
    },
    watch: (session, principal) => {
      const sink = { change: (change: Parameters<Session["change"]>[0]) => void session.change(change), end: () => {} };
      const close = (subscription: Subscription | Fault | undefined): void => {
        if (subscription !== undefined && !isFault(subscription)) subscription.close();
      };
      // Apart from each other: a list's change that waits to be told is not lost when the resources are others
      const changes = catalog.listen({ lists, uris: [] }, principal, sink, false);
      let updates: Subscription | Fault | undefined;
      const subscribed = (): void => {
        close(updates);
        const uris = [...session.subscriptions];
        updates = uris.length === 0 ? undefined : catalog.listen({ lists: [], uris }, principal, sink, false);
      };
      subscribed();
      return {
        subscribed,
        close: () => {
          close(changes);
          close(updates);
        },
      };
    },
  };
};
