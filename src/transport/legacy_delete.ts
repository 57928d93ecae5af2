/** One DELETE: the client ends its session. */
import * as Exit from "effect/Exit";
import { isFault } from "../model/fault.ts";
import { anonymous, type Principal } from "../model/principal.ts";
import * as Accept from "./accept.ts";
import type { ReplyHeaders } from "./cors.ts";
import { Exchange } from "./exchange.ts";
import { identify } from "./identify.ts";
import type { HttpSessions } from "./legacy_sessions.ts";
import type { Endpoint } from "./post.ts";
import type { Visit } from "./visit.ts";

/** Ends the session that the headers of `visit` name, if it is the caller's. */
export const end = (endpoint: Endpoint, sessions: HttpSessions, visit: Visit, headers: ReplyHeaders): void => {
  const { run, settings: { authenticate } } = endpoint;
  const exchange = new Exchange(headers, Accept.read(undefined), visit, () => {});
  const close = (principal: Principal): void => {
    const session = sessions.find(visit.header, principal);
    if (isFault(session)) return exchange.fault(session);
    session.close();
    exchange.respond({ status: 204, headers: headers.empty, body: undefined });
  };
  if (authenticate === undefined) return close(anonymous);
  run(identify(authenticate, visit, exchange)).addObserver((exit) => {
    if (Exit.isSuccess(exit) && exit.value !== undefined) close(exit.value);
    exchange.drop();
  });
};
