/** The sealer as the environment configures it. */
import * as Config from "effect/Config";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Redacted from "effect/Redacted";
import { type CryptoServices, randomBytes } from "../model/crypto.ts";
import { type Key, minKeyBytes, WeakKey } from "./key_ring.ts";
import { type InvalidTtl, make, type Settings } from "./make.ts";
import { Sealer } from "./sealer.ts";

const variable = "MCP_STATE_SECRET";

const parse = (text: string): ReadonlyArray<Key> =>
  text.split(",").map((part) => part.trim()).filter((part) => part !== "").map((secret) => Redacted.make(secret));

/** The keys in the variable; without any, a random one, of which the operator is told. */
const keys: Effect.Effect<ReadonlyArray<Key>, Config.ConfigError> = Effect.gen(function* () {
  const secret = yield* Config.option(Config.Redacted(variable));
  const found = parse(Option.match(secret, { onNone: () => "", onSome: Redacted.value }));
  if (found.length > 0) return found;
  yield* Effect.logWarning(
    `${variable} is not set, or may not be read: request states are sealed with a random key that only this process has. ` +
      "Clients cannot continue a call on another process, or after a restart. " +
      `Set it to a secret of at least ${minKeyBytes} bytes, the same on every process`,
  );
  return [Redacted.make(yield* randomBytes(minKeyBytes))];
});

/** The sealer with the keys in `MCP_STATE_SECRET`, as `layerConfig`, and with settings of your own. */
export const layerConfigWith = (
  settings: Settings,
): Layer.Layer<Sealer, WeakKey | InvalidTtl | Config.ConfigError, CryptoServices> =>
  Layer.effect(
    Sealer,
    Effect.flatMap(keys, (keys) => make({ ...settings, keys })).pipe(
      Effect.catchTag("WeakKey", ({ index, length }) => new WeakKey({ index, length, variable })),
    ),
  );

/**
 * The sealer with the keys in `MCP_STATE_SECRET`, read through Effect's `Config`: comma separated, newest first, at least
 * 32 bytes each, white space around them left out. If there are none, a random key, with one warning in the log.
 */
export const layerConfig: Layer.Layer<Sealer, WeakKey | InvalidTtl | Config.ConfigError, CryptoServices> =
  layerConfigWith({});
