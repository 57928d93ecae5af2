/**
 * Resources: what a client may read, by a fixed URI or by a URI template.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect";
 * import { Resource } from "@needful/mcp";
 *
 * const readme = Resource.make("docs://readme", {
 *   name: "readme",
 *   mimeType: "text/markdown",
 *   handler: () => Effect.succeed("# Read me"),
 * });
 *
 * const notes = new Map([["1", "Buy milk"]]);
 *
 * const note = Resource.template("note://{id}", {
 *   name: "note",
 *   complete: { id: [...notes.keys()] },
 *   handler: ({ id }) => Effect.fromNullishOr(notes.get(id)).pipe(Effect.mapError(() => Resource.notFound())),
 * });
 * ```
 *
 * @module
 */
import type * as Effect from "effect/Effect";
import type * as Exit from "effect/Exit";
import * as Result from "effect/Result";
import type { InputRequired } from "../manual/input_required.ts";
import type { Annotations } from "../model/content.ts";
import type { JsonRecord } from "../model/json.ts";
import { type CacheOptions, toHint } from "./cache.ts";
import { type Completers, type CompleterServices, completion } from "./completion.ts";
import { type Errors, NotFound } from "./failure.ts";
import type { Complete, Feature, ResourceFeature, TemplateFeature } from "./feature.ts";
import { check, handlerFault, nameFault, uriFault } from "./names.ts";
import { cannot, type CommonOptions, defined } from "./options.ts";
import { type Contents, finish, reading } from "./resource_reply.ts";
import { parse } from "./uri_template.ts";
import type { Variables } from "./uri_variables.ts";

export type { InputRequired } from "../manual/input_required.ts";
export type { Annotations } from "../model/content.ts";
export type { CacheOptions } from "./cache.ts";
export type { Completer, Completers, CompleterServices, Context, Values } from "./completion.ts";
export { type Errors, Failure, NotFound } from "./failure.ts";
export type { CommonOptions } from "./options.ts";
export type { Contents, Part } from "./resource_reply.ts";
export type { Variables } from "./uri_variables.ts";

/** A resource with a fixed URI; `R` is what its handler needs, the client included. */
export interface Resource<out R = never> extends ResourceFeature {
  /** Runs the handler on what `decode` gave. */
  readonly handle: (input: unknown) => Effect.Effect<unknown, Errors | NotFound, R>;
}

/** Resources by a URI template; `R` is what its handler and its completions need, the client included. */
export interface Template<out R = never> extends TemplateFeature {
  /** Runs the handler on what `decode` gave. */
  readonly handle: (input: unknown) => Effect.Effect<unknown, Errors | NotFound, R>;
  /** Values for a variable; undefined where it completes none. */
  readonly complete: Complete<R> | undefined;
}

/** Any resource or template. */
// deno-lint-ignore no-explicit-any -- the only argument that every resource is assignable to
export type Any = Resource<any> | Template<any>;

/** What a resource or a template needs. */
export type Services<T> = T extends Resource<infer R> ? R : T extends Template<infer R> ? R : never;

/** What resources and templates share. */
export interface CommonResourceOptions extends CommonOptions {
  /** For programs. */
  readonly name: string;
  /** Of what is read, unless a part has its own. */
  readonly mimeType?: string;
  /** Hints for clients. */
  readonly annotations?: Annotations;
  /** Of what is read. Default: nothing is kept. */
  readonly cache?: CacheOptions;
}

/** What a resource is made of. */
export interface Options<R> extends CommonResourceOptions {
  /** In bytes. */
  readonly size?: number;
  /** Reads it; or returns `Manual.inputRequired`, and runs again when the client comes back. */
  readonly handler: () => Effect.Effect<Contents | InputRequired, Errors | NotFound, R>;
}

/** What a template is made of. */
export interface TemplateOptions<T extends string, R, C> extends CommonResourceOptions {
  /** Values for variables while the user types. */
  readonly complete?: C & Completers<keyof Variables<T> & string>;
  /** Gets the variables as the client sent them, decoded: they are not checked, and may hold `..` or `/`. */
  readonly handler: (
    variables: Variables<T>,
    uri: string,
  ) => Effect.Effect<Contents | InputRequired, Errors | NotFound, R>;
}

/** A failure that says that there is no such resource. It can be yielded. */
export const notFound = (): NotFound => new NotFound();

const common = (name: string, options: CommonResourceOptions) => {
  check("resource", options.name, nameFault(options.name));
  const cache = toHint(options.cache);
  return {
    name: options.name,
    requires: options.requires ?? [],
    visible: options.visible,
    finish: (exit: Exit.Exit<unknown, unknown>) => finish(name, cache, exit),
  };
};

const descriptor = (options: CommonResourceOptions, own: JsonRecord): JsonRecord =>
  defined({
    ...own,
    name: options.name,
    title: options.title,
    description: options.description,
    mimeType: options.mimeType,
    annotations: options.annotations,
    icons: options.icons,
    _meta: options._meta,
  });

/**
 * Makes a resource with a fixed URI.
 *
 * Throws, naming it, where `uri` is no URI (RFC 3986).
 */
export const make = <R>(uri: string, options: Options<R>): Resource<R> => {
  check("resource", uri, uriFault(uri) ?? handlerFault(options.handler));
  return Result.getOrThrowWith(
    Result.try((): Resource<R> => ({
      ...common(uri, options),
      _tag: "Resource",
      uri,
      descriptor: descriptor(options, { uri, size: options.size }),
      decode: () => ({ _tag: "Input", input: undefined }),
      handle: () => reading(options.handler(), uri, options.mimeType),
      complete: undefined,
    })),
    (error) => cannot("resource", uri, error),
  );
};

/**
 * Makes resources by a URI template: `{a}`, `{+a}`, `{/a}`, `{/a*}`, `{?a,b}` and `{&a}` of RFC 6570.
 *
 * A variable takes as much of the URI as it can; `{a}` and `{/a}` do not reach over `/`, `?` and `#`. Throws, naming the
 * template, where it is malformed or it is not clear where a variable ends.
 */
export const template = <
  const T extends string,
  R,
  const C extends Completers<keyof Variables<T> & string> = Record<never, never>,
>(uriTemplate: T, options: TemplateOptions<T, R, C>): Template<R | CompleterServices<C>> => {
  check("resource template", uriTemplate, handlerFault(options.handler));
  return Result.getOrThrowWith(
    Result.try((): Template<R | CompleterServices<C>> => {
      const { match, variables } = parse(uriTemplate);
      const complete: Feature["complete"] = completion(variables, options.complete);
      return {
        ...common(uriTemplate, options),
        _tag: "Template",
        uriTemplate,
        descriptor: descriptor(options, { uriTemplate }),
        match: (uri) => {
          const values = match(uri);
          return values === undefined ? undefined : { uri, variables: values };
        },
        decode: (args) => ({ _tag: "Input", input: args }),
        handle: (input) => {
          const { uri, variables } = input as { readonly uri: string; readonly variables: Variables<T> };
          return reading(options.handler(variables, uri), uri, options.mimeType);
        },
        complete,
      };
    }),
    (error) => cannot("resource template", uriTemplate, error),
  );
};
