/** What else a client sends: notifications, answers to requests of the server's own, and several messages at once. */
import { type Fault, invalidRequest, isFault } from "../../model/fault.ts";
import { isRecord, type JsonRecord, own } from "../../model/json.ts";
import type { RequestId } from "../../model/call.ts";
import { versionKey } from "../detect.ts";
import { isRequestId, type Message, type NotificationMessage, read } from "../message.ts";
import type { Revision } from "./revisions.ts";

/** A notification that something follows from. */
export type Notification =
  | { readonly _tag: "Initialized" }
  | { readonly _tag: "Cancelled"; readonly requestId: RequestId };

/** Reads a notification; undefined for one that is malformed, unknown, or of no consequence here. */
export const readNotification = ({ method, params }: NotificationMessage): Notification | undefined => {
  if (method === "notifications/initialized") return { _tag: "Initialized" };
  if (method !== "notifications/cancelled") return undefined;
  const requestId = own(params, "requestId");
  return isRequestId(requestId) ? { _tag: "Cancelled", requestId } : undefined;
};

/** What a client sent in answer to a request of the server's own. */
export type Reply =
  /** Whatever JSON it holds. */
  | { readonly _tag: "Result"; readonly result: unknown }
  | { readonly _tag: "Error"; readonly code: number; readonly message: string };

/** A reply, and the request that it is to. */
export interface Response {
  readonly id: RequestId;
  readonly reply: Reply;
}

const readError = (error: unknown): Reply => {
  const code = isRecord(error) ? own(error, "code") : undefined;
  const message = isRecord(error) ? own(error, "message") : undefined;
  return {
    _tag: "Error",
    code: typeof code === "number" ? code : 0,
    message: typeof message === "string" ? message : "",
  };
};

/** Reads the JSON of a message that is a response; undefined where it does not say what it answers. */
export const readResponse = (json: unknown): Response | undefined => {
  if (!isRecord(json)) return undefined;
  const id = own(json, "id");
  if (!isRequestId(id)) return undefined;
  return Object.hasOwn(json, "error")
    ? { id, reply: readError(json["error"]) }
    : { id, reply: { _tag: "Result", result: own(json, "result") } };
};

/** Messages that one array may hold. */
const maxBatch = 1_000;

/** One message of several, with the JSON that it was read from. */
export interface Item {
  readonly json: unknown;
  readonly message: Exclude<Message, { readonly _tag: "Batch" }>;
}

const isModern = (params: JsonRecord): boolean => {
  const meta = own(params, "_meta");
  return isRecord(meta) && Object.hasOwn(meta, versionKey);
};

const readItem = (json: unknown): Item | Fault => {
  const message = read(json);
  if (message._tag === "Batch") {
    return { json, message: { _tag: "Malformed", id: undefined, fault: invalidRequest("A message is a JSON object") } };
  }
  if (message._tag === "Response" || message._tag === "Malformed") return { json, message };
  if (isModern(message.params)) return invalidRequest("A message of 2026-07-28 or later cannot be part of a batch");
  if (message.method === "initialize") return invalidRequest("initialize cannot be part of a batch");
  return { json, message };
};

/**
 * Reads several messages in one array, in a session of `revision` (undefined: outside of one). Only 2025-03-26 has them; a
 * malformed one among others is answered with an error of its own (2025-03-26, basic, "Batching").
 */
export const readBatch = (
  items: ReadonlyArray<unknown>,
  revision: Revision | undefined,
): ReadonlyArray<Item> | Fault => {
  if (!revision?.batches) return invalidRequest("Send one message at a time: there are no batches");
  if (items.length === 0) return invalidRequest("A batch must have messages");
  if (items.length > maxBatch) return invalidRequest(`A batch must not have more than ${maxBatch} messages`);
  const all: Array<Item> = [];
  for (const json of items) {
    const item = readItem(json);
    if (isFault(item)) return item;
    all.push(item);
  }
  return all;
};

/** The texts of several messages as one; undefined for none. */
export const joinBatch = (texts: ReadonlyArray<string>): string | undefined =>
  texts.length === 0 ? undefined : `[${texts.join(",")}]`;
