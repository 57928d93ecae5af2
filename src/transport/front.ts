/** The checks of a request that need no look into its body, in their order. */
import { modern } from "../era/revision.ts";
import { code, make as makeFault } from "../model/fault.ts";
import type * as Accept from "./accept.ts";
import { tooLarge } from "./body.ts";
import * as Cors from "./cors.ts";
import { faultReply } from "./exchange.ts";
import type { Guard } from "./origin.ts";
import type { Settings } from "./options.ts";
import type { Fields, Reply, Visit } from "./visit.ts";

/** Methods that some revision of the transport has: these are let in or not by their origin before anything else. */
const methods: ReadonlySet<string> = new Set(["POST", "GET", "DELETE", "OPTIONS"]);

const allowPost = "POST, OPTIONS";
const allowAll = "POST, GET, DELETE, OPTIONS";

const refusal = (headers: Cors.ReplyHeaders, status: number, message: string, more?: Fields): Reply =>
  faultReply(headers, makeFault(code.invalidRequest, message, status), undefined, more);

/** The checks before anything is known of the caller. */
export interface Front {
  /** Of the replies to an origin. */
  readonly headers: (origin: string | undefined) => Cors.ReplyHeaders;
  /** Method, origin, host, preflight; undefined if the request may go on. */
  readonly enter: (visit: Visit, origin: string | undefined, headers: Cors.ReplyHeaders) => Reply | undefined;
}

/** Makes the checks for one endpoint. */
export const make = ({ allowedOrigins, legacy }: Settings, guard: Guard): Front => {
  const cors = Cors.make(allowedOrigins);
  const sessions = legacy.mode === "sessions";
  const allow = sessions ? allowAll : allowPost;
  return {
    headers: cors.headers,
    enter: ({ header, host, method }, origin, headers) => {
      const notAllowed = () => refusal(headers, 405, `The method ${method} is not served here: send a POST`, { allow });
      if (!methods.has(method)) return notAllowed();
      const reason = guard.refuse(host, origin);
      if (reason !== undefined) return refusal(headers, 403, reason);
      if (method === "OPTIONS") return cors.preflight(origin, header("access-control-request-headers"), allow);
      if (method === "POST") return undefined;
      // Streams and sessions by methods of their own are not of revisions that have neither
      return sessions && !modern.includes(header("mcp-protocol-version") ?? "") ? undefined : notAllowed();
    },
  };
};

const jsonType = /^application\/json\s*(?:;|$)/i;

/** Content type, acceptable replies and stated size, after the caller is known; undefined if the body may be read. */
export const checkContent = (
  { header }: Visit,
  accepts: Accept.Accepts,
  headers: Cors.ReplyHeaders,
  maxBody: number,
): Reply | undefined => {
  if (!jsonType.test(header("content-type") ?? "")) {
    return refusal(headers, 415, "The Content-Type must be application/json");
  }
  const encoding = header("content-encoding");
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return refusal(headers, 415, "The body must not have a Content-Encoding");
  }
  if (!accepts.json && !accepts.stream) {
    return refusal(headers, 406, "Replies are application/json or text/event-stream: Accept takes neither");
  }
  return Number(header("content-length") ?? 0) > maxBody ? faultReply(headers, tooLarge(maxBody)) : undefined;
};
