/** The failures that a handler may end in: each is a text for the client. */
import type * as Cause from "effect/Cause";
import * as Data from "effect/Data";
import type { Cancelled, Declined, Refused } from "../need/errors.ts";

/** A tool, a prompt or a resource could not do what was asked; `text` is for the client. */
export interface Failure extends Cause.YieldableError {
  /** Always `ToolFailure`. */
  readonly _tag: "ToolFailure";
  /** For the client. */
  readonly text: string;
}

/** A tool, a prompt or a resource could not do what was asked; `text` is for the client. */
export const Failure: new (args: { readonly text: string }) => Failure = class extends Data.TaggedError("ToolFailure")<
  { readonly text: string }
> {
  /** The text. */
  override get message(): string {
    return this.text;
  }
};

/** A question that was answered with no, which a handler need not handle. */
export type Denied = Declined | Cancelled | Refused;

/** All that a handler may fail with; resources may also not be found. */
export type Errors = Failure | Denied;

/** The resource does not exist. */
export interface NotFound extends Cause.YieldableError {
  /** Always `ResourceNotFound`. */
  readonly _tag: "ResourceNotFound";
  /** Of the resource; the server fills it in. */
  readonly uri: string | undefined;
}

/** The resource does not exist. */
export const NotFound: new (args?: { readonly uri?: string }) => NotFound = class
  extends Data.TaggedError("ResourceNotFound")<{ readonly uri: string | undefined }> {
  /** Without a URI, as authors make it. */
  constructor(args: { readonly uri?: string } = {}) {
    super({ uri: args.uri });
  }

  /** Says no more than that. */
  override get message(): string {
    return "Resource not found";
  }
};
