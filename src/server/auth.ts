/** Who calls: the hook that turns an HTTP request into a principal. */
import * as Data from "effect/Data";
import type * as Cause from "effect/Cause";
import type * as Effect from "effect/Effect";
import type { Principal } from "../model/principal.ts";
import type { HeaderReader } from "../model/request.ts";

export { anonymous, Principal, principal } from "../model/principal.ts";

/** What the hook may look at. The body is not read yet. */
export interface AuthRequest {
  readonly method: string;
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
  readonly _tag: "Unauthorized";
}

/** The request is refused before anything else of it is read. */
export const Unauthorized: new (args: UnauthorizedOptions) => Unauthorized = class
  extends Data.TaggedError("Unauthorized")<UnauthorizedOptions> {
  override get message(): string {
    return this.text ?? (this.status === 403 ? "Forbidden" : "Unauthorized");
  }
};

/** Establishes on whose behalf a request is made. Runs for every request but a CORS preflight. */
export type Authenticate<R = never> = (request: AuthRequest) => Effect.Effect<Principal, Unauthorized, R>;
