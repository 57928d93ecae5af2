/** Faults as older revisions have them. */
import type { RequestId } from "../../model/call.ts";
import { code, type Fault, internal, make } from "../../model/fault.ts";
import { isRecord } from "../../model/json.ts";
import type { Revision } from "./revisions.ts";

/** The code of a resource that does not exist (2025-11-25, server/resources, "Error Handling"). */
const resourceNotFoundCode = -32002;

/** There is no such resource: what `resources/subscribe` says of a URI that the caller cannot read. */
export const resourceNotFound = (uri: string): Fault => make(resourceNotFoundCode, "Resource not found", 200, { uri });

/** A capability that a modern client is told to declare. Older ones declare theirs once, and have no code for it. */
const undeclared = ({ message }: Fault): Fault => internal(message);

/** The fault with which a request of the method fails here. Codes that came with 2026-07-28 do not occur. */
export const translate = (method: string, fault: Fault): Fault => {
  if (fault.code === code.missingCapability) return undeclared(fault);
  const unknown = method === "resources/read" && fault.code === code.invalidParams && isRecord(fault.data) &&
    Object.hasOwn(fault.data, "uri");
  return unknown ? make(resourceNotFoundCode, fault.message, 200, fault.data) : fault;
};

/**
 * The HTTP status for a fault that answers a request of a client of an older revision. Such clients take a 404 for the end
 * of the session and other refusals for a broken connection, so that a request that could be read is answered with 200;
 * what the transport itself refuses keeps its status.
 */
export const status = ({ code: fault, status }: Fault): number =>
  status === 503 || fault === code.parse || fault === code.invalidRequest || fault === code.headerMismatch
    ? status
    : 200;

/**
 * The response with a fault. Without the id of a request that could not be read it has none, or `null` in a session of a
 * revision that demands one (`revision` is undefined outside of sessions).
 */
export const faultText = (
  revision: Revision | undefined,
  id: RequestId | undefined,
  { code, data, message }: Fault,
): string =>
  JSON.stringify({ jsonrpc: "2.0", id: id ?? (revision?.nullId ? null : undefined), error: { code, message, data } });
