/** Case B11: the keys in the environment, and what the operator hears when there are none. */
import { test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as ConfigProvider from "effect/ConfigProvider";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as Redacted from "effect/Redacted";
import * as Native from "../../src/runtime/native_crypto.ts";
import * as Sealer from "../../src/seal/mod.ts";
import { keyA, keyB, open, payload, refusal, seal, sealer } from "./fixtures.ts";

const [a, b] = [keyA, keyB].map((key) => Redacted.value(key) as string) as [string, string];

interface Start {
  readonly sealer: Sealer.Sealer;
  readonly log: ReadonlyArray<string>;
}

/** The sealer of a process whose environment is `environment`, and what it logs. */
const start = (environment: Record<string, string>, layer = Sealer.layerConfig) =>
  Effect.suspend(() => {
    const log: Array<string> = [];
    const logger = Logger.make(({ logLevel, message }) => void log.push(`${logLevel}: ${message}`));
    return Effect.map(Sealer.Sealer, (sealer): Start => ({ sealer, log })).pipe(
      Effect.provide(layer),
      Effect.provide(
        Layer.mergeAll(
          Native.layer,
          ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)),
          Logger.layer([logger]),
        ),
      ),
    );
  });

const run = (secret: string, layer = Sealer.layerConfig): Start =>
  Effect.runSync(start({ MCP_STATE_SECRET: secret }, layer));

test("layerConfig: reads MCP_STATE_SECRET, newest first, without white space, and logs nothing", () => {
  const started = run(` ${b} ,\n${a},`);
  assertEquals(started.log, []);
  assertEquals(open(started.sealer, seal(sealer({ keys: [keyA] }), payload)), payload);
  assertEquals(open(sealer({ keys: [keyB] }), seal(started.sealer, payload)), payload);
  assertEquals(open(run(a).sealer, seal(run(a).sealer, payload)), payload);
});

test("layerConfig: without a secret two processes cannot open each other's states, and each says so once", () => {
  for (const environment of [{}, { MCP_STATE_SECRET: "" }, { MCP_STATE_SECRET: " , " }]) {
    const one = Effect.runSync(start(environment));
    const two = Effect.runSync(start(environment));
    const state = seal(one.sealer, payload);
    assertEquals(open(one.sealer, state), payload);
    assertEquals(refusal(two.sealer, state).message, "Invalid request state");
    assertEquals(one.log.length, 1);
    const warning = one.log[0]!;
    for (const part of ["Warn: ", "MCP_STATE_SECRET is not set, or may not be read", "another process", "restart"]) {
      assertStringIncludes(warning, part);
    }
  }
});

test("layerConfig: refuses a secret under 32 bytes without naming it", () => {
  const error = Effect.runSync(Effect.flip(start({ MCP_STATE_SECRET: `${a},hunter2` })));
  assertEquals([error._tag, error.message], [
    "WeakKey",
    "Cannot seal with MCP_STATE_SECRET: its key 2 has 7 bytes, and at least 32 are needed",
  ]);
});

test("layerConfigWith: takes the settings beside the keys", () => {
  const signing = run(a, Sealer.layerConfigWith({ mode: "sign", ttl: "1 minute" })).sealer;
  assertEquals(open(sealer({ mode: "sign" }), seal(signing, payload)), payload);
  const wrong = start({ MCP_STATE_SECRET: a }, Sealer.layerConfigWith({ ttl: 0 }));
  assertEquals(Effect.runSync(Effect.flip(wrong))._tag, "InvalidTtl");
});

test("layerConfig: fails where the configuration cannot be read, and makes no key of its own then", () => {
  const provider = ConfigProvider.make(() => Effect.fail(new ConfigProvider.SourceError({ message: "out of reach" })));
  const layer = Sealer.layerConfig.pipe(Layer.provide(Layer.merge(Native.layer, ConfigProvider.layer(provider))));
  assertEquals(Effect.runSync(Effect.flip(Effect.provide(Sealer.Sealer, layer)))._tag, "ConfigError");
});
