/** From neutral replies to the text of modern messages. */
import type { Implementation, RequestId } from "../../model/call.ts";
import type { Fault } from "../../model/fault.ts";
import type { JsonRecord } from "../../model/json.ts";
import type { Question } from "../../model/question.ts";
import {
  type CacheHint,
  type DiscoverReply,
  type InputRequiredReply,
  type ListReply,
  noCache,
  type Reply,
} from "../../model/reply.ts";
import { modern } from "../revision.ts";

const serverKey = "io.modelcontextprotocol/serverInfo";

/** Writes the results of one server. */
export interface Encoder {
  /** The response with a reply. `retry`: the request carried answers or a state, so that the result may not be kept. */
  readonly result: (id: RequestId, reply: Reply, retry: boolean) => string;
  /** The response that ends a subscription. */
  readonly subscriptionEnd: (id: RequestId) => string;
}

const json = (value: unknown): string => JSON.stringify(value) ?? "null";

/** The response with a fault; without an id where the request's could not be read. */
export const fault = (id: RequestId | undefined, { code, message, data }: Fault): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });

const cacheMembers = (hint: CacheHint, retry: boolean): string => {
  const { ttlMs, scope } = retry ? noCache : hint;
  return `"ttlMs":${ttlMs},"cacheScope":"${scope}"`;
};

/** A question as this revision says it: interactions have no id of their own. */
const question = (asked: Question): string =>
  asked.method === "elicitation/create" ? json({ method: asked.method, params: asked.params }) : json(asked);

const inputRequired = ({ questions, state }: InputRequiredReply): string => {
  // Joined by hand: a key may be `__proto__`, or a number that an object would sort to its front
  const members = questions.map(({ key, question: asked }) => `${json(key)}:${question(asked)}`);
  const requests = members.length === 0 ? "" : `"inputRequests":{${members.join(",")}},`;
  return `"resultType":"input_required",${requests}"requestState":${json(state)}`;
};

const listMember = {
  tools: "tools",
  resources: "resources",
  templates: "resourceTemplates",
  prompts: "prompts",
} as const;

const pages = new WeakMap<ListReply["page"], string>();

/** Pages are the same objects until something changes, so each is written once. */
const pageMembers = ({ kind, page }: ListReply): string => {
  const kept = pages.get(page);
  if (kept !== undefined) return kept;
  const next = page.nextCursor === undefined ? "" : `,"nextCursor":${json(page.nextCursor)}`;
  const text = `"${listMember[kind]}":${json(page.items)}${next}`;
  pages.set(page, text);
  return text;
};

/** What is served, as capabilities: all lists tell of their changes, and any handler may log. */
const capabilities = ({ completions, extensions, lists }: DiscoverReply): JsonRecord => ({
  logging: {},
  ...(completions ? { completions: {} } : {}),
  ...Object.fromEntries(
    lists.map((list) => [list, list === "resources" ? { listChanged: true, subscribe: true } : { listChanged: true }]),
  ),
  ...(extensions === undefined ? {} : { extensions }),
});

const discoverMembers = (reply: DiscoverReply): string => {
  const instructions = reply.instructions === undefined ? "" : `,"instructions":${json(reply.instructions)}`;
  return `"supportedVersions":${json(modern)},"capabilities":${json(capabilities(reply))}${instructions}`;
};

const complete = `"resultType":"complete"`;

/** The members of a result but for `_meta`. */
const members = (reply: Reply, retry: boolean): string => {
  switch (reply._tag) {
    case "Tool": {
      const structured = reply.structured === undefined ? "" : `,"structuredContent":${json(reply.structured.value)}`;
      return `${complete},"content":${json(reply.content)}${structured}${reply.isError ? `,"isError":true` : ""}`;
    }
    case "Resource":
      return `${complete},"contents":${json(reply.contents)},${cacheMembers(reply.cache, retry)}`;
    case "Prompt": {
      const description = reply.description === undefined ? "" : `,"description":${json(reply.description)}`;
      return `${complete},"messages":${json(reply.messages)}${description}`;
    }
    case "InputRequired":
      return inputRequired(reply);
    case "List":
      return `${complete},${pageMembers(reply)},${cacheMembers(reply.cache, retry)}`;
    case "Completion": {
      const { hasMore, total, values } = reply;
      return `${complete},"completion":${json({ values, total, hasMore })}`;
    }
    case "Discover":
      return `${complete},${discoverMembers(reply)},${cacheMembers(reply.cache, retry)}`;
  }
};

const metaOf = (reply: Reply): JsonRecord | undefined => "meta" in reply ? reply.meta : undefined;

/** An encoder for the results of the server `info`. */
export const make = (info: Implementation): Encoder => {
  const server = `${json(serverKey)}:${json(info)}`;
  const bare = `{${server}}`;
  return {
    result: (id, reply, retry) => {
      const meta = metaOf(reply);
      const metaText = meta === undefined ? bare : json({ ...meta, [serverKey]: info });
      return `{"jsonrpc":"2.0","id":${json(id)},"result":{${members(reply, retry)},"_meta":${metaText}}}`;
    },
    subscriptionEnd: (id) =>
      `{"jsonrpc":"2.0","id":${json(id)},"result":{${complete},"_meta":{${server},${subscription(id)}}}}`,
  };
};

const subscription = (id: RequestId): string => `"io.modelcontextprotocol/subscriptionId":${json(id)}`;
