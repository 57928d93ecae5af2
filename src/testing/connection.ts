/** A line to a server: one request, one reply. */
import * as Effect from "effect/Effect";
import { isRecord, type JsonRecord, own } from "../model/json.ts";
import { code } from "../model/fault.ts";
import type { LogMessage, Progress } from "../model/notice.ts";
import { RpcError } from "./errors.ts";
import { type Identity, merge, meta, newest, type RequestOptions } from "./options.ts";
import { parameterHeaders, type Reply, reply, request } from "./wire.ts";

/** What answers HTTP requests: a server in this process, or `fetch`. */
export type Fetch = (request: Request) => Promise<Response> | Response;

/** Sends a request and waits for the end of its reply. */
export interface Connection {
  readonly identity: Identity;
  readonly send: (method: string, params: JsonRecord, options?: RequestOptions) => Effect.Effect<Reply>;
  readonly as: (identity: Identity) => Connection;
}

/** Makes a line to what `fetch` answers at `url`. */
export const make = (fetch: Fetch, url: string, identity: Identity): Connection => {
  let lastId = 0;
  const schemas = new Map<string, unknown>();

  const once = (method: string, params: JsonRecord, who: Identity): Effect.Effect<Reply> =>
    Effect.promise(async (signal) => {
      const id = ++lastId;
      const headers = method === "tools/call"
        ? parameterHeaders(schemas.get(String(params["name"])), params["arguments"])
        : {};
      const message = {
        id,
        method,
        params: { ...params, _meta: { ...meta(who, id), ...own(params, "_meta") as object } },
      };
      const sent = request(url, message, who.revision ?? newest, { ...headers, ...who.headers }, signal);
      return await reply(await fetch(sent));
    });

  /** Learns which parameters of the tools are mirrored into headers. */
  const learn = (who: Identity): Effect.Effect<void> =>
    Effect.match(list((params) => once("tools/list", params, who), "tools"), {
      // Then the call is refused once more, and that is what its caller is told
      onFailure: () => {},
      onSuccess: (tools) => {
        for (const tool of tools) schemas.set(String(tool["name"]), tool["inputSchema"]);
      },
    });

  const as = (identity: Identity): Connection => ({
    identity,
    as,
    send: Effect.fnUntraced(function* (method, params, options) {
      const who = merge(identity, options);
      const first = yield* once(method, params, who);
      if (method !== "tools/call" || errorCode(first) !== code.headerMismatch) return first;
      yield* learn(who);
      return yield* once(method, params, who);
    }),
  });
  return as(identity);
};

const errorCode = (reply: Reply): unknown =>
  isRecord(reply.response?.["error"]) ? reply.response["error"]["code"] : undefined;

/** The result of a request, or its error. */
export const resultOf = ({ response, status }: Reply): Effect.Effect<JsonRecord, RpcError> => {
  if (isRecord(response?.["result"])) return Effect.succeed(response["result"]);
  const error = isRecord(response?.["error"]) ? response["error"] : {};
  const { code, message = "No response", data } = error;
  return Effect.fail(new RpcError({ code: Number(code), message: String(message), data, status, rounds: [] }));
};

/** All entries of a list, page after page; none where the server has no such list. */
export const list = (
  page: (params: JsonRecord) => Effect.Effect<Reply>,
  member: string,
): Effect.Effect<ReadonlyArray<JsonRecord>, RpcError> =>
  Effect.gen(function* () {
    const items: Array<JsonRecord> = [];
    let cursor: unknown;
    do {
      const reply = yield* page(cursor === undefined ? {} : { cursor });
      if (errorCode(reply) === code.methodNotFound) break;
      const result = yield* resultOf(reply);
      const entries = result[member];
      if (Array.isArray(entries)) items.push(...entries.filter(isRecord));
      cursor = result["nextCursor"];
    } while (cursor !== undefined);
    return items;
  });

const notices = (reply: Reply, method: string): ReadonlyArray<JsonRecord> =>
  reply.notifications.flatMap((message) =>
    message["method"] === method && isRecord(message["params"]) ? [message["params"]] : []
  );

/** The progress that came with a reply. */
export const progressOf = (reply: Reply): ReadonlyArray<Progress> =>
  notices(reply, "notifications/progress").map(({ progressToken: _, ...progress }) => progress as unknown as Progress);

/** The log messages that came with a reply. */
export const logsOf = (reply: Reply): ReadonlyArray<LogMessage> =>
  notices(reply, "notifications/message") as ReadonlyArray<unknown> as ReadonlyArray<LogMessage>;
