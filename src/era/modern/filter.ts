/** What a client asks `subscriptions/listen` for (2026-07-28, subscriptions, "Notification Filter"). */
import type { ChangeKind, Filter } from "../../model/change.ts";
import { type Fault, invalidParams } from "../../model/fault.ts";
import { isRecord, own } from "../../model/json.ts";

const members: ReadonlyArray<readonly [name: string, kind: ChangeKind]> = [
  ["toolsListChanged", "tools"],
  ["promptsListChanged", "prompts"],
  ["resourcesListChanged", "resources"],
];

const isStrings = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** Reads `params.notifications`; members that are not known are ignored. */
export const read = (notifications: unknown): Filter | Fault => {
  if (!isRecord(notifications)) return invalidParams("params.notifications must be an object");
  const lists: Array<ChangeKind> = [];
  for (const [name, kind] of members) {
    const wanted = own(notifications, name) ?? false;
    if (typeof wanted !== "boolean") return invalidParams(`params.notifications.${name} must be a boolean`);
    if (wanted) lists.push(kind);
  }
  const uris = own(notifications, "resourceSubscriptions") ?? [];
  if (!isStrings(uris)) return invalidParams("params.notifications.resourceSubscriptions must be a list of strings");
  return { lists, uris: [...new Set(uris)] };
};
