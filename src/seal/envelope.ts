/**
 * The envelope: how a state is written, and what it is bound to. Version 1.
 *
 * A state is base64url without padding (RFC 4648, section 5) of these bytes, numbers big-endian:
 *
 * | bytes    | what                                                                                                  |
 * | -------- | ----------------------------------------------------------------------------------------------------- |
 * | 1        | format version: 1                                                                                     |
 * | 1        | mode: 1 encrypt, 2 sign                                                                               |
 * | 7        | key id: HKDF-SHA-256(secret, no salt, `needful/seal/1/<mode>/id`)                                     |
 * | 6        | time of issue, in milliseconds since 1970                                                             |
 * | 6        | time of expiry, likewise                                                                              |
 * | the rest | encrypt: nonce (12), AES-256-GCM(text), tag (16); sign: text, HMAC-SHA-256(context followed by text) |
 *
 * The key of the mode is 32 bytes of HKDF-SHA-256(secret, no salt, `needful/seal/1/<mode>/key`). The text is UTF-8; one
 * that begins with NUL is a JSON string after it, which is how a payload with lone surrogates or a NUL in front travels.
 *
 * The context, GCM's additional data or the front of what is signed, is never sent: whoever opens must come to the same
 * five lines, each ended by a line feed, which cannot stand in any of them:
 *
 * 1. the first 12 characters of the state
 * 2. time of issue, in decimal
 * 3. time of expiry, in decimal
 * 4. JSON array of audience, method, target and subject (null if there is none)
 * 5. canonical JSON of the arguments (keys in code unit order; absent equals `{}`)
 */
import { canonical } from "../model/json.ts";
import * as Base64Url from "./base64url.ts";
import type { Binding } from "./sealer.ts";

/** From when until when a state is good, in milliseconds since 1970. */
export interface Lifetime {
  readonly issued: number;
  readonly expires: number;
}

/** Bytes of a lifetime. */
export const lifetimeBytes = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const escape = "\0";

/** The bytes of a payload. */
export const toText = (payload: string): Uint8Array =>
  encoder.encode(payload.isWellFormed() && !payload.startsWith(escape) ? payload : escape + JSON.stringify(payload));

/** The payload of bytes that `toText` gave. */
export const fromText = (bytes: Uint8Array): string => {
  const text = decoder.decode(bytes);
  return text.startsWith(escape) ? JSON.parse(text.slice(escape.length)) : text;
};

/** The context of a state. */
export const context = (prefix: string, { issued, expires }: Lifetime, binding: Binding): Uint8Array => {
  const parties = JSON.stringify([binding.audience, binding.method, binding.target, binding.subject ?? null]);
  const args = binding.arguments === undefined ? "{}" : canonical(binding.arguments);
  return encoder.encode(`${prefix}\n${issued}\n${expires}\n${parties}\n${args}\n`);
};

const writeTime = (view: DataView, offset: number, time: number): void => {
  view.setUint16(offset, time / 2 ** 32);
  view.setUint32(offset + 2, time % 2 ** 32);
};

const readTime = (view: DataView, offset: number): number =>
  view.getUint16(offset) * 2 ** 32 + view.getUint32(offset + 2);

/** The state of a lifetime and a protected text. */
export const pack = (prefix: string, { issued, expires }: Lifetime, body: Uint8Array): string => {
  const bytes = new Uint8Array(lifetimeBytes + body.length);
  const view = new DataView(bytes.buffer);
  writeTime(view, 0, issued);
  writeTime(view, 6, expires);
  bytes.set(body, lifetimeBytes);
  return prefix + Base64Url.encode(bytes);
};

/** What `pack` put together, `minBody` bytes of body at least; undefined if it did not make this state. */
export const unpack = (
  prefix: string,
  state: string,
  minBody: number,
): { readonly lifetime: Lifetime; readonly body: Uint8Array } | undefined => {
  const bytes = Base64Url.decode(state.slice(prefix.length));
  if (bytes === undefined || bytes.length < lifetimeBytes + minBody) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    lifetime: { issued: readTime(view, 0), expires: readTime(view, 6) },
    body: bytes.subarray(lifetimeBytes),
  };
};
