/** A running server: the value with its services, ready to act on requests. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import * as Tracer from "effect/Tracer";
import { layerAmbient } from "../model/crypto.ts";
import { prepare } from "../run/context.ts";
import { defaultLimits, type Limits } from "../run/limits.ts";
import { layerConfig, Sealer } from "../seal/mod.ts";
import { Catalog } from "./catalog_service.ts";
import type { McpServer } from "./mcp_server.ts";

export type { Limits } from "../run/limits.ts";

/** A running server. Immutable; what changes while it runs is in the catalog. */
export interface Instance {
  readonly server: McpServer<unknown>;
  readonly catalog: Catalog;
  readonly sealer: Sealer;
  /** The author's services with those of the server; a call adds its own. */
  readonly context: Context.Context<never>;
  readonly limits: Limits;
  /** Whether there is a tracer to make spans for. */
  readonly traced: boolean;
}

/** Why a server cannot run: its keys are not usable. */
export type InstanceError = Layer.Error<typeof layerConfig>;

/** The sealer in the context, else the one that the environment configures. */
const sealer: Effect.Effect<Sealer, InstanceError, Scope.Scope> = Effect.flatMap(
  Effect.serviceOption(Sealer),
  (given) =>
    given._tag === "Some"
      ? Effect.succeed(given.value)
      : Effect.map(Layer.build(Layer.provide(layerConfig, layerAmbient)), Context.get(Sealer)),
);

/** Runs `server` with the services of the current context and with `catalog`. */
export const make = <R>(
  server: McpServer<R>,
  catalog: Catalog,
  limits: Partial<Limits> = {},
): Effect.Effect<Instance, InstanceError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>();
    return {
      server,
      catalog,
      sealer: yield* sealer,
      context: prepare(Context.add(context, Catalog, catalog)) as Context.Context<never>,
      limits: { ...defaultLimits, ...limits },
      traced: context.mapUnsafe.has(Tracer.TracerKey),
    };
  });
