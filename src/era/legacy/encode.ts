/** From neutral replies to the text of messages of an older revision. */
import type { Implementation, RequestId } from "../../model/call.ts";
import { code, type Fault, internal, isFault } from "../../model/fault.ts";
import { isRecord, type JsonRecord } from "../../model/json.ts";
import type { DiscoverReply, Reply, ToolReply } from "../../model/reply.ts";
import { block, promptMessage, resourceContents } from "./content.ts";
import { faultText, translate } from "./fault.ts";
import { pageMembers } from "./list.ts";
import type { Revision } from "./revisions.ts";
import { pick } from "./shape.ts";

/** Writes the responses of one server in one revision. */
export interface Encoder {
  readonly revision: Revision;
  /** The response to `initialize`. `session`: there is one, so that levels can be set and changes be told of. */
  readonly initialize: (id: RequestId, reply: DiscoverReply, session: boolean) => string;
  /** The response of requests that give nothing: `ping` and those about the conversation. */
  readonly empty: (id: RequestId) => string;
  /** The response to a request of `method`. Never an interim result: a reply that is one is a fault of ours. */
  readonly reply: (id: RequestId, method: string, reply: Reply | Fault) => string;
}

const json = (value: unknown): string => JSON.stringify(value) ?? "null";

/** What is served, as capabilities. Nothing that needs a session is declared without one. */
const capabilities = (revision: Revision, { completions, lists }: DiscoverReply, session: boolean): JsonRecord => {
  const changes = session ? { listChanged: true } : {};
  return {
    ...(session ? { logging: {} } : {}),
    ...(completions && revision.completions ? { completions: {} } : {}),
    ...Object.fromEntries(
      lists.map((list) => [list, list === "resources" && session ? { ...changes, subscribe: true } : changes]),
    ),
  };
};

/** A tool's result: its structured value only where it is an object, which it has to be here. */
const tool = (revision: Revision, { content, isError, structured }: ToolReply): JsonRecord => ({
  content: content.map((one) => block(revision, one)),
  ...(revision.structured && isRecord(structured?.value) ? { structuredContent: structured.value } : {}),
  ...(isError ? { isError: true } : {}),
});

/** The members of a result; undefined for a reply that no request of an older revision has. */
const members = (revision: Revision, reply: Reply): string | undefined => {
  switch (reply._tag) {
    case "Tool":
      return json({ ...tool(revision, reply), _meta: reply.meta });
    case "Resource":
      return json({ contents: reply.contents.map((part) => resourceContents(revision, part)), _meta: reply.meta });
    case "Prompt": {
      const messages = reply.messages.map((message) => promptMessage(revision, message));
      return json({ description: reply.description, messages, _meta: reply.meta });
    }
    case "Completion": {
      const { hasMore, total, values } = reply;
      return json({ completion: { values, total, hasMore } });
    }
    case "List":
      return `{${pageMembers(revision, reply)}}`;
    case "InputRequired":
    case "Discover":
      return undefined;
  }
};

/** A tool that demands what the client did not declare has failed: before 2026-07-28 there is no other word for that. */
const asResult = (method: string, reply: Reply | Fault): Reply | Fault =>
  method === "tools/call" && isFault(reply) && reply.code === code.missingCapability
    ? { _tag: "Tool", content: [{ type: "text", text: reply.message }], isError: true }
    : reply;

/** An encoder for the responses of the server `info` in `revision`. */
export const make = (info: Implementation, revision: Revision): Encoder => {
  const serverInfo = pick(revision.implementation, { ...info });
  const response = (id: RequestId, result: string): string => `{"jsonrpc":"2.0","id":${json(id)},"result":${result}}`;
  return {
    revision,
    initialize: (id, reply, session) => {
      const { instructions } = reply;
      const declared = capabilities(revision, reply, session);
      return response(
        id,
        json({ protocolVersion: revision.name, capabilities: declared, serverInfo, instructions }),
      );
    },
    empty: (id) => response(id, "{}"),
    reply: (id, method, replied) => {
      const reply = asResult(method, replied);
      if (isFault(reply)) return faultText(revision, id, translate(method, reply));
      const result = members(revision, reply);
      return result === undefined ? faultText(revision, id, internal()) : response(id, result);
    },
  };
};
