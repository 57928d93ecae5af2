/** What a server does with a request of the modern era, whatever carried it. */
import * as Effect from "effect/Effect";
import * as Modern from "../era/modern.ts";
import { type Fault, isFault } from "../model/fault.ts";
import type { Notice } from "../model/notice.ts";
import type { Envelope, ListenRequest } from "../model/request.ts";
import { dispatch, listen as subscribe, type ReplyOperation } from "../server/dispatch.ts";
import type { Instance } from "../server/instance.ts";
import { reporter } from "../server/notify.ts";
import type { Outlet, SureOutlet } from "./outlet.ts";

/** Acts on requests that passed the checks of the envelope. */
export interface Actor {
  /**
   * Acts on a request and replies to it. A subscription ends when `over` does, or else when the catalog ends it. An
   * interruption ends everything without a reply.
   */
  readonly act: (decoded: Modern.Decoded, outlet: SureOutlet, over: Effect.Effect<void>) => Effect.Effect<void>;
}

const noticeText = ({ progressToken }: Envelope, notice: Notice): string | undefined => {
  if (notice._tag === "Log") return Modern.log(notice.log);
  return progressToken === undefined ? undefined : Modern.progress(progressToken, notice.progress);
};

/** Makes the actor of an instance. */
export const make = (instance: Instance): Actor => {
  const encoder = Modern.makeEncoder(instance.server.info);

  const reply = (outlet: Outlet, { envelope, retry }: Modern.Decoded, operation: ReplyOperation) => {
    const { notify } = reporter(envelope, (notice) => {
      const text = noticeText(envelope, notice);
      if (text !== undefined) outlet.send(text);
    });
    return Effect.map(dispatch(instance, envelope, operation, notify), (replied) => {
      if (isFault(replied)) outlet.fault(replied);
      else outlet.result(encoder.result(envelope.id, replied, retry));
    });
  };

  /** Acknowledges a subscription, and runs until it is over; a fault where it cannot begin. */
  const subscription = (outlet: SureOutlet, envelope: Envelope, operation: ListenRequest) =>
    Effect.callback<Fault | undefined>((resume) => {
      const over = (): void => resume(Effect.undefined);
      const running = subscribe(instance, envelope, operation, {
        change: (change) => {
          if (outlet.send(Modern.change(envelope.id, change)) || isFault(running)) return;
          // A client so far behind would miss changes: better that it knows, and begins anew
          running.close();
          over();
        },
        end: over,
      });
      if (isFault(running)) return resume(Effect.succeed(running));
      // Comes before all changes, so that it must not be dropped where they may be
      outlet.write(Modern.acknowledged(envelope.id, running.honoured));
      if (running.honoured.lists.length + running.honoured.uris.length > 0) return Effect.sync(running.close);
      running.close();
      return over();
    });

  const listen = (outlet: SureOutlet, envelope: Envelope, operation: ListenRequest, over: Effect.Effect<void>) =>
    Effect.map(
      Effect.raceFirst(subscription(outlet, envelope, operation), Effect.as(over, undefined)),
      (refused) => {
        if (refused !== undefined) outlet.fault(refused);
        else outlet.result(encoder.subscriptionEnd(envelope.id), Modern.cancelled(envelope.id));
      },
    );

  return {
    act: (decoded, outlet, over) => {
      const { envelope, operation } = decoded;
      return operation._tag === "Listen"
        ? listen(outlet, envelope, operation, over)
        : reply(outlet, decoded, operation);
    },
  };
};
