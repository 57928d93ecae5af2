/** On whose behalf a call is made. */
import * as Context from "effect/Context";
import type { JsonRecord } from "./json.ts";

/** The caller, as the server's `authenticate` hook established it. Sealed state and sessions are bound to it. */
export interface Principal {
  /** A stable identifier of the caller: not the token, which is renewed. */
  readonly subject: string;
  /** False for `anonymous`, the caller of a server without an `authenticate` hook. */
  readonly authenticated: boolean;
  /** Whatever else the hook knows of the caller: scopes, tenant, e-mail address. */
  readonly claims: JsonRecord;
}

/** The caller of the current call. The server provides it to every handler. */
export const Principal: Context.Service<Principal, Principal> = Context.Service<Principal>("needful/model/Principal");

/** The caller of a server without an `authenticate` hook. */
export const anonymous: Principal = { subject: "anonymous", authenticated: false, claims: {} };

/** A caller known by `subject`. */
export const principal = (subject: string, claims: JsonRecord = {}): Principal => ({
  subject,
  authenticated: true,
  claims,
});
