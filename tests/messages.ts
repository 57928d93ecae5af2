/**
 * What may be wrong with a message of a server: by the official packages, by the official schema of its revision, and by
 * lists of our own of what each revision has.
 */
import * as Core from "@modelcontextprotocol/core";
import * as Sdk from "@modelcontextprotocol/sdk/types.js";
import { fields, modern as modernMembers, type Name, namesIn, revisions } from "./era/legacy/fields.ts";
import { faults as schemaFaults, members } from "./era/legacy/schema.ts";

/** A message as it came. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: { readonly [member: string]: unknown };
  readonly error?: unknown;
}

/** The definition of the result to a request. */
const results: { readonly [method: string]: string } = {
  "initialize": "InitializeResult",
  "ping": "EmptyResult",
  "logging/setLevel": "EmptyResult",
  "resources/subscribe": "EmptyResult",
  "resources/unsubscribe": "EmptyResult",
  "server/discover": "DiscoverResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "completion/complete": "CompleteResult",
  "subscriptions/listen": "SubscriptionsListenResult",
};

/** The definition of a request of the server's own. */
const requests: { readonly [method: string]: string } = {
  "elicitation/create": "ElicitRequest",
  "sampling/createMessage": "CreateMessageRequest",
  "roots/list": "ListRootsRequest",
};

const notifications: { readonly [method: string]: string } = {
  "notifications/progress": "ProgressNotification",
  "notifications/message": "LoggingMessageNotification",
  "notifications/cancelled": "CancelledNotification",
  "notifications/tools/list_changed": "ToolListChangedNotification",
  "notifications/resources/list_changed": "ResourceListChangedNotification",
  "notifications/prompts/list_changed": "PromptListChangedNotification",
  "notifications/resources/updated": "ResourceUpdatedNotification",
  "notifications/elicitation/complete": "ElicitationCompleteNotification",
  "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
};

/** Members of older revisions that no message of 2026-07-28 has. */
const legacyMembers = ["elicitationId", "sessionId"];

interface Parser {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly error?: { readonly message: string } };
}

const byPackage = (from: object, definition: string, value: unknown): ReadonlyArray<string> => {
  const parser = (from as { readonly [name: string]: Parser | undefined })[`${definition}Schema`];
  const parsed = parser?.safeParse(value);
  return parsed === undefined || parsed.success ? [] : [`${definition}, by the package: ${parsed.error?.message}`];
};

const isLegacy = (revision: string): revision is Name => (revisions as ReadonlyArray<string>).includes(revision);

const by = (revision: string, definition: string, value: unknown): ReadonlyArray<string> => [
  ...schemaFaults(revision, definition, value),
  ...byPackage(isLegacy(revision) ? Sdk : Core, definition, value),
];

const interimMembers = ["_meta", "inputRequests", "requestState", "resultType"];

/** What is wrong with an interim result, which the packages have no schema of: they have those of its requests. */
const interim = (revision: string, result: NonNullable<Message["result"]>): ReadonlyArray<string> => [
  ...(members(revision, "InputRequiredResult") === undefined
    ? []
    : schemaFaults(revision, "InputRequiredResult", result)),
  ...Object.keys(result).filter((name) => !interimMembers.includes(name)).map((name) =>
    `No interim result has ${name}`
  ),
  ...Object.values(result["inputRequests"] ?? {}).flatMap((request: Message) => {
    const definition = requests[request.method ?? ""];
    if (definition === undefined) return [`No server asks ${request.method}`];
    // The package's schema of a page is that of 2025-11-25, where it had an id of its own
    const params = { ...(request.params as object | undefined), elicitationId: "" };
    return byPackage(Core, definition, request.params === undefined ? request : { ...request, params });
  }),
];

/** Members that our list for the definition does not have. */
const surplus = (revision: string, definition: string, value: unknown): ReadonlyArray<string> => {
  const listed = isLegacy(revision) ? fields[definition]?.[revision] : undefined;
  if (listed === undefined || typeof value !== "object" || value === null) return [];
  return Object.keys(value).filter((name) => !listed.includes(name)).map((name) => `${definition} has no ${name}`);
};

const listed: { readonly [member: string]: string } = {
  tools: "Tool",
  resources: "Resource",
  resourceTemplates: "ResourceTemplate",
  prompts: "Prompt",
};

/** What is surplus in the entries of a list, and in what a server says of itself. */
const within = (revision: string, result: { readonly [member: string]: unknown }): ReadonlyArray<string> => [
  ...Object.entries(listed).flatMap(([member, definition]) =>
    Array.isArray(result[member]) ? result[member].flatMap((entry) => surplus(revision, definition, entry)) : []
  ),
  ...("serverInfo" in result ? surplus(revision, "Implementation", result["serverInfo"]) : []),
];

/** What is wrong with `message` in `revision`; `method` is that of the request that it answers, if it answers one. */
export const faultsOf = (revision: string, message: Message, method?: string): ReadonlyArray<string> => {
  const names = namesIn(message);
  const foreign = (isLegacy(revision) ? modernMembers : legacyMembers).filter((name) => names.has(name))
    .map((name) => `${revision} has no ${name}`);
  if (message.error !== undefined) return [...foreign, ...by(revision, "JSONRPCError", message)];
  if (message.result !== undefined) {
    const { result } = message;
    const envelope = by(revision, "JSONRPCResponse", message);
    if (!isLegacy(revision) && result["resultType"] === "input_required") {
      return [...foreign, ...envelope, ...interim(revision, result)];
    }
    const definition = results[method ?? ""] ?? "no result of any method";
    const version = definition === "InitializeResult" && result["protocolVersion"] !== revision
      ? [`initialize is answered ${result["protocolVersion"]}`]
      : [];
    return [
      ...foreign,
      ...version,
      ...envelope,
      ...by(revision, definition, result),
      ...surplus(revision, definition, result),
      ...within(revision, result),
    ];
  }
  if (message.id !== undefined && !isLegacy(revision)) return [...foreign, `${revision} has no requests of servers`];
  const kind = message.id === undefined ? "JSONRPCNotification" : "JSONRPCRequest";
  const definition = (message.id === undefined ? notifications : requests)[message.method ?? ""];
  if (definition === undefined) return [...foreign, `No server sends ${message.method}`];
  return [...foreign, ...by(revision, kind, message), ...by(revision, definition, message)];
};
