/** From a modern request to the neutral one: the checks of the envelope, in their order. */
import {
  code,
  type Fault,
  headerMismatch,
  isFault,
  make,
  methodNotFound,
  unsupportedVersion,
} from "../../model/fault.ts";
import { type JsonRecord, own } from "../../model/json.ts";
import type { Principal } from "../../model/principal.ts";
import type { Envelope, HeaderReader, Operation } from "../../model/request.ts";
import { claim } from "../detect.ts";
import { decode as decodeHeader } from "../header_value.ts";
import type { RequestMessage } from "../message.ts";
import { modern } from "../revision.ts";
import * as Meta from "./meta.ts";

/** A request that passed all checks of the envelope. */
export interface Decoded {
  readonly _tag: "Decoded";
  readonly envelope: Envelope;
  readonly operation: Operation;
  /** Carries answers or a state: its result depends on more than a cache's key and is never to be kept. */
  readonly retry: boolean;
}

/** The parameter that is mirrored into `Mcp-Name`, by method. */
const named: ReadonlyMap<string, "name" | "uri"> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

const checkVersion = (request: RequestMessage, header: HeaderReader | undefined): Fault | undefined => {
  const claimed = claim(request);
  const stated = header?.("mcp-protocol-version");
  if (header !== undefined && claimed !== undefined && claimed !== stated) {
    return headerMismatch(
      stated === undefined
        ? "The header MCP-Protocol-Version is missing"
        : "The header MCP-Protocol-Version does not match params._meta",
    );
  }
  const revision = claimed ?? stated;
  return typeof revision === "string" && !modern.includes(revision) ? unsupportedVersion(modern, revision) : undefined;
};

const checkHeaders = (request: RequestMessage, header: HeaderReader): Fault | undefined => {
  const method = header("mcp-method");
  if (method === undefined) return headerMismatch("The header Mcp-Method is missing");
  if (method !== request.method) return headerMismatch("The header Mcp-Method does not match the method");
  const parameter = named.get(request.method);
  if (parameter === undefined) return undefined;
  const raw = header("mcp-name");
  const value = own(request.params, parameter);
  if (raw === undefined) {
    // Without a value there is nothing to mirror: that the parameter is missing is found later
    return typeof value === "string" ? headerMismatch("The header Mcp-Name is missing") : undefined;
  }
  const name = decodeHeader(raw);
  if (name === undefined) return headerMismatch("The header Mcp-Name is not correctly encoded");
  return name === value ? undefined : headerMismatch(`The header Mcp-Name does not match params.${parameter}`);
};

const call = (method: "tools/call" | "resources/read" | "prompts/get", params: JsonRecord): Operation => ({
  _tag: "Call",
  method,
  target: own(params, method === "resources/read" ? "uri" : "name"),
  arguments: method === "resources/read" ? undefined : own(params, "arguments"),
  inputResponses: own(params, "inputResponses"),
  requestState: own(params, "requestState"),
});

/** What a client that opens with the removed handshake is told (2026-07-28, versioning). */
const noHandshake: Fault = make(
  code.methodNotFound,
  `Method not found: initialize is not part of protocol revision ${modern.join(", ")}, which has no handshake`,
  404,
  { supported: modern },
);

/** The operation of a request; undefined for a method that this revision does not have. */
const operation = ({ method, params }: RequestMessage): Operation | undefined => {
  switch (method) {
    case "tools/call":
    case "resources/read":
    case "prompts/get":
      return call(method, params);
    case "tools/list":
      return { _tag: "List", kind: "tools", cursor: own(params, "cursor") };
    case "resources/list":
      return { _tag: "List", kind: "resources", cursor: own(params, "cursor") };
    case "resources/templates/list":
      return { _tag: "List", kind: "templates", cursor: own(params, "cursor") };
    case "prompts/list":
      return { _tag: "List", kind: "prompts", cursor: own(params, "cursor") };
    case "completion/complete":
      return {
        _tag: "Complete",
        ref: own(params, "ref"),
        argument: own(params, "argument"),
        context: own(params, "context"),
      };
    case "subscriptions/listen":
      return { _tag: "Listen", notifications: own(params, "notifications") };
    case "server/discover":
      return { _tag: "Discover" };
    default:
      return undefined;
  }
};

/**
 * Decodes a modern request. `header` is undefined where there are no headers to check, as on stdio.
 *
 * Order: version against `_meta` (-32020), version served (-32022), `Mcp-Method` and `Mcp-Name` (-32020), fields of
 * `_meta` (-32602), method (-32601). What is left of the params is for the server to check.
 */
export const decode = (
  request: RequestMessage,
  header: HeaderReader | undefined,
  principal: Principal,
): Decoded | Fault => {
  const refused = checkVersion(request, header) ?? (header && checkHeaders(request, header));
  if (refused !== undefined) return refused;
  const meta = Meta.read(request.params);
  if (isFault(meta)) return meta;
  const decoded = operation(request);
  if (decoded === undefined) return request.method === "initialize" ? noHandshake : methodNotFound(request.method);
  return {
    _tag: "Decoded",
    envelope: {
      id: request.id,
      method: request.method,
      era: "modern",
      revision: meta.revision,
      client: meta.client,
      capabilities: meta.capabilities,
      meta: meta.record,
      progressToken: meta.progressToken,
      logLevel: meta.logLevel,
      header,
      principal,
    },
    operation: decoded,
    retry: Object.hasOwn(request.params, "inputResponses") || Object.hasOwn(request.params, "requestState"),
  };
};
