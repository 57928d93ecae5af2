/** The JSON-RPC envelope that all revisions share. */
import type { RequestId } from "../model/call.ts";
import { type Fault, invalidRequest } from "../model/fault.ts";
import { isRecord, type JsonRecord, own } from "../model/json.ts";

/** A request. */
export interface RequestMessage {
  readonly _tag: "Request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonRecord;
}

/** A notification. */
export interface NotificationMessage {
  readonly _tag: "Notification";
  readonly method: string;
  readonly params: JsonRecord;
}

/** The answer to a request of the server's. */
export interface ResponseMessage {
  readonly _tag: "Response";
}

/** Several messages in one. */
export interface Batch {
  readonly _tag: "Batch";
  readonly items: ReadonlyArray<unknown>;
}

/** JSON that is no message. `id` is there if it could be read. */
export interface Malformed {
  readonly _tag: "Malformed";
  readonly id: RequestId | undefined;
  readonly fault: Fault;
}

/** What a piece of JSON is. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage | Batch | Malformed;

/** Whether `id` may name a request: a string or an integer that a double holds exactly, so that it comes back the same. */
export const isRequestId = (id: unknown): id is RequestId => typeof id === "string" || Number.isSafeInteger(id);

const malformed = (reason: string, id?: unknown): Malformed => ({
  _tag: "Malformed",
  id: isRequestId(id) ? id : undefined,
  fault: invalidRequest(reason),
});

/** Reads the envelope of a message (2026-07-28, basic, "Messages"). */
export const read = (json: unknown): Message => {
  if (Array.isArray(json)) return { _tag: "Batch", items: json };
  if (!isRecord(json)) return malformed("A message is a JSON object");
  const id = own(json, "id");
  if (own(json, "jsonrpc") !== "2.0") return malformed('The member "jsonrpc" must be "2.0"', id);
  if (!Object.hasOwn(json, "method")) {
    if (Object.hasOwn(json, "result") || Object.hasOwn(json, "error")) return { _tag: "Response" };
    return malformed('The member "method" is missing', id);
  }
  const method = json["method"];
  if (typeof method !== "string") return malformed('The member "method" must be a string', id);
  const params = own(json, "params") ?? (Object.hasOwn(json, "params") ? null : {});
  if (!isRecord(params)) return malformed('The member "params" must be an object', id);
  if (!Object.hasOwn(json, "id")) return { _tag: "Notification", method, params };
  if (!isRequestId(id)) return malformed('The member "id" must be a string or an integer');
  return { _tag: "Request", id, method, params };
};
