/** A running server: the value with its services, ready to act on requests. */
import * as ConfigProvider from "effect/ConfigProvider";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type * as Scope from "effect/Scope";
import * as Tracer from "effect/Tracer";
import { layerAmbient } from "../model/crypto.ts";
import { prepare } from "../run/context.ts";
import { type LimitOptions, type Limits, limitsOf } from "../run/limits.ts";
import { defaultLiveLimits, type LiveLimits } from "../run/live_limits.ts";
import { layerConfig, Sealer } from "../seal/mod.ts";
import { pooledId } from "../seal/random_id.ts";
import { Catalog } from "./catalog_service.ts";
import type { McpServer } from "./mcp_server.ts";

export type { LimitOptions as Limits } from "../run/limits.ts";
export type { LiveLimits } from "../run/live_limits.ts";

/** A running server. Immutable; what changes while it runs is in the catalog. */
export interface Instance {
  readonly server: McpServer<unknown>;
  readonly catalog: Catalog;
  readonly sealer: Sealer;
  /** Gives the id of another flow each time. */
  readonly flowId: Effect.Effect<string>;
  /** The author's services with those of the server; a call adds its own. */
  readonly context: Context.Context<never>;
  readonly limits: Limits;
  /** Of calls that ask while they are open. */
  readonly live: LiveLimits;
  /** Whether there is a tracer to make spans for. */
  readonly traced: boolean;
}

/** Why a server cannot run: its keys are not usable. */
export type InstanceError = Layer.Error<typeof layerConfig>;

/** What may be chosen about an instance. */
export interface Options {
  readonly limits?: Partial<LimitOptions>;
  readonly live?: Partial<LiveLimits>;
  /** Where the keys of the sealer are read from, unless the context says so. Default: the environment. */
  readonly config?: ConfigProvider.ConfigProvider;
}

const layerSealer = (context: Context.Context<never>, config: ConfigProvider.ConfigProvider | undefined) => {
  const layer = Layer.provide(layerConfig, layerAmbient);
  return config === undefined || context.mapUnsafe.has(ConfigProvider.ConfigProvider.key)
    ? layer
    : Layer.provide(layer, ConfigProvider.layer(config));
};

/** Runs `server` with the services of the current context, its `Sealer` among them if it has one, and with `catalog`. */
export const make = <R>(
  server: McpServer<R>,
  catalog: Catalog,
  { config, limits, live }: Options = {},
): Effect.Effect<Instance, InstanceError, R | Scope.Scope> =>
  Effect.gen(function* () {
    // Requests do not belong to the span in which the server was started
    const context = Context.omit(Tracer.ParentSpan)(yield* Effect.context<R>()) as Context.Context<R>;
    const given = Context.getOption(context, Sealer);
    const sealer = Option.isSome(given)
      ? given.value
      : Context.get(yield* Layer.build(layerSealer(context, config)), Sealer);
    return {
      server,
      catalog,
      sealer,
      flowId: pooledId(),
      context: prepare(Context.add(context, Catalog, catalog)) as Context.Context<never>,
      limits: limitsOf(limits),
      live: { ...defaultLiveLimits, ...live },
      traced: context.mapUnsafe.has(Tracer.TracerKey),
    };
  });
