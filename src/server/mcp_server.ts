/** The server value: what is served, as an immutable description without any running part. */
import * as Duration from "effect/Duration";
import type { Implementation } from "../model/call.ts";
import type { Icon } from "../model/content.ts";
import type { JsonRecord } from "../model/json.ts";
import type { CacheHint } from "../model/reply.ts";
import type { ListKind } from "../model/request.ts";
import type * as Prompt from "./prompt.ts";
import type * as Resource from "./resource.ts";
import type { Provided } from "./services.ts";
import type * as Tool from "./tool.ts";

/** How long a result may be kept, and whether by shared caches too (2026-07-28, server/utilities/caching). */
export interface CacheOptions {
  readonly ttl: Duration.Input;
  /** Default `private`. */
  readonly scope?: "public" | "private";
}

/** What a server may say about itself, and what it serves. */
export interface Options<
  T extends ReadonlyArray<Tool.Any>,
  S extends ReadonlyArray<Resource.Any>,
  P extends ReadonlyArray<Prompt.Any>,
> {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: ReadonlyArray<Icon>;
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
  readonly prompts?: P;
}

/** A server; `R` is what its handlers need and the author has to provide. */
export interface McpServer<out R = never> {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly extensions: { readonly [id: string]: JsonRecord } | undefined;
  readonly pageSize: number;
  readonly cache: { readonly [K in "discover" | ListKind]: CacheHint };
  /** Undefined: the capability is not declared until the first one joins. */
  readonly tools: ReadonlyArray<Tool.Tool<R | Provided>> | undefined;
  readonly resources: ReadonlyArray<Resource.Resource<R | Provided> | Resource.Template<R | Provided>> | undefined;
  readonly prompts: ReadonlyArray<Prompt.Prompt<R | Provided>> | undefined;
}

/** What the members of a list need, without what every call brings. */
export type Services<T> = Exclude<Tool.Services<T> | Resource.Services<T> | Prompt.Services<T>, Provided>;

/**
 * Makes a server.
 *
 * Throws where a name is not one, or two features of a kind share a name or a URI.
 */
export declare const make: <
  const T extends ReadonlyArray<Tool.Any> = readonly [],
  const S extends ReadonlyArray<Resource.Any> = readonly [],
  const P extends ReadonlyArray<Prompt.Any> = readonly [],
>(options: Options<T, S, P>) => McpServer<Services<T[number] | S[number] | P[number]>>;
