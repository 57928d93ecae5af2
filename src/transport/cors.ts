/** Headers of replies, with those that let pages of other origins read them. */
import { originOf } from "./origin.ts";
import type { Fields, Reply } from "./visit.ts";

/** Headers of the replies to one origin, by kind of reply. Made once, used for all. */
export interface ReplyHeaders {
  readonly json: Fields;
  readonly stream: Fields;
  readonly empty: Fields;
}

const replyHeaders = (fields: Fields): ReplyHeaders => ({
  json: { ...fields, "content-type": "application/json", "cache-control": "no-store" },
  stream: {
    ...fields,
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  },
  empty: fields,
});

/** Headers of the protocol that a page may send. `Mcp-Param-*` cannot be listed: those that are asked for are added. */
const requestHeaders: ReadonlyArray<string> = [
  "content-type",
  "accept",
  "authorization",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
  "last-event-id",
];

const parameter = /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/;

const parametersIn = (asked: string): ReadonlyArray<string> =>
  asked.toLowerCase().split(",").map((name) => name.trim()).filter((name) => parameter.test(name));

/** Cross-origin access for the pages of some origins. Never with credentials. */
export interface Cors {
  readonly headers: (origin: string | undefined) => ReplyHeaders;
  /** The answer to a preflight, or to an `OPTIONS` that is none. */
  readonly preflight: (origin: string | undefined, asked: string | undefined, allow: string) => Reply;
}

/** Makes the headers for `origins`; other pages get none. */
export const make = (origins: ReadonlyArray<string>): Cors => {
  const vary: Fields = origins.length === 0 ? {} : { vary: "Origin" };
  const plain = replyHeaders(vary);
  const allowed = new Map(
    origins.map(originOf).map((origin) => [
      origin,
      replyHeaders({
        ...vary,
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "Mcp-Session-Id, WWW-Authenticate",
      }),
    ]),
  );
  const headersOf = (origin: string | undefined): ReplyHeaders =>
    (origin === undefined ? undefined : allowed.get(origin)) ?? plain;
  return {
    headers: headersOf,
    preflight: (origin, asked, allow) => {
      const { empty } = headersOf(origin);
      const access: Fields = empty["access-control-allow-origin"] === undefined ? {} : {
        "access-control-allow-methods": allow,
        "access-control-allow-headers": [...requestHeaders, ...parametersIn(asked ?? "")].join(", "),
        "access-control-max-age": "600",
      };
      return { status: 204, headers: { ...empty, allow, ...access }, body: undefined };
    },
  };
};
