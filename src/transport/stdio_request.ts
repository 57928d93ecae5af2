/** One request over a channel that all requests share. */
import type * as Fiber from "effect/Fiber";
import type { RequestId } from "../model/call.ts";
import type { Fault } from "../model/fault.ts";
import { stopped, type SureOutlet } from "./outlet.ts";
import type { Job } from "./running.ts";

/** How a request is answered. */
export interface Way {
  /** Sends a message before the reply. False if it was dropped. */
  readonly offer: (message: string) => boolean;
  /** Sends a message before the reply, however far behind the client is. */
  readonly write: (message: string) => void;
  /** Sends the reply and what follows it; nothing where there is to be none. Called once. */
  readonly reply: (messages: ReadonlyArray<string>) => void;
  /** The text of a fault that is the reply. */
  readonly fault: (id: RequestId, fault: Fault) => string;
}

/** A request that runs. After its reply, or once it is cancelled, nothing more is written for it. */
export class Request implements Job, SureOutlet {
  readonly id: RequestId;
  readonly #way: Way;
  readonly #settled: () => void;
  #over = false;
  #fiber: Fiber.Fiber<void> | undefined = undefined;

  /** `settled` is called once, when the id is free again. */
  constructor(id: RequestId, way: Way, settled: () => void) {
    this.id = id;
    this.#way = way;
    this.#settled = settled;
  }

  /** It is acted on by `fiber`. */
  run(fiber: Fiber.Fiber<void>): void {
    this.#fiber = fiber;
  }

  /** Sends a message before the reply. False if it was dropped. */
  send(message: string): boolean {
    return !this.#over && this.#way.offer(message);
  }

  /** Sends a message before the reply, however far behind the client is. */
  write(message: string): void {
    if (!this.#over) this.#way.write(message);
  }

  /** The reply: the text of a result. `after` are messages that follow it. */
  result(text: string, ...after: ReadonlyArray<string>): void {
    this.#settle([text, ...after]);
  }

  /** The reply: a fault. */
  fault(fault: Fault): void {
    this.#settle([this.#way.fault(this.id, fault)]);
  }

  /** The client wants no reply any more. */
  cancel(): void {
    this.#settle([]);
    this.#fiber?.interruptUnsafe();
  }

  /** The server cannot wait any longer: says so, and interrupts what is under way. */
  readonly stop = (): void => {
    this.fault(stopped);
    this.#fiber?.interruptUnsafe();
  };

  #settle(messages: ReadonlyArray<string>): void {
    if (this.#over) return;
    this.#over = true;
    this.#settled();
    this.#way.reply(messages);
  }
}
