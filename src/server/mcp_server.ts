/** The server value: what is served, as an immutable description without any running part. */
import * as Result from "effect/Result";
import type { Implementation } from "../model/call.ts";
import type { Icon } from "../model/content.ts";
import type { JsonRecord } from "../model/json.ts";
import type { CacheHint } from "../model/reply.ts";
import type { ListKind } from "../model/request.ts";
import { type CacheOptions, toHint } from "./cache.ts";
import type { Provided } from "./catalog_service.ts";
import type { AnyFeature } from "./feature.ts";
import type * as Prompt from "./prompt.ts";
import type * as Resource from "./resource.ts";
import { keyOf } from "./key.ts";
import { check, nameFault } from "./names.ts";
import { cannot, defined } from "./options.ts";
import type * as Tool from "./tool.ts";

export type { CacheOptions } from "./cache.ts";

/** What a server may say about itself, and what it serves. */
export interface Options<
  T extends ReadonlyArray<Tool.Any>,
  S extends ReadonlyArray<Resource.Any>,
  P extends ReadonlyArray<Prompt.Any>,
> {
  /** For programs. Sealed states are bound to it. */
  readonly name: string;
  /** Of the server, not of the protocol. */
  readonly version: string;
  /** For people. */
  readonly title?: string;
  /** For models and people. */
  readonly description?: string;
  /** For display. */
  readonly icons?: ReadonlyArray<Icon>;
  /** Where people read more. */
  readonly websiteUrl?: string;
  /** What a model should know to use this server. */
  readonly instructions?: string;
  /** Protocol extensions that the server serves, with their settings. */
  readonly extensions?: { readonly [id: string]: JsonRecord };
  /** Entries in one page of a list. Default 1,000. */
  readonly pageSize?: number;
  /** Caching of `server/discover` and of the lists; by default nothing is kept. */
  readonly cache?: { readonly [K in "discover" | ListKind]?: CacheOptions };
  /** An empty list declares the capability, for a server that adds tools while it runs; absent declares nothing. */
  readonly tools?: T;
  /** Fixed resources and templates. */
  readonly resources?: S;
  /** Prompts, in the order of their list. */
  readonly prompts?: P;
}

/** A server; `R` is what its handlers need and the author has to provide. */
export interface McpServer<out R = never> {
  /** What `serverInfo` says. */
  readonly info: Implementation;
  /** What a model should know to use this server. */
  readonly instructions: string | undefined;
  /** Protocol extensions, with their settings. */
  readonly extensions: { readonly [id: string]: JsonRecord } | undefined;
  /** Entries in one page of a list. */
  readonly pageSize: number;
  /** Caching of `server/discover` and of the lists. */
  readonly cache: { readonly [K in "discover" | ListKind]: CacheHint };
  /** Undefined: the capability is not declared until the first one joins. */
  readonly tools: ReadonlyArray<Tool.Tool<R | Provided>> | undefined;
  /** Fixed resources and templates. */
  readonly resources: ReadonlyArray<Resource.Resource<R | Provided> | Resource.Template<R | Provided>> | undefined;
  /** Prompts. */
  readonly prompts: ReadonlyArray<Prompt.Prompt<R | Provided>> | undefined;
}

/** What the members of a list need, without what every call brings. */
export type Services<T> = Exclude<Tool.Services<T> | Resource.Services<T> | Prompt.Services<T>, Provided>;

/** Kinds of features, as errors name them. */
const kinds: { readonly [K in AnyFeature["_tag"]]: string } = {
  Tool: "tool",
  Prompt: "prompt",
  Resource: "resource",
  Template: "resource template",
};

const isList = (value: unknown): boolean => Array.isArray(value);

/** What may stand in the lists. */
const members: { readonly [list: string]: ReadonlyArray<AnyFeature["_tag"]> } = {
  tools: ["Tool"],
  resources: ["Resource", "Template"],
  prompts: ["Prompt"],
};

const frozen = <F extends AnyFeature>(
  list: string,
  features: ReadonlyArray<F> | undefined,
): ReadonlyArray<F> | undefined => {
  if (features === undefined) return undefined;
  if (!isList(features)) throw new TypeError(`its ${list} are no list`);
  const known = new Set<string>();
  for (const feature of features) {
    if (!members[list]?.includes(feature?._tag)) throw new TypeError(`its ${list} hold something else`);
    const key = `${feature._tag} ${JSON.stringify(keyOf(feature))}`;
    if (known.has(key)) {
      throw new TypeError(`it has the ${kinds[feature._tag]} ${JSON.stringify(keyOf(feature))} twice`);
    }
    known.add(key);
  }
  return Object.freeze([...features]);
};

const positive = (pageSize: number): number => {
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) throw new RangeError("the page size is no positive integer");
  return pageSize;
};

const build = (
  options: Options<ReadonlyArray<Tool.Any>, ReadonlyArray<Resource.Any>, ReadonlyArray<Prompt.Any>>,
): McpServer<unknown> => {
  const { cache, name, version } = options;
  if (typeof version !== "string") throw new TypeError("its version is not a text");
  if (version === "") throw new TypeError("its version is empty");
  const info: Implementation = {
    name,
    version,
    ...defined({
      title: options.title,
      description: options.description,
      icons: options.icons,
      websiteUrl: options.websiteUrl,
    }),
  };
  return Object.freeze({
    info: Object.freeze(info),
    instructions: options.instructions,
    extensions: options.extensions,
    pageSize: positive(options.pageSize ?? 1_000),
    cache: Object.freeze({
      discover: toHint(cache?.discover),
      tools: toHint(cache?.tools),
      resources: toHint(cache?.resources),
      templates: toHint(cache?.templates),
      prompts: toHint(cache?.prompts),
    }),
    tools: frozen("tools", options.tools),
    resources: frozen("resources", options.resources),
    prompts: frozen("prompts", options.prompts),
  });
};

/**
 * Makes a server.
 *
 * Throws where its name or version is empty, or where two features of a kind share a name, a URI or a URI template.
 */
export const make = <
  const T extends ReadonlyArray<Tool.Any> = readonly [],
  const S extends ReadonlyArray<Resource.Any> = readonly [],
  const P extends ReadonlyArray<Prompt.Any> = readonly [],
>(options: Options<T, S, P>): McpServer<Services<T[number] | S[number] | P[number]>> => {
  check("server", options.name, nameFault(options.name));
  return Result.getOrThrowWith(
    Result.try(() => build(options)),
    (error) => cannot("server", options.name, error),
  ) as McpServer<Services<T[number] | S[number] | P[number]>>;
};
