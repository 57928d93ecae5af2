/** Bodies of requests: bytes up to a limit, UTF-8, JSON of bounded depth. */
import * as Result from "effect/Result";
import { code, type Fault, invalidRequest, make, parse as parseFault } from "../model/fault.ts";

/** Levels of objects and lists that JSON may have: what parses, validates or writes it may recurse. */
const maxDepth = 1_000;

const utf8 = new TextDecoder("utf-8", { fatal: true });

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
export const decode = (bytes: Uint8Array, what = "The body"): string | Fault =>
  Result.getOrElse(Result.try((): string | Fault => utf8.decode(bytes)), () => parseFault(`${what} is not UTF-8`));

/**
 * Reads the body of `request` and gives its text to `done`, once; a leading byte-order mark is dropped. Whatever its
 * headers say, no more than `limit` bytes are kept. The function that is returned gives up: then `done` is not called.
 */
export const read = (request: Request, limit: number, done: (body: string | Fault) => void): () => void => {
  const reader = request.body?.getReader();
  if (reader === undefined) {
    done("");
    return () => {};
  }
  const chunks: Array<Uint8Array> = [];
  let size = 0;
  let over = false;
  const cancel = (): void => {
    over = true;
    reader.cancel().catch(() => {});
  };
  const finish = (body: string | Fault): void => {
    if (over) return;
    over = true;
    done(body);
  };
  const next = ({ done: ended, value }: ReadableStreamReadResult<Uint8Array>): void => {
    if (ended) return finish(decode(join(chunks, size)));
    size += value.length;
    if (size > limit) {
      reader.cancel().catch(() => {});
      return finish(tooLarge(limit));
    }
    chunks.push(value);
    pull();
  };
  const pull = (): void => void reader.read().then(next, () => finish(parseFault("The body broke off")));
  pull();
  return cancel;
};

const quote = 34, backslash = 92, openList = 91, closeList = 93, openObject = 123, closeObject = 125;

/** Whether no part of a JSON text lies deeper than `maxDepth`. */
const isShallow = (text: string): boolean => {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === quote) {
      for (i++; i < text.length; i++) {
        const inner = text.charCodeAt(i);
        if (inner === backslash) i++;
        else if (inner === quote) break;
      }
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
