/** A need: one question to the client, as data and as an Effect of its answer. */
import * as Context from "effect/Context";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Effectable from "effect/Effectable";
import type * as Option from "effect/Option";
import type { Question, QuestionKind } from "../model/question.ts";

/** What a question is put through. Every kind of need has a service of this shape. */
export interface Port {
  /** Gives the need's answer, read; or suspends the handler until there is one. */
  readonly ask: <A, E, R>(need: Need<A, E, R>) => Effect.Effect<A, E, R>;
}

/** Form and URL questions to the user. */
export interface Elicitation {
  /** A brand: without it TypeScript takes the kinds for one. */
  readonly "~needful/need/Elicitation": "~needful/need/Elicitation";
}

/** Form and URL questions to the user. */
export const Elicitation: Context.Service<Elicitation, Port> = Context.Service<Elicitation, Port>(
  "needful/need/Elicitation",
);

/** Questions to the client's model. */
export interface Sampling {
  /** A brand: without it TypeScript takes the kinds for one. */
  readonly "~needful/need/Sampling": "~needful/need/Sampling";
}

/** Questions to the client's model. */
export const Sampling: Context.Service<Sampling, Port> = Context.Service<Sampling, Port>("needful/need/Sampling");

/** Questions for the client's roots. */
export interface Roots {
  /** A brand: without it TypeScript takes the kinds for one. */
  readonly "~needful/need/Roots": "~needful/need/Roots";
}

/** Questions for the client's roots. */
export const Roots: Context.Service<Roots, Port> = Context.Service<Roots, Port>("needful/need/Roots");

/** What becomes of a raw answer, which is whatever JSON the client sent. */
export type Reading<A, E> =
  | { readonly _tag: "Answer"; readonly value: A }
  | { readonly _tag: "Failure"; readonly error: E }
  /** Malformed or invalid: to be asked again, with the reason put before the message. */
  | { readonly _tag: "Invalid"; readonly reason: string };

/** The part of a URL need that happens outside of the conversation, after the user accepted. */
export interface Completion<A, R> {
  /** Some once the out-of-band part is finished. Gets the interaction's id. */
  readonly done: (interaction: string) => Effect.Effect<Option.Option<A>, never, R>;
  /** How long one round polls before it ends with state alone. */
  readonly wait: Duration.Duration;
}

/** One question to the client: an Effect of its answer, and data. */
export interface Need<out A, out E = never, out R = never> extends Effect.Effect<A, E, R> {
  /** Unique in a flow. */
  readonly key: string;
  /** What the client needs to be able to do. */
  readonly kind: QuestionKind;
  /** The question. In the URL of a URL need, `{interaction}` stands for the flow's interaction id. */
  readonly request: Question;
}

/** What an interpreter needs to know of a need. */
export interface Spec<A, E, R> {
  readonly key: string;
  readonly kind: QuestionKind;
  readonly port: Context.Key<unknown, Port>;
  /** The question; a URL need puts the flow's stable interaction id into its URL, other kinds take no notice of it. */
  readonly request: (interaction: string) => Question;
  /** Text by which the question is recognised: equal for equal questions as the author wrote them. */
  readonly identity: () => string;
  /**
   * Reads a raw answer of any shape. Never throws. With a `completion`, an answer is consent, and its value is not for
   * use.
   */
  readonly read: (raw: unknown) => Reading<A, E>;
  /** Whether an answer to a question that was never put may be used. */
  readonly volunteer: boolean;
  readonly completion?: Completion<A, R>;
}

/** A need with all that an interpreter needs to know. */
class NeedImpl<A, E, R> extends Effectable.Class<A, E, R> implements Need<A, E, R> {
  readonly spec: Spec<A, E, R>;

  constructor(spec: Spec<A, E, R>) {
    super();
    this.spec = spec;
  }

  get key(): string {
    return this.spec.key;
  }

  get kind(): QuestionKind {
    return this.spec.kind;
  }

  get request(): Question {
    return this.spec.request("{interaction}");
  }

  override asEffect(): Effect.Effect<A, E, R> {
    return Effect.flatMap(this.spec.port, (port) => port.ask(this)) as Effect.Effect<A, E, R>;
  }
}

/** Makes a need. */
export const make = <A, E, R>(spec: Spec<A, E, R>): Need<A, E, R> => new NeedImpl(spec);

/** Whether `value` is a need. */
export const isNeed = (value: unknown): value is Need<unknown, unknown, unknown> => value instanceof NeedImpl;

/** The spec of a need. */
export const specOf = <A, E, R>(need: Need<A, E, R>): Spec<A, E, R> => (need as NeedImpl<A, E, R>).spec;
