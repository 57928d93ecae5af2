/** Several messages in one POST, which only 2025-03-26 has: the replies to them are one message as well. */
import * as Legacy from "../era/legacy.ts";
import type { RequestId } from "../model/call.ts";
import type { Reply } from "./legacy_reply.ts";
import type { Outlet } from "./outlet.ts";

/** Collects the replies to the messages of one array. */
export class BatchReply {
  /** Where all that is sent before the end goes, and the end. */
  readonly reply: Reply;
  readonly #texts: Array<string> = [];
  #empty = true;

  constructor(reply: Reply) {
    this.reply = reply;
  }

  /** Whether none of the messages is to be replied to. */
  get empty(): boolean {
    return this.#empty;
  }

  /** Takes the reply to one of the messages, the first that comes. */
  outlet(revision: Legacy.Revision, id: RequestId | undefined): Outlet {
    this.#empty = false;
    let over = false;
    const settle = (text: string): void => {
      if (!over) this.#texts.push(text);
      over = true;
    };
    return {
      send: (message) => !over && this.reply.send(message),
      result: settle,
      fault: (fault) => settle(Legacy.fault(revision, id, fault)),
    };
  }

  /** All replies are there that will be. */
  end(): void {
    const text = Legacy.joinBatch(this.#texts);
    if (text === undefined) this.reply.abandon();
    else this.reply.result(text);
  }
}
