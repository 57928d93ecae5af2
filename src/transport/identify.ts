/** On whose behalf a request is made. */
import * as Effect from "effect/Effect";
import { code, type Fault, internal, make as makeFault } from "../model/fault.ts";
import type { Principal } from "../model/principal.ts";
import type { Authenticate, Unauthorized } from "../server/auth.ts";
import { type Exchange, faultReply } from "./exchange.ts";
import { failed } from "./outlet.ts";
import type { Visit } from "./visit.ts";

const unauthorized = (exchange: Exchange, error: Unauthorized): void =>
  exchange.respond(
    faultReply(
      exchange.headers,
      makeFault(code.invalidRequest, error.message, error.status ?? 401),
      undefined,
      error.challenge === undefined ? {} : { "www-authenticate": error.challenge },
    ),
  );

/** The hook broke: nothing of the request was read, so that it is not accepted (2026-07-28, streamable HTTP). */
const broken: Fault = { ...internal(), status: 500 };

/** Asks the hook who the caller is; undefined where it does not say, and the caller has been told so. */
export const identify = (
  authenticate: Authenticate,
  { header, method, services, url }: Visit,
  exchange: Exchange,
): Effect.Effect<Principal | undefined> => {
  const asked = Effect.suspend(() => authenticate({ method, url, header }));
  return (services === undefined ? asked : Effect.provideContext(asked, services)).pipe(
    Effect.catchTag(
      "Unauthorized",
      (error) => Effect.as(Effect.sync(() => unauthorized(exchange, error)), undefined),
    ),
    Effect.catchCause((cause) => Effect.as(failed(exchange, cause, broken), undefined)),
  );
};
