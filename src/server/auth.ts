/**
 * Who calls: the hook that turns an HTTP request into a principal. Handlers find it in the service `Principal`, and what a
 * call knows after a round is sealed for it alone.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import { Auth, McpServer, Tool } from "@needful/mcp";
 *
 * const me = Tool.make("me", {
 *   description: "Says who calls",
 *   handler: () => Effect.map(Auth.Principal, ({ subject }) => subject),
 * });
 *
 * const users = new Map([["Bearer a-long-secret", "ada"]]);
 *
 * const authenticate: Auth.Authenticate = ({ header }) => {
 *   const subject = users.get(header("authorization") ?? "");
 *   return subject === undefined
 *     ? Effect.fail(new Auth.Unauthorized({ challenge: "Bearer" }))
 *     : Effect.succeed(Auth.principal(subject));
 * };
 *
 * const server = McpServer.make({ name: "demo", version: "1.0.0", tools: [me] });
 * const { fetch } = McpServer.toWebHandler(server, { authenticate });
 * ```
 *
 * @module
 */
import * as Data from "effect/Data";
import type * as Cause from "effect/Cause";
import type * as Effect from "effect/Effect";
import type { Principal } from "../model/principal.ts";
import type { HeaderReader } from "../model/request.ts";

export { anonymous, Principal, principal } from "../model/principal.ts";
export type { HeaderReader } from "../model/request.ts";

/** What the hook may look at. The body is not read yet. */
export interface AuthRequest {
  /** Of HTTP. */
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** A header by its lower-case name. */
  readonly header: HeaderReader;
}

/** What an `Unauthorized` is made of. */
export interface UnauthorizedOptions {
  /** 401, the default: the caller is not known; 403: the caller may not do this. */
  readonly status?: 401 | 403;
  /** Value of the `WWW-Authenticate` header. */
  readonly challenge?: string;
  /** For the caller to read. Default `Unauthorized` or `Forbidden`. */
  readonly text?: string;
}

/** The request is refused before anything else of it is read. */
export interface Unauthorized extends Cause.YieldableError, UnauthorizedOptions {
  /** The tag for `catchTag`. */
  readonly _tag: "Unauthorized";
}

/** The request is refused before anything else of it is read. */
export const Unauthorized: new (args: UnauthorizedOptions) => Unauthorized = class
  extends Data.TaggedError("Unauthorized")<UnauthorizedOptions> {
  /** For the caller to read. */
  override get message(): string {
    return this.text ?? (this.status === 403 ? "Forbidden" : "Unauthorized");
  }
};

/**
 * Establishes on whose behalf a request is made. Runs once for each request to the endpoint, before its body is read, unless
 * its method, `Host` or `Origin` refuses it (405, 403), it is an `OPTIONS`, which a CORS preflight is, or the server is
 * stopping (503). What breaks in it, or interrupts it, is for the log: the caller gets 500. It is interrupted if the
 * caller leaves.
 */
export type Authenticate<R = never> = (request: AuthRequest) => Effect.Effect<Principal, Unauthorized, R>;
