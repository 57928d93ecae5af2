/** Runs a feature as dispatch does, without an interpreter: for handlers that do not ask. */
import * as Effect from "effect/Effect";
import type { JsonRecord } from "../../src/model/json.ts";
import type { AnyFeature, Decoded, Finished } from "../../src/server/feature.ts";

/** What the feature makes of these arguments. */
export const run = async (feature: AnyFeature, args: JsonRecord = {}): Promise<Finished | Decoded> => {
  const decoded = feature.decode(args);
  if (decoded._tag === "Refused") return decoded;
  const handled = Effect.suspend(() => feature.handle(decoded.input)) as Effect.Effect<unknown, unknown>;
  return feature.finish(await Effect.runPromiseExit(handled));
};
