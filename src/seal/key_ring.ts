/** Keys: what may be one, what is derived from it, and by which prefix of a state it is found. */
import type * as Cause from "effect/Cause";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import * as Redacted from "effect/Redacted";
import { type CryptoServices, derive } from "../model/crypto.ts";
import * as Base64Url from "./base64url.ts";
import { type Guard, guard } from "./guard.ts";

/** How a state is protected: `encrypt` hides and protects it, `sign` protects it and leaves it readable. */
export type Mode = "encrypt" | "sign";

/** A secret of at least 32 bytes; a text counts as its UTF-8 bytes. Use random bytes, not a password. */
export type Key = Redacted.Redacted<string | Uint8Array>;

/** The fewest bytes that a key may have. */
export const minKeyBytes = 32;

/** A key is too short, or there is none at all. */
export interface WeakKey extends Cause.YieldableError {
  /** For `catchTag`. */
  readonly _tag: "WeakKey";
  /** Of the key, from 0. */
  readonly index: number;
  /** Of the key, in bytes. */
  readonly length: number;
  /** Where the keys were read from; undefined where they were given. */
  readonly variable?: string | undefined;
}

/** A key is too short, or there is none at all. */
export const WeakKey: new (args: Pick<WeakKey, "index" | "length" | "variable">) => WeakKey = class
  extends Data.TaggedError("WeakKey")<Pick<WeakKey, "index" | "length" | "variable">> {
  /** Names the place and the length of the key, and nothing else of it. */
  override get message(): string {
    const key = this.variable === undefined ? `keys[${this.index}]: it` : `${this.variable}: its key ${this.index + 1}`;
    return `Cannot seal with ${key} has ${this.length} bytes, and at least ${minKeyBytes} are needed`;
  }
};

/** One key at work. */
export interface Slot {
  /** What every state sealed with this key begins with. */
  readonly prefix: string;
  readonly guard: Guard;
}

/** The key that seals, and by their prefixes all that open. */
export interface KeyRing {
  readonly first: Slot;
  readonly slots: ReadonlyMap<string, Slot>;
}

/** Format version, in the first byte of a state. */
const version = 1;
/** In the second byte. */
const modeByte: { readonly [M in Mode]: number } = { encrypt: 1, sign: 2 };
/** Bytes of a key's id, which follow: with them, the prefix is a whole number of base64url groups. */
const idBytes = 7;
/** Characters of a prefix. */
export const prefixLength: number = (2 + idBytes) * 4 / 3;

const encoder = new TextEncoder();

const bytesOf = (key: Key): Uint8Array => {
  const secret = Redacted.value(key);
  return typeof secret === "string" ? encoder.encode(secret) : secret;
};

/** Mode and version are in the purpose, so that no state of one ever opens under a key of another. */
const purpose = (mode: Mode, use: "key" | "id"): Uint8Array => encoder.encode(`needful/seal/${version}/${mode}/${use}`);

const slot = Effect.fnUntraced(
  function* (secret: Uint8Array, mode: Mode): Effect.fn.Return<Slot, never, CryptoServices> {
    const id = yield* derive(secret, purpose(mode, "id"), idBytes);
    return {
      prefix: Base64Url.encode(Uint8Array.of(version, modeByte[mode], ...id)),
      guard: yield* guard[mode](yield* derive(secret, purpose(mode, "key"), minKeyBytes)),
    };
  },
);

/** The ring of `keys`, newest first: the first seals, all open. */
export const keyRing: (
  keys: ReadonlyArray<Key>,
  mode: Mode,
) => Effect.Effect<KeyRing, WeakKey, CryptoServices> = Effect.fnUntraced(
  function* (keys: ReadonlyArray<Key>, mode: Mode): Effect.fn.Return<KeyRing, WeakKey, CryptoServices> {
    const secrets = keys.map(bytesOf);
    const weak = secrets.findIndex((secret) => secret.length < minKeyBytes);
    if (weak >= 0) return yield* new WeakKey({ index: weak, length: secrets[weak]!.length });
    const [first, ...others] = yield* Effect.forEach(secrets, (secret) => slot(secret, mode));
    if (first === undefined) return yield* new WeakKey({ index: 0, length: 0 });
    return { first, slots: new Map([first, ...others].map((slot) => [slot.prefix, slot])) };
  },
);
