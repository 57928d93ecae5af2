/** The checks of a request that need no look into its body, in their order. */
import { code, make as makeFault } from "../model/fault.ts";
import type * as Accept from "./accept.ts";
import { tooLarge } from "./body.ts";
import * as Cors from "./cors.ts";
import { faultResponse, type MoreHeaders } from "./exchange.ts";
import type { Guard } from "./origin.ts";
import type { Settings } from "./options.ts";

/** Methods that some revision of the transport has: these are let in or not by their origin before anything else. */
const methods: ReadonlySet<string> = new Set(["POST", "GET", "DELETE", "OPTIONS"]);

const allow = "POST, OPTIONS";

/** The path of a URL that is known to be absolute. */
export const pathOf = (url: string): string => {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
};

const hostOf = (url: string): string => {
  const start = url.indexOf("://") + 3;
  const end = url.slice(start).search(/[/?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
};

const refusal = (headers: Cors.ReplyHeaders, status: number, message: string, more?: MoreHeaders): Response =>
  faultResponse(headers, makeFault(code.invalidRequest, message, status), undefined, more);

/** The checks before anything is known of the caller. */
export interface Front {
  readonly headers: (request: Request) => Cors.ReplyHeaders;
  /** Method, origin, host, preflight; undefined if the request may go on. */
  readonly enter: (request: Request, headers: Cors.ReplyHeaders) => Response | undefined;
}

/** Makes the checks for one endpoint. */
export const make = ({ allowedOrigins }: Settings, guard: Guard): Front => {
  const cors = Cors.make(allowedOrigins);
  return {
    headers: (request) => cors.headers(request.headers.get("origin")),
    enter: ({ headers: sent, method, url }, headers) => {
      const notAllowed = () => refusal(headers, 405, `The method ${method} is not served here: send a POST`, { allow });
      if (!methods.has(method)) return notAllowed();
      const origin = sent.get("origin");
      const reason = guard.refuse(sent.get("host") ?? hostOf(url), origin);
      if (reason !== undefined) return refusal(headers, 403, reason);
      if (method === "OPTIONS") return cors.preflight(origin, sent.get("access-control-request-headers"), allow);
      return method === "POST" ? undefined : notAllowed();
    },
  };
};

const jsonType = /^application\/json\s*(?:;|$)/i;

/** Content type, acceptable replies and stated size, after the caller is known; undefined if the body may be read. */
export const checkContent = (
  sent: Headers,
  accepts: Accept.Accepts,
  headers: Cors.ReplyHeaders,
  maxBody: number,
): Response | undefined => {
  if (!jsonType.test(sent.get("content-type") ?? "")) {
    return refusal(headers, 415, "The Content-Type must be application/json");
  }
  const encoding = sent.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    return refusal(headers, 415, "The body must not have a Content-Encoding");
  }
  if (!accepts.json && !accepts.stream) {
    return refusal(headers, 406, "Replies are application/json or text/event-stream: Accept takes neither");
  }
  return Number(sent.get("content-length") ?? 0) > maxBody ? faultResponse(headers, tooLarge(maxBody)) : undefined;
};
