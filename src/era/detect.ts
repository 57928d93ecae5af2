/** Which era a request belongs to, by what it says of itself. */
import type { Era } from "../model/call.ts";
import { type Fault, headerMismatch } from "../model/fault.ts";
import { isRecord, own } from "../model/json.ts";
import type { RequestMessage } from "./message.ts";
import { legacy, modern } from "./revision.ts";

/** The member of `_meta` that makes a request modern. */
export const versionKey = "io.modelcontextprotocol/protocolVersion";

/** The revision that the body of a request claims, of whatever type; undefined if it claims none. */
export const claim = (request: RequestMessage): unknown => {
  const meta = own(request.params, "_meta");
  return isRecord(meta) ? own(meta, versionKey) : undefined;
};

/**
 * The era of a request that came with the `MCP-Protocol-Version` header `named`:
 *
 * | body | header | era |
 * | --- | --- | --- |
 * | claims a revision | any | modern |
 * | `initialize`, no claim | any | legacy |
 * | no claim | none, or a legacy revision | legacy |
 * | no claim | 2026-07-28 or later, or an unknown revision | modern, and refused there |
 */
export const detect = (request: RequestMessage, named: string | undefined): Era => {
  if (claim(request) !== undefined) return "modern";
  if (request.method === "initialize") return "legacy";
  return named === undefined || legacy.includes(named) ? "legacy" : "modern";
};

/** What a legacy request is told by a server that speaks modern revisions only: which they are, and where they are named. */
export const modernOnly: Fault = headerMismatch(
  `This server speaks protocol revision ${modern.join(", ")} only: every request names it in its _meta ` +
    `(${versionKey}) and in the MCP-Protocol-Version header`,
  { supported: modern },
);
