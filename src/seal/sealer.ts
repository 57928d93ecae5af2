/** The sealer: turns a flow's journal into the opaque `requestState`, and back. */
import type * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Data from "effect/Data";
import type * as Effect from "effect/Effect";

/** What a state is bound to besides its own content. All of it must be the same on redemption. */
export interface Binding {
  /** Name of the server. */
  readonly audience: string;
  /** The protocol's method, such as `tools/call`. */
  readonly method: string;
  /** Name of the tool or prompt, or URI of the resource. */
  readonly target: string;
  /** The call's arguments; the order of keys does not matter, and absent equals `{}`. */
  readonly arguments: unknown;
  /** Of the principal; undefined for an unauthenticated caller, which no subject equals. */
  readonly subject: string | undefined;
}

/** The state would be longer than the limit. The message names the limit. */
export interface StateTooLarge extends Cause.YieldableError {
  /** For `catchTag`. */
  readonly _tag: "StateTooLarge";
  /** In characters. */
  readonly length: number;
  /** In characters. */
  readonly limit: number;
}

/** The state would be longer than the limit. The message names the limit. */
export const StateTooLarge: new (args: { readonly length: number; readonly limit: number }) => StateTooLarge = class
  extends Data.TaggedError("StateTooLarge")<{ readonly length: number; readonly limit: number }> {
  /** Names both lengths. */
  override get message(): string {
    return `The request state has ${this.length} characters, more than the limit of ${this.limit}`;
  }
};

/** The state was not sealed here for this call, or its time is over. `reason` is for the log only. */
export interface InvalidState extends Cause.YieldableError {
  /** For `catchTag`. */
  readonly _tag: "InvalidState";
  /** What is wrong with the state: a sentence that repeats nothing of it. */
  readonly reason: string;
}

/** The state was not sealed here for this call, or its time is over. `reason` is for the log only. */
export const InvalidState: new (args: { readonly reason: string }) => InvalidState = class
  extends Data.TaggedError("InvalidState")<{ readonly reason: string }> {
  /** The same for every reason. */
  override get message(): string {
    return "Invalid request state";
  }
};

/** Seals and opens. */
export interface Sealer {
  /** The sealed form of `payload`: base64url, 65,536 characters at most. */
  readonly seal: (payload: string, binding: Binding) => Effect.Effect<string, StateTooLarge>;
  /** The payload of a sealed state. Any value may come in; whatever is wrong with it, the error is the same. */
  readonly open: (state: unknown, binding: Binding) => Effect.Effect<string, InvalidState>;
}

/** The sealer in use. */
export const Sealer: Context.Service<Sealer, Sealer> = Context.Service<Sealer>("needful/seal/Sealer");
