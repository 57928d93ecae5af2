/** Who the scripted client is, and what it can be asked for. */
import { type Capability, type ClientCapabilities, required } from "../model/capability.ts";
import type { Implementation } from "../model/call.ts";
import type { JsonRecord } from "../model/json.ts";
import type { LogLevel } from "../model/notice.ts";
import type { Answer } from "./answer.ts";

/** What may differ from request to request. */
export interface RequestOptions {
  /** Names of capabilities, or the object as it goes over the wire. Default: everything that can be asked. */
  readonly capabilities?: ReadonlyArray<Capability> | ClientCapabilities;
  /** HTTP headers besides those of the protocol; they win over them. */
  readonly headers?: { readonly [name: string]: string };
  /** Members of `_meta` besides those of the protocol; they win over them. */
  readonly meta?: JsonRecord;
  /** The lowest level of log messages to be sent; `none` asks for none. Default `debug`. */
  readonly logLevel?: LogLevel | "none";
}

/** What may be set for one call. */
export interface CallOptions extends RequestOptions {
  /** Answers to questions that nobody has asked yet: they go out with the first request. */
  readonly volunteered?: { readonly [key: string]: Answer };
  /** Retries after which a call is given up. Default 10, as in the official client. */
  readonly maxRetries?: number;
}

/** Who the client is. */
export interface Identity extends CallOptions {
  /** What it says about itself. */
  readonly client?: Implementation;
  /** Default `2026-07-28`. */
  readonly revision?: string;
}

const everything: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

const declared = (capabilities: RequestOptions["capabilities"]): ClientCapabilities => {
  if (capabilities === undefined) return everything;
  return isNames(capabilities) ? required(capabilities) : capabilities;
};

const isNames = (value: ReadonlyArray<Capability> | ClientCapabilities): value is ReadonlyArray<Capability> =>
  Array.isArray(value);

/** The newest revision. */
export const newest = "2026-07-28";

/** The `_meta` of a request. */
export const meta = (identity: Identity, id: number): JsonRecord => ({
  "io.modelcontextprotocol/protocolVersion": identity.revision ?? newest,
  "io.modelcontextprotocol/clientInfo": identity.client ?? { name: "needful-testing", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": declared(identity.capabilities),
  ...(identity.logLevel === "none" ? {} : { "io.modelcontextprotocol/logLevel": identity.logLevel ?? "debug" }),
  progressToken: id,
  ...identity.meta,
});

/** The options of `over` on top of those of `base`; headers and `_meta` are merged. */
export const merge = <A extends RequestOptions, B extends RequestOptions>(base: A, over: B | undefined): A & B => ({
  ...base,
  ...over as B,
  headers: { ...base.headers, ...over?.headers },
  meta: { ...base.meta, ...over?.meta },
});
