/** The client of a conversation, as a run that asks it while it waits sees it. */
import type * as Effect from "effect/Effect";
import type { Capability } from "./capability.ts";
import type { Question } from "./question.ts";

/** Why a question that was put got no answer. */
export type PeerFailure =
  /** The client replied with a JSON-RPC error. */
  | { readonly _tag: "ClientError"; readonly code: number; readonly message: string }
  /** The question could not be delivered, or the answer cannot come any more. `reason` is a sentence for the client. */
  | { readonly _tag: "Unreachable"; readonly reason: string };

/** The client of the connection that a call came over. Nothing in it throws. */
export interface Peer {
  /**
   * Whether the client can be asked for `capability` now: it declared it, the revision has words for it, and there is a
   * way to the client.
   */
  readonly supports: (capability: Capability) => boolean;
  /**
   * Why this question cannot be put, as a sentence that names the revision or what is in the way; undefined if it can.
   * What the client did not declare is for `supports` to say.
   */
  readonly cannotSay: (question: Question) => string | undefined;
  /**
   * Puts the question and gives the `result` of the reply, unread. The `interaction` of a URL question is its
   * `elicitationId`. It has no time limit of its own. Interrupting it tells the client that the question is withdrawn, and
   * from then on a reply is ignored; neither may wait for the client.
   */
  readonly ask: (question: Question, key: string) => Effect.Effect<unknown, PeerFailure>;
  /** Tells the client that the part of a URL question that happens outside of the conversation is finished. */
  readonly complete: (interaction: string) => void;
  /** Called now and then while people are waited for, so that the caller can be told that its call is alive. */
  readonly alive: () => void;
  /** Closes the stream of the call and lets the call run on, where the client knows how to come back. */
  readonly disconnect: Effect.Effect<void>;
}
