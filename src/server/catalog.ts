/**
 * The catalog: what a running server serves, which may change while it runs. Clients that listen are told.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect";
 * import { Catalog, Tool } from "@needful/mcp";
 *
 * const extra = Tool.make("extra", { handler: () => Effect.succeed("Here I am.") });
 *
 * const unlock = Tool.make("unlock", {
 *   description: "Adds a tool",
 *   handler: Effect.fn(function* () {
 *     yield* Catalog.replaceTool(extra);
 *     return "There is a new tool.";
 *   }),
 * });
 * ```
 *
 * @module
 */
import type * as Cause from "effect/Cause";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type { ListKind } from "../model/request.ts";
import { CatalogImpl } from "./catalog_impl.ts";
import { Catalog, type Joining, type Provided } from "./catalog_service.ts";
import type { McpServer } from "./mcp_server.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource, Template } from "./resource.ts";
import type { Tool } from "./tool.ts";

export { Catalog } from "./catalog_service.ts";
export type {
  Change,
  ChangeKind,
  Filter,
  Found,
  Joining,
  Page,
  Provided,
  Served,
  Sink,
  Subscription,
} from "./catalog_service.ts";

/** How a catalog treats its subscribers. */
export interface CatalogOptions {
  /** Subscriptions at a time; more are refused. Default 10,000. */
  readonly maxSubscriptions?: number;
  /** Resources that one subscription may listen to; more are left out. Default 1,000. */
  readonly maxUris?: number;
}

/** There is a feature of this kind and name already. */
export interface Duplicate extends Cause.YieldableError {
  /** Always `Duplicate`. */
  readonly _tag: "Duplicate";
  /** The list that it is in. */
  readonly kind: ListKind;
  /** The name, the URI or the URI template. */
  readonly name: string;
}

/** There is a feature of this kind and name already. */
export const Duplicate: new (args: { readonly kind: ListKind; readonly name: string }) => Duplicate = class
  extends Data.TaggedError("Duplicate")<{ readonly kind: ListKind; readonly name: string }> {
  /** Names the feature and its list. */
  override get message(): string {
    return `There is a feature "${this.name}" in the list of ${this.kind} already`;
  }
};

/** A catalog that begins with what `server` serves. Runs nothing until something changes and somebody listens. */
export const make = <R>(server: McpServer<R>, options: CatalogOptions = {}): Effect.Effect<Catalog> =>
  Effect.map(Effect.context<never>(), (context) => {
    const { maxSubscriptions = 10_000, maxUris = 1_000 } = options;
    return new CatalogImpl(server, context, maxSubscriptions, maxUris);
  });

/** A layer of `make`, which ends all subscriptions when it closes. */
export const layer = <R>(server: McpServer<R>, options?: CatalogOptions): Layer.Layer<Catalog> =>
  Layer.effect(Catalog, Effect.acquireRelease(make(server, options), (catalog) => catalog.shutdown));

const add = (kind: ListKind, name: string, feature: Joining): Effect.Effect<void, Duplicate, Catalog> =>
  Effect.flatMap(
    Effect.flatMap(Catalog, (catalog) => catalog.put(feature, false)),
    (done) => done ? Effect.void : Effect.fail(new Duplicate({ kind, name })),
  );

const replace = (feature: Joining): Effect.Effect<void, never, Catalog> =>
  Effect.asVoid(Effect.flatMap(Catalog, (catalog) => catalog.put(feature, true)));

const remove = (kind: ListKind, name: string): Effect.Effect<boolean, never, Catalog> =>
  Effect.flatMap(Catalog, (catalog) => catalog.remove(kind, name));

/** Adds a tool at the end of the list. */
export const addTool = (tool: Tool<Provided>): Effect.Effect<void, Duplicate, Catalog> => add("tools", tool.name, tool);

/** Puts a tool in the place of the one of its name, or at the end of the list. */
export const replaceTool = (tool: Tool<Provided>): Effect.Effect<void, never, Catalog> => replace(tool);

/** Removes a tool. False if there was none of that name. */
export const removeTool = (name: string): Effect.Effect<boolean, never, Catalog> => remove("tools", name);

/** Adds a resource or a template at the end of its list. */
export const addResource = (
  resource: Resource<Provided> | Template<Provided>,
): Effect.Effect<void, Duplicate, Catalog> =>
  resource._tag === "Resource"
    ? add("resources", resource.uri, resource)
    : add("templates", resource.uriTemplate, resource);

/** Puts a resource or a template in the place of the one of its URI or template, or at the end of its list. */
export const replaceResource = (
  resource: Resource<Provided> | Template<Provided>,
): Effect.Effect<void, never, Catalog> => replace(resource);

/** Removes a resource by its URI. False if there was none. */
export const removeResource = (uri: string): Effect.Effect<boolean, never, Catalog> => remove("resources", uri);

/** Removes a template by its text. False if there was none. */
export const removeTemplate = (uriTemplate: string): Effect.Effect<boolean, never, Catalog> =>
  remove("templates", uriTemplate);

/** Adds a prompt at the end of the list. */
export const addPrompt = (prompt: Prompt<Provided>): Effect.Effect<void, Duplicate, Catalog> =>
  add("prompts", prompt.name, prompt);

/** Puts a prompt in the place of the one of its name, or at the end of the list. */
export const replacePrompt = (prompt: Prompt<Provided>): Effect.Effect<void, never, Catalog> => replace(prompt);

/** Removes a prompt. False if there was none of that name. */
export const removePrompt = (name: string): Effect.Effect<boolean, never, Catalog> => remove("prompts", name);

/** Tells the clients that listen to the resource at `uri` that it changed. */
export const resourceUpdated = (uri: string): Effect.Effect<void, never, Catalog> =>
  Effect.flatMap(Catalog, (catalog) => catalog.resourceUpdated(uri));
