/** The options of a codec of states, checked when it is made. */
import * as Duration from "effect/Duration";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import * as Schema from "effect/Schema";
import { type Key, minKeyBytes } from "../seal/key_ring.ts";
import { maxTtl } from "../seal/make.ts";
import type { Mode } from "../seal/mod.ts";
import { type Bind, type Part, parts } from "./request_state_binding.ts";

/** A secret of at least 32 bytes; a text counts as its UTF-8 bytes. Use random bytes, not a password. */
export type Secret = string | Uint8Array | Key;

/** How a codec of states writes and protects its payloads. */
export interface Options<A> {
  /** Writes and reads the payload as JSON. */
  // deno-lint-ignore no-explicit-any -- the encoded side may be anything that turns out to be JSON
  readonly schema: Schema.Codec<A, any>;
  /** One key. Without `key` and `keys` the sealed state of the library is all the protection there is. */
  readonly key?: Secret;
  /** Several keys, newest first: the first seals, all open. */
  readonly keys?: ReadonlyArray<Secret>;
  /**
   * How long a state is good: above zero, 365 days at most. 10 minutes by default. The server's sealed state, in which it
   * travels, has a time of its own (`Sealer.Settings`), and may end sooner. Takes a key.
   */
  readonly ttl?: Duration.Input;
  /**
   * What a state belongs to: method, target and arguments of the call by default; `[]` for nothing, which `seal` outside
   * of a call takes. The library's own sealed state belongs to all of it, and to the caller, in any case. Takes a key.
   */
  readonly bind?: Bind;
  /** `encrypt` (AES-256-GCM) by default; `sign` (HMAC-SHA-256). Takes a key. */
  readonly mode?: Mode;
}

/** How payloads are sealed. */
export interface Protection {
  readonly keys: ReadonlyArray<Key>;
  readonly ttl: Duration.Duration;
  readonly bind: Bind;
  readonly mode: Mode;
}

const cannot = (why: string): string => `Cannot make a request state: ${why}`;

const encoder = new TextEncoder();

const keyOf = (secret: unknown, name: string): Key => {
  const value = Redacted.isRedacted(secret) ? Redacted.value(secret) : secret;
  if (typeof value !== "string" && !(value instanceof Uint8Array)) {
    throw new TypeError(cannot(`${name} is neither a text nor bytes`));
  }
  const { length } = typeof value === "string" ? encoder.encode(value) : value;
  if (length < minKeyBytes) {
    throw new RangeError(cannot(`${name} has ${length} bytes, and at least ${minKeyBytes} are needed`));
  }
  return Redacted.make(value);
};

const keysOf = (options: Options<never>): ReadonlyArray<Key> | undefined => {
  if (!("key" in options) && !("keys" in options)) return undefined;
  if ("key" in options && "keys" in options) throw new TypeError(cannot("it has both key and keys"));
  if ("key" in options) return [keyOf(options.key, "key")];
  if (!Array.isArray(options.keys)) throw new TypeError(cannot("keys is not a list"));
  if (options.keys.length === 0) throw new RangeError(cannot("keys is empty"));
  return options.keys.map((key, index) => keyOf(key, `keys[${index}]`));
};

const ttlOf = (input: Duration.Input): Duration.Duration => {
  const ttl = Option.getOrUndefined(Duration.fromInput(input));
  const millis = ttl === undefined || Number.isNaN(input) ? Number.NaN : Duration.toMillis(ttl);
  if (ttl === undefined || !(millis > 0 && millis <= maxTtl)) {
    throw new RangeError(cannot(`ttl is ${String(input)}, and must be above zero and 365 days at most`));
  }
  return ttl;
};

const bindOf = (bind: unknown): Bind => {
  if (typeof bind === "function") return bind as Bind;
  if (Array.isArray(bind) && bind.every((part) => parts.includes(part))) return bind as ReadonlyArray<Part>;
  throw new TypeError(cannot(`bind is neither a function nor a list of ${parts.join(", ")}`));
};

const modeOf = (mode: unknown): Mode => {
  if (mode === "encrypt" || mode === "sign") return mode;
  throw new TypeError(cannot(`mode is ${String(mode)}, which is neither encrypt nor sign`));
};

/** What of the host's crypto sealing needs. */
interface Host {
  readonly crypto?: { readonly subtle?: unknown };
}

/** The protection of payloads; undefined where there is none. Throws what is wrong with the options. */
export const checked = <A>(options: Options<A>): Protection | undefined => {
  if (!Schema.isSchema(options.schema)) throw new TypeError(cannot("schema is no schema"));
  const { bind = ["method", "target", "arguments"], mode = "encrypt", ttl = "10 minutes" } = options;
  const protection = { bind: bindOf(bind), mode: modeOf(mode), ttl: ttlOf(ttl) };
  const keys = keysOf(options as unknown as Options<never>);
  if (keys === undefined) {
    const idle = (["ttl", "bind", "mode"] as const).find((name) => options[name] !== undefined);
    if (idle !== undefined) throw new TypeError(cannot(`${idle} takes a key, and there is none`));
    return undefined;
  }
  if ((globalThis as Host).crypto?.subtle === undefined) {
    throw new TypeError(cannot("this host has no Web Crypto (crypto.subtle)"));
  }
  return { keys, ...protection };
};
