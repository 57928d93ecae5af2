/** Questions that are put to a client, and wait for its replies. */
import * as Effect from "effect/Effect";
import type { RequestId } from "../../model/call.ts";
import type { PeerFailure } from "../../model/peer.ts";
import type { Question } from "../../model/question.ts";
import type { Reply, Response } from "../legacy/incoming.ts";
import { cancelled } from "../legacy/notification.ts";
import { ask } from "../legacy/question.ts";
import type { Revision } from "../legacy/revisions.ts";
import type { Stream } from "./stream.ts";

type Answer = Effect.Effect<unknown, PeerFailure>;

interface Pending {
  readonly stream: Stream;
  readonly settle: (answer: Answer) => void;
}

/** There is no answer, for `reason`. */
export const unreachable = (reason: string): Answer => Effect.fail({ _tag: "Unreachable", reason });

/** Why nothing can be sent on a stream. */
export const noStream = "There is no open stream to the client";

const answerOf = (reply: Reply): Answer =>
  reply._tag === "Result"
    ? Effect.succeed(reply.result)
    : Effect.fail({ _tag: "ClientError", code: reply.code, message: reply.message });

/** The questions of one session. Their ids are never used again. */
export class Asks {
  readonly #pending = new Map<RequestId, Pending>();
  #last = 0;

  /** Puts a question that `revision` can say, and gives the result that the client replies. */
  put(revision: Revision, stream: Stream, question: Question): Answer {
    return Effect.callback<unknown, PeerFailure>((resume) => {
      const id = ++this.#last;
      this.#pending.set(id, { stream, settle: resume });
      if (!stream.write(ask(revision, id, question))) {
        this.#pending.delete(id);
        return resume(unreachable(noStream));
      }
      return Effect.sync(() => {
        if (this.#pending.delete(id)) stream.write(cancelled(id, "The answer is not needed any more"));
      });
    });
  }

  /** Takes the client's reply. False where no question with this id waits. */
  answer({ id, reply }: Response): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    this.#pending.delete(id);
    pending.settle(answerOf(reply));
    return true;
  }

  /** There will be no replies, for `reason`: none at all, or none to what was put on `stream`. */
  lose(reason: string, stream?: Stream): void {
    for (const [id, pending] of this.#pending) {
      if (stream !== undefined && pending.stream !== stream) continue;
      this.#pending.delete(id);
      pending.settle(unreachable(reason));
    }
  }
}
