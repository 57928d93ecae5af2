/** Protocol faults: JSON-RPC errors. Only this file, `era/` and `server/` make them. */
import { type Capability, required } from "./capability.ts";

/** JSON-RPC error codes of the protocol (2026-07-28, basic, "Error codes"). */
export const code = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** A protocol error as the client sees it, with the HTTP status that goes with it. */
export interface Fault {
  readonly _tag: "Fault";
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** HTTP status of a reply that has not begun to stream. */
  readonly status: number;
}

/** Makes a fault. */
export const make = (code: number, message: string, status: number, data?: unknown): Fault =>
  data === undefined ? { _tag: "Fault", code, message, status } : { _tag: "Fault", code, message, status, data };

/** Whether `value` is a fault. */
export const isFault = (value: unknown): value is Fault =>
  typeof value === "object" && value !== null && (value as { readonly _tag?: unknown })._tag === "Fault";

/** The text could not be read as JSON. */
export const parse = (message = "Parse error"): Fault => make(code.parse, message, 400);

/** The JSON is not a message of the protocol. */
export const invalidRequest = (message: string, status = 400, data?: unknown): Fault =>
  make(code.invalidRequest, message, status, data);

/** The method is not served. */
export const methodNotFound = (method: string): Fault => make(code.methodNotFound, `Method not found: ${method}`, 404);

/** The params are not those of the method. `status` 400 is for the envelope's own members. */
export const invalidParams = (message: string, status: 200 | 400 = 200, data?: unknown): Fault =>
  make(code.invalidParams, message, status, data);

/** Something broke; the cause is in the server's log, never here. */
export const internal = (message = "Internal error", data?: unknown): Fault => make(code.internal, message, 200, data);

/** Headers and body disagree. */
export const headerMismatch = (message: string, data?: unknown): Fault => make(code.headerMismatch, message, 400, data);

/** The client did not declare what the handler asks for. */
export const missingCapability = (missing: ReadonlyArray<Capability>): Fault =>
  make(code.missingCapability, `The client lacks required capabilities: ${missing.join(", ")}`, 400, {
    requiredCapabilities: required(missing),
  });

/** The revision is not served here. */
export const unsupportedVersion = (supported: ReadonlyArray<string>, requested: string): Fault =>
  make(code.unsupportedVersion, `Unsupported protocol version: ${requested}`, 400, { supported, requested });

/** One message for whatever is wrong with a request state: the cause is only in the log. */
export const invalidState: Fault = invalidParams("Invalid request state");
