/** A call: one `tools/call`, `resources/read` or `prompts/get`, as a handler may see it. */
import type { ClientCapabilities } from "./capability.ts";
import type { Icon } from "./content.ts";
import type { JsonRecord } from "./json.ts";
import type { Principal } from "./principal.ts";

/** The two families of protocol revisions: 2026-07-28 and later, and all before. */
export type Era = "modern" | "legacy";

/** The id of a JSON-RPC request; its type is kept. */
export type RequestId = string | number;

/** Name and version of a piece of software that speaks the protocol. */
export interface Implementation {
  /** Identifies the software to machines. */
  readonly name: string;
  /** Its version, in whatever scheme it uses. */
  readonly version: string;
  /** Its name for people. */
  readonly title?: string;
  /** What it does. */
  readonly description?: string;
  /** Pictures that stand for it. */
  readonly icons?: ReadonlyArray<Icon>;
  /** Where to read more. */
  readonly websiteUrl?: string;
}

/** The methods whose handlers may ask. */
export type CallMethod = "tools/call" | "resources/read" | "prompts/get";

/** What is known of a call and of the client that made it. */
export interface CallInfo {
  /** What was called. */
  readonly method: CallMethod;
  /** Name of the tool or prompt, or URI of the resource. */
  readonly target: string;
  /** The arguments as the client sent them; empty for resources. */
  readonly arguments: JsonRecord;
  /** For logs. */
  readonly era: Era;
  /** The protocol revision that the request speaks, like `2026-07-28`. */
  readonly revision: string;
  /** The client, if it says who it is. */
  readonly client: Implementation | undefined;
  /** What the client declared, as it came. */
  readonly capabilities: ClientCapabilities;
  /** The request's `_meta` as it came. */
  readonly meta: JsonRecord;
  /** A header of the HTTP request by its name in any case; none on other transports. */
  readonly header: (name: string) => string | undefined;
  /** On whose behalf the call is made. */
  readonly principal: Principal;
}
