/** Bodies of requests: bytes up to a limit, UTF-8, JSON of bounded depth. */
import * as Result from "effect/Result";
import { code, type Fault, invalidRequest, make, parse as parseFault } from "../model/fault.ts";

/** Levels of objects and lists that JSON may have: what parses, validates or writes it may recurse. */
const maxDepth = 1_000;

const utf8 = new TextDecoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });
/** What stands in the text where bytes were not UTF-8; texts may have it of their own. */
const replacement = "\ufffd";

/** `what` has more bytes than `limit`. */
export const tooLarge = (limit: number, what = "The body"): Fault =>
  make(code.invalidRequest, `${what} is larger than the limit of ${limit} bytes`, 413);

const join = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};

/** The text of `what`, which must be UTF-8; a leading byte-order mark is dropped. */
export const decode = (bytes: Uint8Array, what = "The body"): string | Fault => {
  // On Deno a decoder that is strict takes four to nine times as long
  const text = utf8.decode(bytes);
  if (!text.includes(replacement)) return text;
  return Result.getOrElse(
    Result.try((): string | Fault => strictUtf8.decode(bytes)),
    () => parseFault(`${what} is not UTF-8`),
  );
};

/**
 * Puts a body together from its pieces. Whatever the headers of the request say, no more than `limit` bytes are kept; a
 * leading byte-order mark is dropped.
 */
export class Pieces {
  readonly #limit: number;
  readonly #done: (body: string | Fault) => void;
  readonly #chunks: Array<Uint8Array> = [];
  #size = 0;
  #over = false;

  /** `done` gets the text, once. */
  constructor(limit: number, done: (body: string | Fault) => void) {
    this.#limit = limit;
    this.#done = done;
  }

  /** A piece came. False if no more of them are of use. */
  push(chunk: Uint8Array): boolean {
    if (this.#over) return false;
    this.#size += chunk.length;
    if (this.#size > this.#limit) this.#finish(tooLarge(this.#limit));
    else this.#chunks.push(chunk);
    return !this.#over;
  }

  /** That was all. */
  end(): void {
    if (!this.#over) this.#finish(decode(join(this.#chunks, this.#size)));
  }

  /** Nothing more will come, although there should be more. */
  breakOff(): void {
    this.#finish(parseFault("The body broke off"));
  }

  /** `done` is not called any more. */
  giveUp(): void {
    this.#over = true;
  }

  #finish(body: string | Fault): void {
    if (this.#over) return;
    this.#over = true;
    this.#done(body);
  }
}

/**
 * Reads the body of `request` and gives its text to `done`, once. The function that is returned gives up: then `done` is
 * not called.
 */
export const read = (request: Request, limit: number, done: (body: string | Fault) => void): () => void => {
  const pieces = new Pieces(limit, done);
  const reader = request.body?.getReader();
  if (reader === undefined) {
    pieces.end();
    return () => {};
  }
  const cancel = (): void => void reader.cancel().catch(() => {});
  const next = ({ done: ended, value }: ReadableStreamReadResult<Uint8Array>): void => {
    if (ended) pieces.end();
    else if (pieces.push(value)) pull();
    else cancel();
  };
  const pull = (): void => void reader.read().then(next, () => pieces.breakOff());
  pull();
  return () => {
    pieces.giveUp();
    cancel();
  };
};

/**
 * Reads the body of `request`, which is known to be no longer than its headers say, at once; otherwise like `read`. A stream
 * costs more than all else that is done with a short request.
 */
export const readWhole = (request: Request, limit: number, done: (body: string | Fault) => void): () => void => {
  const pieces = new Pieces(limit, done);
  const whole = (bytes: ArrayBuffer): void => {
    if (pieces.push(new Uint8Array(bytes))) pieces.end();
  };
  request.arrayBuffer().then(whole, () => pieces.breakOff());
  return () => pieces.giveUp();
};

const quote = 34, backslash = 92, openList = 91, closeList = 93, openObject = 123, closeObject = 125;

/** Where the string ends that begins at `start`: at a quote behind an even number of backslashes. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === backslash) escapes--;
    if ((end - escapes) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
};

/** Whether no part of a JSON text lies deeper than `maxDepth`. */
const isShallow = (text: string): boolean => {
  if (text.length <= maxDepth) return true;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === quote) {
      i = endOfString(text, i);
    } else if (char === openList || char === openObject) {
      if (++depth > maxDepth) return false;
    } else if (char === closeList || char === closeObject) {
      depth--;
    }
  }
  return true;
};

/** A JSON value, in a box of its own since it may be anything. */
export interface Parsed {
  readonly _tag: "Parsed";
  readonly json: unknown;
}

/** Parses the text of `what` as JSON. */
export const parse = (text: string, what = "The body"): Parsed | Fault =>
  isShallow(text)
    ? Result.getOrElse(
      Result.try((): Parsed | Fault => ({ _tag: "Parsed", json: JSON.parse(text) })),
      () => parseFault(`${what} is not JSON`),
    )
    : invalidRequest(`${what} is nested more than ${maxDepth} levels deep`);
