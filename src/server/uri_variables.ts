/** The variables of a URI template, as a type. */

type Trim<S extends string> = S extends `${infer N}*` ? N : S;

type Names<L extends string> = L extends `${infer H},${infer T}` ? H | Names<T> : L;

type Lists<L extends string> = Extract<Names<L>, `${string}*`>;

type Singles<L extends string> = Exclude<Names<L>, `${string}*`>;

type Optional<L extends string> =
  & { readonly [N in Singles<L>]?: string }
  & { readonly [N in Lists<L> as Trim<N>]: ReadonlyArray<string> };

type Expression<E extends string> = E extends `${"/" | "?" | "&"}${infer L}` ? Optional<L>
  : E extends `+${infer L}` ? { readonly [N in Names<L>]: string }
  : { readonly [N in Names<E>]: string };

type Walk<T extends string> = T extends `${string}{${infer E}}${infer Rest}` ? Expression<E> & Walk<Rest> : unknown;

type Flat<T> = { readonly [K in keyof T]: T[K] };

/**
 * The variables of the template `T`: those of `{a}` and `{+a}` are always there, those of `{/a}`, `{?a}` and `{&a}` may
 * be absent, and those with `*` are lists. A template that is only known as `string` may have any.
 */
export type Variables<T extends string> = string extends T ? { readonly [name: string]: string | ReadonlyArray<string> }
  : Flat<Walk<T>>;
