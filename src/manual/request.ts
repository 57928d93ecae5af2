/** Requests: what a handler asks for by returning it, each typed by its answer. */
import { isRecord, own } from "../model/json.ts";
import type { Question } from "../model/question.ts";
import type { ManualSpec } from "../need/manual.ts";
import type { Root } from "../need/roots.ts";
import type { Sample } from "../need/sample.ts";

/** The answer to a form. A no is an answer: it is not asked again unless the handler returns the request again. */
export type FormResponse<A> =
  | { readonly action: "accept"; readonly content: A }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/** The answer to a URL request. To accept means to agree to visit the page, and no more. */
export interface UrlResponse {
  /** What the user did. */
  readonly action: "accept" | "decline" | "cancel";
}

/** What the client's model said. */
export type MessageResponse = Sample;

/** The client's roots. */
export interface RootsResponse {
  /** In the client's order. */
  readonly roots: ReadonlyArray<Root>;
}

/** A request whose answer is an `A`, in the words of the protocol. */
export interface Request<out A> {
  /** What is asked for. */
  readonly method: Question["method"];
  /** As they go over the wire. */
  readonly params?: NonNullable<Question["params"]>;
  /** A brand, and the type of the answer. */
  readonly "~needful/manual/Request": (_: never) => A;
}

/** Requests by their keys. */
export interface Requests {
  /** A request; undefined ones are none. */
  readonly [key: string]: Request<unknown> | undefined;
}

/** Requests by their params, by which a copy is known: the wire alone has forgotten how its answer is read. */
const originals = new WeakMap<object, RequestImpl<unknown>>();

/** A request with the question that it becomes under a key. */
export class RequestImpl<A> implements Request<A> {
  declare readonly "~needful/manual/Request": (_: never) => A;
  readonly method: Question["method"];
  declare readonly params?: NonNullable<Question["params"]>;
  readonly #make: (key: string) => ManualSpec<A>;
  #last: ManualSpec<A> | undefined;

  constructor(question: Pick<Question, "method" | "params">, make: (key: string) => ManualSpec<A>) {
    this.method = question.method;
    this.#make = make;
    if (question.params === undefined) return;
    this.params = question.params;
    originals.set(question.params, this);
  }

  /** The question under `key`. Throws where the key is none. */
  at(key: string): ManualSpec<A> {
    const known = this.#last;
    return known?.key === key ? known : this.#last = this.#make(key);
  }
}

/** What a builder made, if `value` is that or a copy of it. */
export const originalOf = (value: unknown): RequestImpl<unknown> | undefined => {
  if (value instanceof RequestImpl) return value;
  const params = isRecord(value) ? own(value, "params") : undefined;
  const original = isRecord(params) ? originals.get(params) : undefined;
  return isRecord(value) && original?.method === own(value, "method") ? original : undefined;
};
