/** Counts what a piece of work makes a server do, by standing in the way of everything that costs. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Metric from "effect/Metric";
import * as Redacted from "effect/Redacted";
import * as Schema from "effect/Schema";
import { Sealer } from "@needful/mcp";
import { type CryptoServices, layerPrimitives, type Primitives } from "../../src/model/crypto.ts";
import { Hash } from "../../src/model/hash.ts";
import { sha256 } from "../../src/model/sha256.ts";
import { primitives } from "../../src/runtime/native_crypto.ts";

/** How often each thing was done. Only what was done at all is in it. */
export interface Counts {
  readonly [what: string]: number;
}

let counts: Map<string, number> | undefined;

/** Counts one, if anybody counts. */
const count = (what: string): void => void counts?.set(what, (counts.get(what) ?? 0) + 1);

/** Puts something that counts in the place of a function or a getter. Gives the way back. */
const watch = (target: object, name: string, what: string): () => void => {
  const own = Object.getOwnPropertyDescriptor(target, name);
  if (own === undefined) throw new Error(`There is no ${name} to watch`);
  // Functions of the host that are got by a getter, as some are on Deno, are counted when they are called
  const call = own.get === undefined || target === globalThis;
  const original: (...args: Array<unknown>) => unknown = call ? Reflect.get(target, name) : own.get;
  function counting(this: unknown, ...args: Array<unknown>): unknown {
    count(what);
    return Reflect.apply(original, this, args);
  }
  Object.defineProperty(target, name, call ? { value: counting } : { get: counting });
  return () => Object.defineProperty(target, name, own);
};

/** The prototype that fibers have in common: each entry into its loop is a run of Effect, be it a start or a resumption. */
const fibers: object = Object.getPrototypeOf(Effect.runFork(Effect.void));

/** The prototype of structs, whose parsers are compiled. */
const structs: object = Object.getPrototypeOf(Schema.Struct({}).ast);

const places: ReadonlyArray<readonly [target: object, name: string, what: string]> = [
  [fibers, "runLoop", "run"],
  [structs, "getParser", "compilation"],
  [JSON, "parse", "JSON.parse"],
  [JSON, "stringify", "JSON.stringify"],
  [Headers.prototype, "get", "header"],
  [Request.prototype, "body", "stream"],
  [globalThis, "setTimeout", "timer"],
  [globalThis, "setInterval", "timer"],
  [globalThis, "setImmediate", "turn"],
  [globalThis, "queueMicrotask", "microtask"],
];

/** What `work` makes happen until it has resolved. One at a time. */
export const counted = async (work: () => Promise<unknown>): Promise<Counts> => {
  const restore = places.map((place) => watch(...place));
  const seen = counts = new Map<string, number>();
  await work().finally(() => {
    counts = undefined;
    for (const undo of restore) undo();
  });
  return Object.fromEntries([...seen].sort());
};

/** What is left of `counts` without what `others` has. */
export const without = (counts: Counts, others: Counts): Counts =>
  Object.fromEntries(
    Object.entries(counts).map(([what, times]) => [what, times - (others[what] ?? 0)] as const).filter(([, n]) =>
      n !== 0
    ),
  );

const counting =
  <A extends ReadonlyArray<unknown>, B>(what: string, run: (...args: A) => B): (...args: A) => B => (...args) => {
    count(what);
    return run(...args);
  };

const crypto: Primitives = {
  aes256Gcm: {
    encrypt: counting("encrypt", primitives.aes256Gcm.encrypt),
    decrypt: counting("decrypt", primitives.aes256Gcm.decrypt),
  },
  hmac: counting("hmac", primitives.hmac),
  hkdf: counting("hkdf", primitives.hkdf),
  randomBytes: counting("random", primitives.randomBytes),
};

const services: Layer.Layer<CryptoServices> = Layer.mergeAll(
  layerPrimitives(crypto),
  Layer.succeed(Hash, { sha256: counting("hash", sha256) }),
  Layer.succeed(Metric.FiberRuntimeMetrics, {
    recordFiberStart: () => count("fiber"),
    recordFiberEnd: () => {},
  }),
);

/** The crypto services, the hash and the sealer of a server whose work is counted, and its fibers. */
export const layer: Layer.Layer<CryptoServices | Sealer.Sealer> = Layer.provideMerge(
  Layer.orDie(Sealer.layer({ keys: [Redacted.make("a key for tests that is long enough")] })),
  services,
);
