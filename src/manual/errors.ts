/** How a read can fail. */
import type * as Cause from "effect/Cause";
import * as Data from "effect/Data";

/** The form with this key was accepted with content that is not valid. To return the request again asks again. */
export interface InvalidAnswer extends Cause.YieldableError {
  /** For `catchTag`. */
  readonly _tag: "InvalidAnswer";
  /** The key of the request. */
  readonly key: string;
  /** What is wrong, as a sentence for the user. */
  readonly reason: string;
}

/** The form with this key was accepted with content that is not valid. To return the request again asks again. */
export const InvalidAnswer: new (args: { readonly key: string; readonly reason: string }) => InvalidAnswer = class
  extends Data.TaggedError("InvalidAnswer")<{ readonly key: string; readonly reason: string }> {
  /** One sentence, with the key. */
  override get message(): string {
    return `"${this.key}": ${this.reason}`;
  }
};
