/** What the tests of sealing share. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import * as SecureRandom from "effect/crypto/SecureRandom";
import { type CryptoServices, layerWebCrypto } from "../../src/model/crypto.ts";
import * as Native from "../../src/runtime/native_crypto.ts";
import * as Sealer from "../../src/seal/mod.ts";

export const key = (secret: string): Sealer.Key => Redacted.make(secret);

export const keyA: Sealer.Key = key("the secret a: 0123456789abcdef0123456789");
export const keyB: Sealer.Key = key("the secret b: 0123456789abcdef0123456789");
export const keyC: Sealer.Key = key("the secret c: 0123456789abcdef0123456789");

export const modes: ReadonlyArray<Sealer.Mode> = ["encrypt", "sign"];

/** Both implementations of the crypto services. */
export const platforms: ReadonlyArray<readonly [name: string, layer: Layer.Layer<CryptoServices>]> = [
  ["native", Native.layer],
  ["WebCrypto", layerWebCrypto],
];

/** A sealer over the native services. */
export const sealer = (options: Partial<Sealer.Options> = {}): Sealer.Sealer =>
  Effect.runSync(Effect.provide(Sealer.make({ keys: [keyA], ...options }), Native.layer));

/** Crypto services whose random bytes are all `bytes`. */
export const fixedRandom = (
  layer: Layer.Layer<CryptoServices>,
  bytes: Uint8Array,
): Layer.Layer<CryptoServices> =>
  Layer.merge(layer, Layer.succeed(SecureRandom.SecureRandom, SecureRandom.make(() => bytes.slice())));

/** The call `ask_name {"a":1,"b":2}` of Ada. */
export const binding: Sealer.Binding = {
  audience: "test-server",
  method: "tools/call",
  target: "ask_name",
  arguments: { a: 1, b: 2 },
  subject: "ada",
};

export const seal = (sealer: Sealer.Sealer, payload: string, to: Sealer.Binding = binding): string =>
  Effect.runSync(sealer.seal(payload, to));

export const open = (sealer: Sealer.Sealer, state: unknown, to: Sealer.Binding = binding): string =>
  Effect.runSync(sealer.open(state, to));

/** The error with which `state` is refused; throws if it opens. */
export const refusal = (
  sealer: Sealer.Sealer,
  state: unknown,
  to: Sealer.Binding = binding,
): Sealer.InvalidState => Effect.runSync(Effect.flip(sealer.open(state, to)));

/** A journal as it travels: JSON text. With it a state has about 600 characters. */
export const payload: string = JSON.stringify({
  v: 1,
  flow: "0123456789abcdefghijkl",
  round: 2,
  answers: [["who", "qZk-p1S3r9kGHxwB6nq0gGJm3p0cT2mZ5d3X0a7u9aQ", {
    action: "accept",
    content: { name: "Åsa 日本語 🙂" },
  }]],
  asked: [["sure", "4Zk-p1S3r9kGHxwB6nq0gGJm3p0cT2mZ5d3X0a7u9aQ", "elicitation"]],
  steps: [["refund", {
    _tag: "Success",
    value: { id: "r-1", amount: 12.5, note: "a note that fills the journal up to its size" },
  }]],
  cells: [["count", 3]],
});
