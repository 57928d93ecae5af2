/** The catalog: what one running server serves at the moment, and who listens to its changes. */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type { Change, Filter } from "../model/change.ts";
import type { Fault } from "../model/fault.ts";
import type { JsonRecord } from "../model/json.ts";
import type { Principal } from "../model/principal.ts";
import type { ListKind } from "../model/request.ts";
import type { PromptFeature, ResourceFeature, TemplateFeature, ToolFeature } from "./feature.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource, Template } from "./resource.ts";
import type { PerCall } from "./services.ts";
import type { Tool } from "./tool.ts";

export type { Change, ChangeKind, Filter } from "../model/change.ts";

/** Where changes go. Called synchronously; must not throw and must not wait. */
export interface Sink {
  readonly change: (change: Change) => void;
  /** The server ends the subscription, at shutdown. Called once, and not after `close`. */
  readonly end: () => void;
}

/** A running subscription. */
export interface Subscription {
  readonly _tag: "Subscription";
  /** The part of the filter that is served: lists that the server has, resources that this caller may read. */
  readonly honoured: Filter;
  /** Ends it from the subscriber's side. May be called twice. */
  readonly close: () => void;
}

/** One page of a list. The same object as long as nothing changes, so that its text can be kept with it. */
export interface Page {
  readonly _tag: "Page";
  readonly items: ReadonlyArray<JsonRecord>;
  readonly nextCursor: string | undefined;
  /** Whether the list depends on the caller. */
  readonly private: boolean;
}

/** What the server serves at the moment. A list that is served tells of its changes. */
export interface Served {
  readonly tools: boolean;
  readonly resources: boolean;
  readonly prompts: boolean;
  readonly completions: boolean;
}

/** A resource that was found by its URI, with the arguments for `decode`: the template's variables, or none. */
export interface Found {
  readonly feature: ResourceFeature | TemplateFeature;
  readonly args: JsonRecord;
}

/** What a handler may need without the author providing it. */
export type Provided = PerCall | Catalog;

/** A feature that may join a running server: one that needs nothing but what the server brings itself. */
export type Joining = Tool<Provided> | Resource<Provided> | Template<Provided> | Prompt<Provided>;

/** What one running server serves at the moment. Features that the caller may not see are unknown. */
export interface Catalog {
  readonly tool: (name: string, principal: Principal) => ToolFeature | undefined;
  readonly prompt: (name: string, principal: Principal) => PromptFeature | undefined;
  /** Fixed resources first, then templates in their order. */
  readonly resource: (uri: string, principal: Principal) => Found | undefined;
  /** By the template itself, for `completion/complete`. */
  readonly template: (uriTemplate: string, principal: Principal) => TemplateFeature | undefined;
  /** A page of a list; -32602 for a cursor that was not given out for this list. */
  readonly page: (kind: ListKind, cursor: unknown, principal: Principal) => Page | Fault;
  readonly served: () => Served;
  /**
   * Subscribes; a fault where too many already are. Who is bounded by other means, as sessions are, is not `limited`: it
   * takes no place from others. Default: true.
   */
  readonly listen: (filter: Filter, principal: Principal, sink: Sink, limited?: boolean) => Subscription | Fault;
  /** Ends all subscriptions, and refuses new ones. */
  readonly shutdown: Effect.Effect<void>;
  /** Puts a feature at the end of its list, or in the place of the one of its name. False, and nothing done, if it may not replace one. */
  readonly put: (feature: Joining, replace: boolean) => Effect.Effect<boolean>;
  /** Removes a feature by its name, URI or URI template. False if there was none. */
  readonly remove: (kind: ListKind, name: string) => Effect.Effect<boolean>;
  /** Tells those who listen to the resource at `uri` that it changed. */
  readonly resourceUpdated: (uri: string) => Effect.Effect<void>;
}

/** What one running server serves at the moment. */
export const Catalog: Context.Service<Catalog, Catalog> = Context.Service<Catalog>("needful/server/Catalog");
