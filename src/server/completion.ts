/** Completions of arguments: what authors give, and the reply that it makes (2026-07-28, server/utilities/completion). */
import * as Effect from "effect/Effect";
import { type Fault, invalidParams } from "../model/fault.ts";
import type { CompletionReply } from "../model/reply.ts";
import type { Feature } from "./feature.ts";

/** Values that complete an argument, the best first; of more than 100 the first 100 are sent. */
export type Values =
  | ReadonlyArray<string>
  | { readonly values: ReadonlyArray<string>; readonly total?: number; readonly hasMore?: boolean };

/** The arguments that the client has values for already. */
export interface Context {
  readonly [argument: string]: string;
}

/** How an argument is completed: from a list, by what begins as typed so far, or by a function. It cannot ask. */
export type Completer<R> =
  | ReadonlyArray<string>
  | ((value: string, context: Context) => Values | Effect.Effect<Values, never, R>);

/** Completers by the names of their arguments. */
// deno-lint-ignore no-explicit-any -- each completer has services of its own, which `CompleterServices` adds up
export type Completers<N extends string> = { readonly [K in N]?: Completer<any> };

type Needed<A> = A extends Effect.Effect<unknown, unknown, infer R> ? R : never;

type Services<F> = F extends (...args: ReadonlyArray<never>) => infer A ? Needed<A> : never;

/** What the completers in `C` need. */
export type CompleterServices<C> = Services<Exclude<C[keyof C], undefined>>;

const maxValues = 100;

const isList = (found: Values): found is ReadonlyArray<string> => Array.isArray(found);

const reply = (found: Values): CompletionReply => {
  const { hasMore, total, values } = isList(found) ? { values: found, total: found.length, hasMore: false } : found;
  const count = total ?? values.length;
  return {
    _tag: "Completion",
    values: values.slice(0, maxValues),
    total: count,
    hasMore: hasMore || count > Math.min(values.length, maxValues),
  };
};

const beginning = (values: ReadonlyArray<string>, value: string): ReadonlyArray<string> => {
  const start = value.toLowerCase();
  return values.filter((candidate) => candidate.toLowerCase().startsWith(start));
};

/**
 * The `complete` of a feature with the arguments `names`. Throws where a completer is for none of them; gives undefined
 * where there are none, so that the server does not declare what it does not serve.
 */
export const completion = (
  names: ReadonlyArray<string>,
  completers: { readonly [name: string]: Completer<unknown> | undefined } | undefined,
): Feature["complete"] => {
  const known = new Map(Object.entries(completers ?? {}));
  for (const name of known.keys()) {
    if (!names.includes(name)) throw new TypeError(`it completes "${name}", which is none of its arguments`);
  }
  if (known.size === 0) return undefined;
  return (argument, value, context): Effect.Effect<CompletionReply | Fault, never, unknown> => {
    if (!names.includes(argument)) return Effect.succeed(invalidParams(`Unknown argument: ${argument}`));
    const completer = known.get(argument);
    if (completer === undefined) return Effect.succeed(reply([]));
    if (typeof completer !== "function") return Effect.succeed(reply(beginning(completer, value)));
    return Effect.suspend(() => {
      const found = completer(value, context);
      return Effect.isEffect(found) ? Effect.map(found, reply) : Effect.succeed(reply(found));
    });
  };
};
