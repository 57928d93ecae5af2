/** The text of modern notifications. */
import * as Result from "effect/Result";
import type { RequestId } from "../../model/call.ts";
import type { Change, ChangeKind, Filter } from "../../model/change.ts";
import type { LogMessage, Progress } from "../../model/notice.ts";

const text = (method: string, params: object): string => JSON.stringify({ jsonrpc: "2.0", method, params });

/** How far a request is. */
export const progress = (progressToken: string | number, { message, progress, total }: Progress): string =>
  text("notifications/progress", { progressToken, progress, total, message });

const unwritable = "The data of this message cannot be written as JSON";

/** A log message. Its data may be anything: what JSON cannot say is replaced. */
export const log = ({ data, level, logger }: LogMessage): string => {
  const written = Result.getOrElse(Result.try(() => JSON.stringify(data)), () => undefined);
  const message = { level, logger, data: data === undefined ? null : written === undefined ? unwritable : data };
  return text("notifications/message", message);
};

const subscriptionId = (id: RequestId) => ({ "io.modelcontextprotocol/subscriptionId": id });

const listMember = {
  tools: "toolsListChanged",
  resources: "resourcesListChanged",
  prompts: "promptsListChanged",
} as const satisfies { readonly [K in ChangeKind]: string };

/** The first message of a subscription: what of it is honoured. */
export const acknowledged = (id: RequestId, { lists, uris }: Filter): string =>
  text("notifications/subscriptions/acknowledged", {
    _meta: subscriptionId(id),
    notifications: {
      ...Object.fromEntries(lists.map((kind) => [listMember[kind], true])),
      ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
    },
  });

/** A change that a subscription is told of. */
export const change = (id: RequestId, change: Change): string =>
  change._tag === "ListChanged"
    ? text(`notifications/${change.kind}/list_changed`, { _meta: subscriptionId(id) })
    : text("notifications/resources/updated", { _meta: subscriptionId(id), uri: change.uri });

/** The end of a subscription by the server (2026-07-28, cancellation). */
export const cancelled = (id: RequestId): string =>
  text("notifications/cancelled", {
    _meta: subscriptionId(id),
    requestId: id,
    reason: "The server ends the subscription",
  });
