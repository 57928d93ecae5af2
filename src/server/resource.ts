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
import * as Effect from "effect/Effect";
import type * as Exit from "effect/Exit";
import * as Result from "effect/Result";
import type { Annotations, ResourceContents } from "../model/content.ts";
import { type Fault, internal } from "../model/fault.ts";
import { isRecord, type JsonRecord } from "../model/json.ts";
import type { CacheHint, CompletionReply } from "../model/reply.ts";
import { type CacheOptions, toHint } from "./cache.ts";
import { type Completers, type CompleterServices, completion } from "./completion.ts";
import { base64 } from "./content.ts";
import { ended, mistake, toFault } from "./ended.ts";
import { type Errors, NotFound } from "./failure.ts";
import type { Feature, Finished, ResourceFeature, TemplateFeature } from "./feature.ts";
import { check, nameFault, uriFault } from "./names.ts";
import { cannot, type CommonOptions, defined } from "./options.ts";
import { parse } from "./uri_template.ts";
import type { Variables } from "./uri_variables.ts";

export type { Annotations } from "../model/content.ts";
export type { CacheOptions } from "./cache.ts";
export type { Completer, Completers, CompleterServices, Context, Values } from "./completion.ts";
export { type Errors, Failure, NotFound } from "./failure.ts";
export type { CommonOptions } from "./options.ts";
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
  readonly complete:
    | ((
      argument: string,
      value: string,
      context: { readonly [argument: string]: string },
    ) => Effect.Effect<CompletionReply | Fault, never, R>)
    | undefined;
}

/** Any resource or template. */
// deno-lint-ignore no-explicit-any -- the only argument that every resource is assignable to
export type Any = Resource<any> | Template<any>;

/** What a resource or a template needs. */
export type Services<T> = T extends Resource<infer R> ? R : T extends Template<infer R> ? R : never;

/** One part of what a resource contains. Its URI and type are those of the resource, unless it has its own. */
export type Part =
  & { readonly uri?: string; readonly mimeType?: string; readonly _meta?: JsonRecord }
  & ({ readonly text: string } | { readonly blob: Uint8Array | string });

/** What the handler of a resource may give: text, bytes, or several parts. A `blob` that is a string is base64. */
export type Contents = string | Uint8Array | ReadonlyArray<Part>;

/** What resources and templates share. */
export interface CommonResourceOptions extends CommonOptions {
  /** For programs. */
  readonly name: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  /** Of what is read. Default: nothing is kept. */
  readonly cache?: CacheOptions;
}

/** What a resource is made of. */
export interface Options<R> extends CommonResourceOptions {
  /** In bytes. */
  readonly size?: number;
  readonly handler: () => Effect.Effect<Contents, Errors | NotFound, R>;
}

/** What a template is made of. */
export interface TemplateOptions<T extends string, R, C> extends CommonResourceOptions {
  /** Values for variables while the user types. */
  readonly complete?: C & Completers<keyof Variables<T> & string>;
  /** Gets the variables as the client sent them, decoded: they are not checked, and may hold `..` or `/`. */
  readonly handler: (variables: Variables<T>, uri: string) => Effect.Effect<Contents, Errors | NotFound, R>;
}

/** A failure that says that there is no such resource. It can be yielded. */
export const notFound = (): NotFound => new NotFound();

const body = (part: unknown): { readonly text: string } | { readonly blob: string } | undefined => {
  if (!isRecord(part)) return undefined;
  const { blob, text } = part;
  if (typeof text === "string") return { text };
  return typeof blob === "string" || blob instanceof Uint8Array ? { blob: base64(blob) } : undefined;
};

/** The contents that a handler gave; undefined where they are none. */
const read = (
  uri: string,
  mimeType: string | undefined,
  value: unknown,
): ReadonlyArray<ResourceContents> | undefined => {
  if (typeof value === "string") return read(uri, mimeType, [{ text: value }]);
  if (value instanceof Uint8Array) return read(uri, mimeType, [{ blob: value }]);
  if (!Array.isArray(value)) return undefined;
  const contents: Array<ResourceContents> = [];
  for (const part of value) {
    const own = body(part);
    if (own === undefined) return undefined;
    contents.push({ uri, ...defined({ mimeType, uri: part.uri, ...ownType(part), _meta: part._meta }), ...own });
  }
  return contents;
};

const ownType = (part: JsonRecord): JsonRecord => part["mimeType"] === undefined ? {} : { mimeType: part["mimeType"] };

const reading = <E, R>(
  effect: Effect.Effect<Contents, E | NotFound, R>,
  uri: string,
  mimeType: string | undefined,
): Effect.Effect<unknown, E | NotFound, R> =>
  Effect.mapBoth(effect, {
    onFailure: (error) => error instanceof NotFound ? new NotFound({ uri }) : error,
    onSuccess: (value) => read(uri, mimeType, value),
  });

const finish = (name: string, cache: CacheHint, exit: Exit.Exit<unknown, unknown>): Finished => {
  const end = ended(exit);
  switch (end._tag) {
    case "Crashed":
      return { _tag: "Bad", reply: internal(), cause: end.cause };
    case "Failed": {
      const reply = toFault(end.error);
      return end.cause === undefined ? { _tag: "Bad", reply } : { _tag: "Bad", reply, cause: end.cause };
    }
    case "Success":
      return Array.isArray(end.value)
        ? { _tag: "Good", reply: { _tag: "Resource", contents: end.value, cache } }
        : { _tag: "Bad", reply: internal(), cause: mistake(`Resource ${name} returned something else than contents`) };
  }
};

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
  check("resource", uri, uriFault(uri));
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
>(uriTemplate: T, options: TemplateOptions<T, R, C>): Template<R | CompleterServices<C>> =>
  Result.getOrThrowWith(
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
