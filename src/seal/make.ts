/** Makes the sealer out of keys and the crypto services of the context. */
import type * as Cause from "effect/Cause";
import * as Data from "effect/Data";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type { CryptoServices } from "../model/crypto.ts";
import { context, fromText, lifetimeBytes, pack, toText, unpack } from "./envelope.ts";
import { type Key, type KeyRing, keyRing, type Mode, prefixLength, type WeakKey } from "./key_ring.ts";
import { InvalidState, Sealer, StateTooLarge } from "./sealer.ts";

/** How to seal, apart from the keys. */
export interface Settings {
  /** `encrypt` (AES-256-GCM) by default; `sign` (HMAC-SHA-256) leaves what is sealed readable for the client. */
  readonly mode?: Mode;
  /** How long a state is good, each round anew: above zero, 365 days at most. 10 minutes by default. */
  readonly ttl?: Duration.Input;
}

/** How to seal. */
export interface Options extends Settings {
  /**
   * Newest first: the first seals, all open. Each has 32 bytes or more. Put a new key in front on every instance before
   * one of them has made 2^32 states, the bound for random nonces, and drop the old one when its last states have expired.
   */
  readonly keys: ReadonlyArray<Key>;
}

/** The time to live is no duration above zero and of 365 days at most. */
export interface InvalidTtl extends Cause.YieldableError {
  /** For `catchTag`. */
  readonly _tag: "InvalidTtl";
  /** As it was given. */
  readonly ttl: string;
}

/** The time to live is no duration above zero and of 365 days at most. */
export const InvalidTtl: new (args: { readonly ttl: string }) => InvalidTtl = class
  extends Data.TaggedError("InvalidTtl")<{ readonly ttl: string }> {
  /** Names the time. */
  override get message(): string {
    return `Cannot let states live for ${this.ttl}: the time must be above zero and 365 days at most`;
  }
};

/** The most characters that a state may have, in both directions. */
export const limit = 65_536;

const defaultTtl = Duration.minutes(10);
/** The longest time to live, in milliseconds. */
export const maxTtl: number = Duration.toMillis(Duration.days(365));
/** How far, in milliseconds, the clocks of two instances may be apart before a state is held to come from the future. */
const skew = 60_000;

/** In whole milliseconds. */
const lifetime = (input: Duration.Input): Effect.Effect<number, InvalidTtl> => {
  const ttl = Option.match(Duration.fromInput(input), { onNone: () => Number.NaN, onSome: Duration.toMillis });
  return ttl > 0 && ttl <= maxTtl ? Effect.succeed(Math.ceil(ttl)) : new InvalidTtl({ ttl: String(input) });
};

/** Why a state is refused whose seal is broken; with another binding it may be whole. */
export const broken = "The state was altered, or sealed for another server, call or user";

const refuse = (reason: string): Effect.Effect<never, InvalidState> => Effect.fail(new InvalidState({ reason }));

const seal = ({ first: { prefix, guard } }: KeyRing, ttl: number): Sealer["seal"] => (payload, binding) =>
  Effect.clockWith((clock) => {
    const issued = clock.currentTimeMillisUnsafe();
    const time = { issued, expires: issued + ttl };
    const text = toText(payload);
    const length = prefixLength + Math.ceil((lifetimeBytes + text.length + guard.overhead) * 4 / 3);
    return length > limit
      ? Effect.fail(new StateTooLarge({ length, limit }))
      : Effect.map(guard.protect(text, context(prefix, time, binding)), (body) => pack(prefix, time, body));
  });

/** What is decided by the state alone comes first, what costs the least before the rest: its type, its length, its key. */
const open = (ring: KeyRing): Sealer["open"] => (state, binding) =>
  Effect.clockWith((clock) => {
    if (typeof state !== "string") {
      return refuse(`The state is no string but ${state === null ? "null" : typeof state}`);
    }
    if (state.length > limit) return refuse(`The state has ${state.length} characters, more than ${limit}`);
    const slot = ring.slots.get(state.slice(0, prefixLength));
    if (slot === undefined) return refuse("The state was sealed with another key, in another mode, or not at all");
    const { prefix, guard } = slot;
    const parts = unpack(prefix, state, guard.overhead);
    if (parts === undefined) return refuse("The state is cut off or not in its canonical form");
    const { lifetime: { issued, expires }, body } = parts;
    return Effect.flatMap(guard.reveal(body, context(prefix, parts.lifetime, binding)), (text) => {
      if (text === undefined) return refuse(broken);
      const now = clock.currentTimeMillisUnsafe();
      if (now >= expires) return refuse(`The state expired ${now - expires} ms ago`);
      if (issued - now > skew) return refuse(`The state was issued ${issued - now} ms from now`);
      return Effect.succeed(fromText(text));
    });
  });

/** Makes a sealer. */
export const make: (options: Options) => Effect.Effect<Sealer, WeakKey | InvalidTtl, CryptoServices> = Effect
  .fnUntraced(function* ({ keys, mode = "encrypt", ttl = defaultTtl }: Options) {
    const millis = yield* lifetime(ttl);
    const ring = yield* keyRing(keys, mode);
    return { seal: seal(ring, millis), open: open(ring) };
  });

/** The sealer with these keys. */
export const layer = (options: Options): Layer.Layer<Sealer, WeakKey | InvalidTtl, CryptoServices> =>
  Layer.effect(Sealer, make(options));
