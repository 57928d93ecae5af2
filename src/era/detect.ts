/** Which era a message belongs to, by what it says of itself. */
import type { Era } from "../model/call.ts";
import { type Fault, headerMismatch } from "../model/fault.ts";
import { isRecord, own } from "../model/json.ts";
import type { NotificationMessage, RequestMessage } from "./message.ts";
import { legacy, modern } from "./revision.ts";

/** The member of `_meta` that makes a message modern. */
export const versionKey = "io.modelcontextprotocol/protocolVersion";

/** The revision that the body of a message claims, of whatever type; undefined if it claims none. */
export const claim = ({ params }: RequestMessage | NotificationMessage): unknown => {
  const meta = own(params, "_meta");
  return isRecord(meta) ? own(meta, versionKey) : undefined;
};

/** The era by the `MCP-Protocol-Version` header alone: what responses and arrays, which claim nothing, belong to. */
export const eraOf = (named: string | undefined): Era =>
  named === undefined || legacy.includes(named) ? "legacy" : "modern";

/**
 * The era of a message that came with the `MCP-Protocol-Version` header `named`:
 *
 * | body | header | era |
 * | --- | --- | --- |
 * | claims a revision | any | modern |
 * | request `initialize`, no claim | any | legacy |
 * | no claim | none, or a legacy revision | legacy |
 * | no claim | 2026-07-28 or later, or an unknown revision | modern, and a request is refused there |
 */
export const detect = (message: RequestMessage | NotificationMessage, named: string | undefined): Era => {
  if (claim(message) !== undefined) return "modern";
  return message._tag === "Request" && message.method === "initialize" ? "legacy" : eraOf(named);
};

/** What a legacy request is told by a server that speaks modern revisions only: which they are, and where they are named. */
export const modernOnly: Fault = headerMismatch(
  `This server speaks protocol revision ${modern.join(", ")} only: every request names it in its _meta ` +
    `(${versionKey}) and in the MCP-Protocol-Version header`,
  { supported: modern },
);
