/** Lines of bytes: they end at 0x0A and nowhere else, in whatever pieces they come. */

const newline = 0x0a;
const empty = new Uint8Array(0);

/** The smallest buffer for a line that comes in pieces, and the largest that is kept for the next such line. */
const minBuffer = 1_024;
const maxKept = 65_536;

/**
 * Splits bytes into lines of at most `limit` bytes. It holds one line, needs no more than twice its bytes, and copies each
 * byte a bounded number of times. A longer line is reported once, as soon as that is known, and skipped.
 */
export class Lines {
  readonly #limit: number;
  readonly #line: (bytes: Uint8Array) => void;
  readonly #tooLong: () => void;
  #buffer: Uint8Array = empty;
  #size = 0;
  #skipping = false;

  /** `line` gets lines without their ends; the bytes may be used only until it returns. */
  constructor(limit: number, line: (bytes: Uint8Array) => void, tooLong: () => void) {
    this.#limit = limit;
    this.#line = line;
    this.#tooLong = tooLong;
  }

  /** More bytes came. */
  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** No more bytes come: what is left counts as a line. */
  end(): void {
    if (this.#size > 0) this.#finish(empty);
  }

  #finish(last: Uint8Array): void {
    // Most lines come in one piece, and need no copy
    if (this.#size === 0 && !this.#skipping && last.length <= this.#limit) return this.#line(last);
    this.#keep(last);
    const size = this.#size;
    const skipped = this.#skipping;
    const buffer = this.#buffer;
    this.#size = 0;
    this.#skipping = false;
    if (buffer.length > maxKept) this.#buffer = empty;
    if (!skipped) this.#line(buffer.subarray(0, size));
  }

  #keep(piece: Uint8Array): void {
    if (this.#skipping) return;
    const size = this.#size + piece.length;
    if (size > this.#limit) {
      this.#skipping = true;
      this.#size = 0;
      this.#buffer = empty;
      return this.#tooLong();
    }
    if (size > this.#buffer.length) {
      const larger = new Uint8Array(Math.min(this.#limit, Math.max(size, 2 * this.#buffer.length, minBuffer)));
      larger.set(this.#buffer.subarray(0, this.#size));
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#size);
    this.#size = size;
  }
}
