/** The catalog of one running server. */
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { type ChangeKind, changeKind, type Filter } from "../model/change.ts";
import type { Fault } from "../model/fault.ts";
import type { Principal } from "../model/principal.ts";
import type { ListKind } from "../model/request.ts";
import { CatalogList, isVisible } from "./catalog_list.ts";
import { Listeners } from "./catalog_listeners.ts";
import type { Catalog, Found, Joining, Page, Served, Sink, Subscription } from "./catalog_service.ts";
import { keyOf } from "./key.ts";
import type { AnyFeature, PromptFeature, ResourceFeature, TemplateFeature, ToolFeature } from "./feature.ts";
import type { McpServer } from "./mcp_server.ts";

/** The kind of list that each kind of feature is in. */
const kinds: { readonly [K in AnyFeature["_tag"]]: ListKind } = {
  Tool: "tools",
  Resource: "resources",
  Template: "templates",
  Prompt: "prompts",
};

/** The catalog of one running server. */
export class CatalogImpl implements Catalog {
  readonly #lists: {
    readonly tools: CatalogList<ToolFeature>;
    readonly resources: CatalogList<ResourceFeature>;
    readonly templates: CatalogList<TemplateFeature>;
    readonly prompts: CatalogList<PromptFeature>;
  };
  readonly #declared: Pick<Served, ChangeKind>;
  readonly #listeners: Listeners;
  readonly #maxUris: number;
  #templates: ReadonlyArray<TemplateFeature> = [];
  #served: Served;

  constructor(
    server: McpServer<unknown>,
    context: Context.Context<never>,
    maxSubscriptions: number,
    maxUris: number,
  ) {
    const { pageSize } = server;
    this.#lists = {
      tools: new CatalogList("tools", pageSize),
      resources: new CatalogList("resources", pageSize),
      templates: new CatalogList("templates", pageSize),
      prompts: new CatalogList("prompts", pageSize),
    };
    this.#declared = {
      tools: server.tools !== undefined,
      resources: server.resources !== undefined,
      prompts: server.prompts !== undefined,
    };
    this.#listeners = new Listeners(context, maxSubscriptions);
    this.#maxUris = maxUris;
    for (const feature of [...server.tools ?? [], ...server.resources ?? [], ...server.prompts ?? []]) {
      this.#list(kinds[feature._tag]).put(keyOf(feature), feature);
    }
    this.#served = this.#serving();
  }

  readonly tool = (name: string, principal: Principal): ToolFeature | undefined =>
    seen(this.#lists.tools.get(name), principal);

  readonly prompt = (name: string, principal: Principal): PromptFeature | undefined =>
    seen(this.#lists.prompts.get(name), principal);

  readonly resource = (uri: string, principal: Principal): Found | undefined => {
    const fixed = seen(this.#lists.resources.get(uri), principal);
    if (fixed !== undefined) return { feature: fixed, args: {} };
    for (const feature of this.#templates) {
      const args = isVisible(feature, principal) ? feature.match(uri) : undefined;
      if (args !== undefined) return { feature, args };
    }
    return undefined;
  };

  readonly template = (uriTemplate: string, principal: Principal): TemplateFeature | undefined =>
    seen(this.#lists.templates.get(uriTemplate), principal);

  readonly page = (kind: ListKind, cursor: unknown, principal: Principal): Page | Fault =>
    this.#lists[kind].page(cursor, principal);

  readonly served = (): Served => this.#served;

  readonly listen = (filter: Filter, principal: Principal, sink: Sink, limited = true): Subscription | Fault => {
    const uris = [...new Set(filter.uris)];
    const honoured: Filter = {
      lists: [...new Set(filter.lists)].filter((kind) => this.#served[kind]),
      uris: (limited ? uris.slice(0, this.#maxUris) : uris)
        .filter((uri) => this.resource(uri, principal) !== undefined),
    };
    return this.#listeners.listen(honoured, principal, sink, limited);
  };

  readonly shutdown: Effect.Effect<void> = Effect.sync(() => this.#listeners.shutdown());

  readonly put = (feature: Joining, replace: boolean): Effect.Effect<boolean> =>
    Effect.sync(() => {
      const kind = kinds[feature._tag];
      const list = this.#list(kind);
      const key = keyOf(feature);
      if (!replace && list.get(key) !== undefined) return false;
      const old = list.put(key, feature);
      this.#changed(kind, old === undefined ? [feature] : [old, feature]);
      return true;
    });

  readonly remove = (kind: ListKind, name: string): Effect.Effect<boolean> =>
    Effect.sync(() => {
      const old = this.#list(kind).remove(name);
      if (old !== undefined) this.#changed(kind, [old]);
      return old !== undefined;
    });

  readonly resourceUpdated = (uri: string): Effect.Effect<void> =>
    Effect.sync(() => this.#listeners.updated(uri, (principal) => this.resource(uri, principal) !== undefined));

  /** A feature is put into the list of its own tag only. */
  #list(kind: ListKind): CatalogList<AnyFeature> {
    return this.#lists[kind] as unknown as CatalogList<AnyFeature>;
  }

  #changed(kind: ListKind, features: ReadonlyArray<AnyFeature>): void {
    const served = this.#serving();
    const same = Object.entries(served).every(([name, value]) => this.#served[name as keyof Served] === value);
    if (!same) this.#served = served;
    this.#listeners.changed(changeKind[kind], features);
  }

  #serving(): Served {
    const { prompts, resources, templates, tools } = this.#lists;
    this.#templates = templates.features();
    return {
      tools: this.#declared.tools || tools.size > 0,
      resources: this.#declared.resources || resources.size + templates.size > 0,
      prompts: this.#declared.prompts || prompts.size > 0,
      completions: [...prompts.features(), ...this.#templates].some(({ complete }) => complete !== undefined),
    };
  }
}

const seen = <F extends AnyFeature>(feature: F | undefined, principal: Principal): F | undefined =>
  feature !== undefined && isVisible(feature, principal) ? feature : undefined;
