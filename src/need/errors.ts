/** How a need can end without an answer, as typed errors. */
import type * as Cause from "effect/Cause";
import * as Data from "effect/Data";

/** The user said no to the question with this key. */
export interface Declined extends Cause.YieldableError {
  /** For `catchTag`. */
  readonly _tag: "Declined";
  /** The key of the question. */
  readonly key: string;
}

/** The user said no to the question with this key. */
export const Declined: new (args: { readonly key: string }) => Declined = class extends Data.TaggedError("Declined")<
  { readonly key: string }
> {
  /** One sentence, with the key. */
  override get message(): string {
    return `The user declined "${this.key}"`;
  }
};

/** The user dismissed the question with this key without an answer. */
export interface Cancelled extends Cause.YieldableError {
  /** For `catchTag`. */
  readonly _tag: "Cancelled";
  /** The key of the question. */
  readonly key: string;
}

/** The user dismissed the question with this key without an answer. */
export const Cancelled: new (args: { readonly key: string }) => Cancelled = class extends Data.TaggedError("Cancelled")<
  { readonly key: string }
> {
  /** One sentence, with the key. */
  override get message(): string {
    return `The user cancelled "${this.key}"`;
  }
};

/** The client refused to let its model answer. Legacy clients only: a modern client that refuses does not come back. */
export interface Refused extends Cause.YieldableError {
  /** For `catchTag`. */
  readonly _tag: "Refused";
  /** The key of the question. */
  readonly key: string;
  /** What the client, or what is known of it, says. */
  readonly reason: string;
}

/** The client refused to let its model answer. Legacy clients only: a modern client that refuses does not come back. */
export const Refused: new (args: { readonly key: string; readonly reason: string }) => Refused = class
  extends Data.TaggedError("Refused")<{ readonly key: string; readonly reason: string }> {
  /** One sentence, with the key. */
  override get message(): string {
    return `The client refused "${this.key}": ${this.reason}`;
  }
};

/** The question with this key cannot be put to this client. Seen only behind `attempt`. */
export interface Unanswerable extends Cause.YieldableError {
  /** For `catchTag`. */
  readonly _tag: "Unanswerable";
  /** The key of the question. */
  readonly key: string;
  /** What the client, or what is known of it, says. */
  readonly reason: string;
}

/** The question with this key cannot be put to this client. Seen only behind `attempt`. */
export const Unanswerable: new (args: { readonly key: string; readonly reason: string }) => Unanswerable = class
  extends Data.TaggedError("Unanswerable")<{ readonly key: string; readonly reason: string }> {
  /** One sentence, with the key. */
  override get message(): string {
    return `Cannot ask "${this.key}": ${this.reason}`;
  }
};
