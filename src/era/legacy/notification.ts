/** The text of notifications to clients of older revisions. */
import type { RequestId } from "../../model/call.ts";
import type { Change } from "../../model/change.ts";
import type { Progress } from "../../model/notice.ts";
import { progress as newestProgress } from "../modern/notification.ts";
import type { Revision } from "./revisions.ts";

export { log } from "../modern/notification.ts";

const text = (method: string, params?: object): string => JSON.stringify({ jsonrpc: "2.0", method, params });

/** How far a request is. */
export const progress = (revision: Revision, token: string | number, { message, progress, total }: Progress): string =>
  newestProgress(token, {
    progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined || !revision.progressMessage ? {} : { message }),
  });

/** A change of a list, or of a resource that the client subscribed to. */
export const change = (change: Change): string =>
  change._tag === "ListChanged"
    ? text(`notifications/${change.kind}/list_changed`)
    : text("notifications/resources/updated", { uri: change.uri });

/** A request of the server's own that needs no answer any more. */
export const cancelled = (requestId: RequestId, reason: string): string =>
  text("notifications/cancelled", { requestId, reason });

/** The user finished what a URL was for; undefined where the revision has no word for it. */
export const elicitationComplete = ({ elicitation }: Revision, elicitationId: string): string | undefined =>
  elicitation?.url ? text("notifications/elicitation/complete", { elicitationId }) : undefined;
