/** The one writer of a channel that carries whole lines. */
import * as Effect from "effect/Effect";

/** Writes bytes, all of them, and resolves when it takes more; rejects when nobody reads them any more. */
export type Write = (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;

/** Characters that a client may be behind before notices to it are dropped. */
const maxBehind = 1_048_576;

/** Characters that a client may be behind before nothing more is read from it. */
const maxWaiting = 16 * 1_048_576;

/** Characters that are put together for one write, and bytes of one write: less is progress too. */
const piece = 65_536;

const encoder = new TextEncoder();

/** Writes messages in the order in which they come, one at a time. After `broken` was called it drops them all. */
export class Writer {
  readonly #write: Write;
  readonly #failed: () => void;
  #lines: Array<string> = [];
  #next = 0;
  #behind = 0;
  #written = 0;
  #busy = false;
  #broken = false;
  #waiting: Array<{ readonly until: () => boolean; readonly resume: () => void }> = [];

  /** `failed` is called once, if nobody reads any more. */
  constructor(write: Write, failed: () => void) {
    this.#write = write;
    this.#failed = failed;
  }

  /** Bytes that somebody has read. */
  get written(): number {
    return this.#written;
  }

  /** Writes a message that may be dropped. False if it was, as the client is far behind or gone. */
  offer(message: string): boolean {
    return this.#behind < maxBehind && this.write(message);
  }

  /** Writes a message. False if nobody reads any more. */
  write(message: string): boolean {
    if (this.#broken) return false;
    this.#lines.push(message);
    this.#behind += message.length + 1;
    if (!this.#busy) this.#flush();
    return true;
  }

  /** Waits until everything is written, or cannot be. */
  readonly idle: Effect.Effect<void> = this.#until(() => this.#behind === 0);

  /** Waits until the client is not far behind. */
  readonly room: Effect.Effect<void> = this.#until(() => this.#behind < maxWaiting);

  #until(reached: () => boolean): Effect.Effect<void> {
    const until = (): boolean => this.#broken || reached();
    return Effect.callback<void>((resume) => {
      if (until()) return resume(Effect.void);
      const waiter = { until, resume: () => resume(Effect.void) };
      this.#waiting.push(waiter);
      return Effect.sync(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
      });
    });
  }

  #flush(): void {
    const text = this.#take();
    if (text === "") return;
    this.#busy = true;
    this.#send(encoder.encode(text), text.length, 0);
  }

  /** The next lines, as many as go into one write. */
  #take(): string {
    let text = "";
    while (this.#next < this.#lines.length && text.length < piece) {
      text += `${this.#lines[this.#next]}\n`;
      this.#lines[this.#next++] = "";
    }
    if (this.#next === this.#lines.length) {
      this.#lines = [];
      this.#next = 0;
    }
    return text;
  }

  #send(bytes: Uint8Array<ArrayBuffer>, characters: number, start: number): void {
    const end = Math.min(bytes.length, start + piece);
    this.#write(bytes.subarray(start, end)).then(() => {
      this.#written += end - start;
      if (end < bytes.length) return this.#send(bytes, characters, end);
      this.#behind -= characters;
      this.#busy = false;
      this.#flush();
      this.#notify();
    }, () => {
      this.#broken = true;
      this.#lines = [];
      this.#notify();
      this.#failed();
    });
  }

  #notify(): void {
    const ready = this.#waiting.filter(({ until }) => until());
    if (ready.length === 0) return;
    this.#waiting = this.#waiting.filter((waiter) => !ready.includes(waiter));
    for (const { resume } of ready) resume();
  }
}
