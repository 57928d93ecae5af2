/** What all ways of serving begin with. */
import type * as Cause from "effect/Cause";
import * as ConfigProvider from "effect/ConfigProvider";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import { make as makeCatalog } from "../server/catalog.ts";
import type { Catalog } from "../server/catalog_service.ts";
import * as Instance from "../server/instance.ts";
import type { McpServer } from "../server/mcp_server.ts";

/** The server cannot be started. The message says why. */
export interface ServeError extends Cause.YieldableError {
  /** The tag for `catchTag`. */
  readonly _tag: "ServeError";
  /** What could not be done, and why. */
  readonly reason: string;
  /** What was thrown, if something was. */
  readonly cause?: unknown;
}

/** The server cannot be started. The message says why. */
export const ServeError: new (args: { readonly reason: string; readonly cause?: unknown }) => ServeError = class
  extends Data.TaggedError("ServeError")<{ readonly reason: string; readonly cause?: unknown }> {
  /** The reason. */
  override get message(): string {
    return this.reason;
  }
};

const variable = "MCP_STATE_SECRET";

/** The value of a variable of the environment, if it has one, and the process may read it. */
export type Environment = (variable: string) => string | undefined;

/** What is common to the options of all ways of serving. */
interface Options {
  readonly limits?: Partial<Instance.Limits>;
  readonly live?: Partial<Instance.LiveLimits>;
  readonly subscriptions?: { readonly max?: number };
}

/** The errors of a sealer say what cannot be done; those of a configuration do not. */
const reasonOf = (cause: Instance.InstanceError): string =>
  cause._tag === "ConfigError" ? `Cannot read ${variable}: ${cause.message}` : cause.message;

/** A server that runs, with its catalog. */
export interface Started {
  readonly catalog: Catalog;
  readonly instance: Instance.Instance;
}

/**
 * Runs `server` with the services of the current context, and with the keys in the environment if it has no `Sealer`. No
 * other variable is read. Without an `environment` the keys are where Effect reads configuration.
 */
export const start = <R>(
  server: McpServer<R>,
  { limits = {}, live = {}, subscriptions }: Options,
  environment?: Environment,
): Effect.Effect<Started, ServeError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const max = subscriptions?.max;
    const catalog = yield* makeCatalog(server, max === undefined ? {} : { maxSubscriptions: max });
    const config = environment === undefined
      ? {}
      : { config: ConfigProvider.fromEnvRecord({ [variable]: environment(variable) }) };
    const instance = yield* Effect.mapError(
      Instance.make(server, catalog, { limits, live, ...config }),
      (cause) => new ServeError({ reason: reasonOf(cause), cause }),
    );
    return { catalog, instance };
  });
