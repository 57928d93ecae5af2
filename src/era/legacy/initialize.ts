/** `initialize`: which revision a conversation is held in, and with whom. */
import type { Implementation } from "../../model/call.ts";
import type { ClientCapabilities } from "../../model/capability.ts";
import { type Fault, headerMismatch, invalidParams, invalidRequest } from "../../model/fault.ts";
import { own } from "../../model/json.ts";
import type { LogLevel } from "../../model/notice.ts";
import type { RequestMessage } from "../message.ts";
import { modern } from "../revision.ts";
import { readCapabilities, readInfo } from "./client.ts";
import { assumed, find, newest, type Revision } from "./revisions.ts";

/** What the messages of a conversation do not say again. */
export interface Conversation {
  readonly revision: Revision;
  readonly client: Implementation | undefined;
  /** What the client can be asked for. */
  readonly capabilities: ClientCapabilities;
  /** The lowest level that the client wants to be told of; undefined until it says so: nothing. */
  readonly level: LogLevel | undefined;
}

/** How messages are carried. */
export type Carrier = "http" | "stdio";

/** The revision over `carrier` for a client that names `name`, if it is one of those here. */
const spoken = (name: string, carrier: Carrier): Revision | undefined => {
  const revision = find(name);
  return revision === undefined || revision.http || carrier === "stdio" ? revision : assumed;
};

/**
 * The revision that a client which asks for `requested` is answered (2025-11-25, basic/lifecycle, "Version Negotiation"):
 * that one where it is spoken here, else the newest. 2024-11-05 over HTTP, whose transport is not served, is answered
 * 2025-03-26. A modern revision is never the answer: it has no `initialize`.
 */
export const negotiate = (requested: string, carrier: Carrier): Revision => spoken(requested, carrier) ?? newest;

/**
 * Reads `initialize`, which has no modern claim; `named` is the `MCP-Protocol-Version` header. -32020 for a header that
 * names a revision without `initialize`, or none at all; -32602 for a version that is no string.
 */
export const open = (request: RequestMessage, named: string | undefined, carrier: Carrier): Conversation | Fault => {
  if (named !== undefined && find(named) === undefined) {
    return headerMismatch(
      modern.includes(named)
        ? `The header MCP-Protocol-Version names ${named}, which has no initialize`
        : "The header MCP-Protocol-Version names no revision that begins with initialize",
    );
  }
  const requested = own(request.params, "protocolVersion");
  if (typeof requested !== "string") return invalidParams("params.protocolVersion must be a string");
  const revision = negotiate(requested, carrier);
  return {
    revision,
    client: readInfo(own(request.params, "clientInfo")),
    capabilities: readCapabilities(revision, own(request.params, "capabilities")),
    level: undefined,
  };
};

/** The conversation that a request without a session stands for, where there are none: `named` is the header. */
export const stateless = (named: string | undefined): Conversation => ({
  revision: named === undefined ? assumed : spoken(named, "http") ?? assumed,
  client: undefined,
  capabilities: {},
  level: undefined,
});

/** What is wrong with the `MCP-Protocol-Version` header of a message in a session. A client need not send it. */
export const checkHeader = ({ name }: Revision, named: string | undefined): Fault | undefined =>
  named === undefined || named === name
    ? undefined
    : invalidRequest(`The header MCP-Protocol-Version names ${named}, but this session speaks ${name}`);
