/** How a scripted call can fail. */
import type * as Cause from "effect/Cause";
import * as Data from "effect/Data";
import type { Round } from "./round.ts";

/** The script and the server disagree: a key was asked without an answer, answered without being asked, or asked for ever. */
export interface ScriptError extends Cause.YieldableError {
  /** Tells it from other errors. */
  readonly _tag: "ScriptError";
  /** Names the key. */
  readonly reason: string;
  /** What happened until then. */
  readonly rounds: ReadonlyArray<Round>;
}

/** The script and the server disagree: a key was asked without an answer, answered without being asked, or asked for ever. */
export const ScriptError: new (
  args: { readonly reason: string; readonly rounds: ReadonlyArray<Round> },
) => ScriptError = class extends Data.TaggedError("ScriptError")<
  { readonly reason: string; readonly rounds: ReadonlyArray<Round> }
> {
  /** The reason. */
  override get message(): string {
    return this.reason;
  }
};

/** The server replied with a JSON-RPC error. */
export interface RpcError extends Cause.YieldableError {
  /** Tells it from other errors. */
  readonly _tag: "RpcError";
  /** As the server sent it, like the next two. */
  readonly code: number;
  /** A sentence. */
  readonly message: string;
  /** Undefined where there is none. */
  readonly data: unknown;
  /** HTTP status of the reply. */
  readonly status: number;
  /** What happened until then; the last one is the round that failed. */
  readonly rounds: ReadonlyArray<Round>;
}

/** The server replied with a JSON-RPC error. */
export const RpcError: new (
  args: {
    readonly code: number;
    readonly message: string;
    readonly data: unknown;
    readonly status: number;
    readonly rounds: ReadonlyArray<Round>;
  },
) => RpcError = class extends Data.TaggedError("RpcError")<
  {
    readonly code: number;
    readonly message: string;
    readonly data: unknown;
    readonly status: number;
    readonly rounds: ReadonlyArray<Round>;
  }
> {};
