/** Neutral requests: what an era made of a message, before the server acts on it. */
import type { CallMethod, Era, Implementation, RequestId } from "./call.ts";
import type { ClientCapabilities } from "./capability.ts";
import type { JsonRecord } from "./json.ts";
import type { LogLevel } from "./notice.ts";
import type { Principal } from "./principal.ts";

/** Reads a header of the HTTP request by its lower-case name; gives undefined on other transports. */
export type HeaderReader = (name: string) => string | undefined;

/** What every request carries. */
export interface Envelope {
  readonly id: RequestId;
  readonly method: string;
  readonly era: Era;
  readonly revision: string;
  readonly client: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
  readonly meta: JsonRecord;
  readonly progressToken: string | number | undefined;
  /** Lowest level that the client wants; undefined: it wants no log messages. */
  readonly logLevel: LogLevel | undefined;
  /** Undefined where there are no headers to check: in-process and stdio. */
  readonly header: HeaderReader | undefined;
  readonly principal: Principal;
}

/** What the four lists list. */
export type ListKind = "tools" | "resources" | "templates" | "prompts";

/** `server/discover`. */
export interface DiscoverRequest {
  readonly _tag: "Discover";
}

/** `tools/list`, `resources/list`, `resources/templates/list`, `prompts/list`. */
export interface ListRequest {
  readonly _tag: "List";
  readonly kind: ListKind;
  readonly cursor: unknown;
}

/** `tools/call`, `resources/read`, `prompts/get`. Members are as they came; the server checks them. */
export interface CallRequest {
  readonly _tag: "Call";
  readonly method: CallMethod;
  /** `name` or `uri`. */
  readonly target: unknown;
  readonly arguments: unknown;
  /** Undefined where the request has no such member. */
  readonly inputResponses: unknown;
  /** Undefined where the request has no such member; `null` is one. */
  readonly requestState: unknown;
}

/** `completion/complete`. */
export interface CompleteRequest {
  readonly _tag: "Complete";
  readonly ref: unknown;
  readonly argument: unknown;
  readonly context: unknown;
}

/** `subscriptions/listen`. */
export interface ListenRequest {
  readonly _tag: "Listen";
  readonly notifications: unknown;
}

/** A request, without its envelope. */
export type Operation = DiscoverRequest | ListRequest | CallRequest | CompleteRequest | ListenRequest;

/** `ping`: whether anybody is there. */
export interface PingRequest {
  readonly _tag: "Ping";
}

/** `logging/setLevel`: the lowest level of which the client wants to be told from now on. */
export interface SetLevelRequest {
  readonly _tag: "SetLevel";
  readonly level: LogLevel;
}

/** `resources/subscribe`. */
export interface SubscribeRequest {
  readonly _tag: "Subscribe";
  readonly uri: string;
}

/** `resources/unsubscribe`. */
export interface UnsubscribeRequest {
  readonly _tag: "Unsubscribe";
  readonly uri: string;
}

/** A request about the conversation itself. Only revisions that have conversations have them. */
export type SessionOperation = PingRequest | SetLevelRequest | SubscribeRequest | UnsubscribeRequest;
