/** SHA-256 (FIPS 180-4) in plain TypeScript, for hosts that bring no synchronous hash of their own. */
import * as Base64Url from "effect/encoding/Base64Url";

const rounds = 64;

const fraction = (x: number): number => Math.floor((x - Math.floor(x)) * 2 ** 32);

/** The first `count` primes. */
const primes = (count: number): ReadonlyArray<number> => {
  const found: Array<number> = [];
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p !== 0)) found.push(n);
  return found;
};

const constants: Uint32Array = Uint32Array.from(primes(rounds), (p) => fraction(Math.cbrt(p)));
const initial: Uint32Array = Uint32Array.from(primes(8), (p) => fraction(Math.sqrt(p)));
const encoder = new TextEncoder();

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

/** The message with its padding: a 1 bit, zeros and the length in bits. */
const pad = (message: Uint8Array): DataView => {
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  return view;
};

const compress = (hash: Uint32Array, block: DataView, offset: number, words: Uint32Array): void => {
  for (let t = 0; t < 16; t++) words[t] = block.getUint32(offset + 4 * t);
  for (let t = 16; t < rounds; t++) {
    const x = words[t - 15]!, y = words[t - 2]!;
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    words[t] = words[t - 16]! + s0 + words[t - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < rounds; t++) {
    const t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constants[t]! + words[t]!;
    const t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = (d + t1) | 0, d = c, c = b, b = a, a = (t1 + t2) | 0;
  }
  const next = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) hash[i] = hash[i]! + next[i]!;
};

/** SHA-256 of the UTF-8 form of `text`, as base64url without padding. */
export const sha256 = (text: string): string => {
  const block = pad(encoder.encode(text));
  const hash = initial.slice();
  const words = new Uint32Array(rounds);
  for (let offset = 0; offset < block.byteLength; offset += 64) compress(hash, block, offset, words);
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => digest.setUint32(4 * i, word));
  return Base64Url.encode(new Uint8Array(digest.buffer));
};
