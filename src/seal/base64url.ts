/** Base64url without padding (RFC 4648, section 5), of which exactly one text stands for given bytes. */
import * as Result from "effect/Result";

/** How bytes become text, and back. */
export interface Codec {
  readonly encode: (bytes: Uint8Array) => string;
  /** The bytes of `text`, however it is written; undefined or anything at all if it is no base64url. */
  readonly read: (text: string) => Uint8Array | undefined;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const values: ReadonlyMap<string, number> = new Map([...alphabet].map((character, value) => [character, value]));

/** In plain TypeScript. */
export const plain: Codec = {
  encode: (bytes) => {
    let text = "";
    for (let i = 0; i < bytes.length; i += 3) {
      const three = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
      text += alphabet[three >> 18]! + alphabet[(three >> 12) & 63]! + alphabet[(three >> 6) & 63]! +
        alphabet[three & 63]!;
    }
    return text.slice(0, Math.ceil(bytes.length * 4 / 3));
  },
  read: (text) => {
    const bytes = new Uint8Array(Math.floor(text.length * 3 / 4));
    let buffer = 0, bits = 0, length = 0;
    for (const character of text) {
      const value = values.get(character);
      if (value === undefined) return undefined;
      buffer = ((buffer << 6) | value) & 0xfff;
      bits += 6;
      if (bits >= 8) bytes[length++] = buffer >> (bits -= 8);
    }
    return bytes;
  },
};

/** What ECMAScript 2026 adds to byte arrays, as far as it matters here. */
interface Es2026 {
  readonly fromBase64?: (text: string, options: { readonly alphabet: "base64url" }) => Uint8Array;
}
interface Es2026Bytes {
  readonly toBase64: (options: { readonly alphabet: "base64url"; readonly omitPadding: true }) => string;
}

/** By the host's own functions; undefined where it has none. */
export const native: Codec | undefined = (Uint8Array as unknown as Es2026).fromBase64 === undefined ? undefined : {
  encode: (bytes) => (bytes as unknown as Es2026Bytes).toBase64({ alphabet: "base64url", omitPadding: true }),
  read: (text) =>
    Result.getOrUndefined(
      Result.try(() => (Uint8Array as unknown as Required<Es2026>).fromBase64(text, { alphabet: "base64url" })),
    ),
};

/** Only what reads back as itself is taken: no padding, no white space, no bits that mean nothing, no other alphabet. */
export const strict = (codec: Codec) => (text: string): Uint8Array | undefined => {
  const bytes = codec.read(text);
  return bytes !== undefined && codec.encode(bytes) === text ? bytes : undefined;
};

const codec = native ?? plain;

/** The text of `bytes`. */
export const encode: (bytes: Uint8Array) => string = codec.encode;
/** The bytes of which `text` is the text; undefined if there are none. */
export const decode: (text: string) => Uint8Array | undefined = strict(codec);
