/** From a request in a conversation to the neutral one. */
import { type Fault, invalidParams, invalidRequest, isFault, methodNotFound } from "../../model/fault.ts";
import { isRecord, type JsonRecord, own } from "../../model/json.ts";
import { isLogLevel, logLevels } from "../../model/notice.ts";
import type { Principal } from "../../model/principal.ts";
import type {
  CallRequest,
  CompleteRequest,
  Envelope,
  HeaderReader,
  ListKind,
  ListRequest,
  SessionOperation,
} from "../../model/request.ts";
import { isRequestId, type RequestMessage } from "../message.ts";
import type { Conversation } from "./initialize.ts";

/** A request for what the server serves. */
export type Asked = CallRequest | ListRequest | CompleteRequest;

/** A request that can be acted on. */
export interface Decoded {
  readonly _tag: "Decoded";
  readonly envelope: Envelope;
  readonly operation: Asked | SessionOperation;
}

const call = (method: CallRequest["method"], params: JsonRecord): CallRequest => ({
  _tag: "Call",
  method,
  target: own(params, method === "resources/read" ? "uri" : "name"),
  arguments: method === "resources/read" ? undefined : own(params, "arguments"),
  inputResponses: undefined,
  requestState: undefined,
});

const list = (kind: ListKind, params: JsonRecord): ListRequest => ({
  _tag: "List",
  kind,
  cursor: own(params, "cursor"),
});

const setLevel = (level: unknown): SessionOperation | Fault =>
  isLogLevel(level)
    ? { _tag: "SetLevel", level }
    : invalidParams(`params.level must be one of ${logLevels.join(", ")}`);

const subscribe = (tag: "Subscribe" | "Unsubscribe", uri: unknown): SessionOperation | Fault =>
  typeof uri === "string" ? { _tag: tag, uri } : invalidParams("params.uri must be a string");

const operation = (
  { method, params }: RequestMessage,
  { revision }: Conversation,
): Asked | SessionOperation | Fault => {
  switch (method) {
    case "tools/call":
    case "resources/read":
    case "prompts/get":
      return call(method, params);
    case "tools/list":
      return list("tools", params);
    case "resources/list":
      return list("resources", params);
    case "resources/templates/list":
      return list("templates", params);
    case "prompts/list":
      return list("prompts", params);
    case "completion/complete":
      return {
        _tag: "Complete",
        ref: own(params, "ref"),
        argument: own(params, "argument"),
        context: revision.completionContext ? own(params, "context") : undefined,
      };
    case "ping":
      return { _tag: "Ping" };
    case "logging/setLevel":
      return setLevel(own(params, "level"));
    case "resources/subscribe":
      return subscribe("Subscribe", own(params, "uri"));
    case "resources/unsubscribe":
      return subscribe("Unsubscribe", own(params, "uri"));
    case "initialize":
      return invalidRequest("The conversation has begun already");
    default:
      return methodNotFound(method);
  }
};

/**
 * Decodes a request in a conversation, `initialize` excepted. `header` is undefined where there are no headers. What is
 * left of the params is for the server to check.
 */
export const decode = (
  request: RequestMessage,
  conversation: Conversation,
  header: HeaderReader | undefined,
  principal: Principal,
): Decoded | Fault => {
  const meta = own(request.params, "_meta") ?? {};
  if (!isRecord(meta)) return invalidParams("params._meta must be an object");
  const progressToken = own(meta, "progressToken");
  if (progressToken !== undefined && !isRequestId(progressToken)) {
    return invalidParams("progressToken in params._meta must be a string or an integer");
  }
  const decoded = operation(request, conversation);
  if (isFault(decoded)) return decoded;
  return {
    _tag: "Decoded",
    envelope: {
      id: request.id,
      method: request.method,
      era: "legacy",
      revision: conversation.revision.name,
      client: conversation.client,
      capabilities: conversation.capabilities,
      meta,
      progressToken,
      logLevel: conversation.level,
      header,
      principal,
    },
    operation: decoded,
  };
};
