/** Several messages in one line, which only 2025-03-26 has: the replies to them are one line as well. */
import { joinBatch } from "../era/legacy.ts";
import type { Item } from "../era/legacy.ts";
import type { Way } from "./stdio_request.ts";

/** Collects the replies to the messages of one line. */
export class Batch {
  readonly #way: Way;
  readonly #texts: Array<string> = [];
  /** Replies that are awaited, and the end of the line. */
  #open = 1;

  /** What is collected is sent by `way`. */
  constructor(way: Way) {
    this.#way = way;
  }

  /** The way for the reply to one of the messages; one that has no reply does not use it. */
  way({ _tag }: Item["message"]): Way {
    if (_tag === "Request" || _tag === "Malformed") this.#open++;
    return {
      ...this.#way,
      reply: (messages) => {
        this.#texts.push(...messages);
        this.complete();
      },
    };
  }

  /** All messages of the line are known, or one more reply is there. */
  complete(): void {
    if (--this.#open > 0) return;
    const text = joinBatch(this.#texts);
    if (text !== undefined) this.#way.reply([text]);
  }
}
