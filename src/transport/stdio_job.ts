/** One request over a channel that all requests share. */
import type * as Fiber from "effect/Fiber";
import type { RequestId } from "../model/call.ts";
import type { Fault } from "../model/fault.ts";
import { type Outlet, stopped } from "./outlet.ts";
import type { Job } from "./running.ts";
import type { Writer } from "./stdio_writer.ts";

/** A request that runs. After its reply, or once it is cancelled, nothing more is written for it. */
export class Request implements Job, Outlet {
  readonly id: RequestId;
  readonly #writer: Writer;
  readonly #faultText: (fault: Fault) => string;
  readonly #settled: (request: Request) => void;
  #over = false;
  #fiber: Fiber.Fiber<void> | undefined = undefined;

  /** `settled` is called once, when the id is free again. */
  constructor(
    id: RequestId,
    writer: Writer,
    faultText: (fault: Fault) => string,
    settled: (request: Request) => void,
  ) {
    this.id = id;
    this.#writer = writer;
    this.#faultText = faultText;
    this.#settled = settled;
  }

  /** It is acted on by `fiber`. */
  run(fiber: Fiber.Fiber<void>): void {
    this.#fiber = fiber;
  }

  send(message: string): boolean {
    return !this.#over && this.#writer.offer(message);
  }

  result(text: string, ...after: ReadonlyArray<string>): void {
    this.#settle([text, ...after]);
  }

  fault(fault: Fault): void {
    this.#settle([this.#faultText(fault)]);
  }

  /** The client wants no reply any more. */
  readonly cancel = (): void => {
    this.#settle([]);
    this.#fiber?.interruptUnsafe();
  };

  /** The server cannot wait any longer: says so, and interrupts what is under way. */
  readonly stop = (): void => {
    this.fault(stopped);
    this.#fiber?.interruptUnsafe();
  };

  #settle(messages: ReadonlyArray<string>): void {
    if (this.#over) return;
    this.#over = true;
    for (const message of messages) this.#writer.write(message);
    this.#settled(this);
  }
}
