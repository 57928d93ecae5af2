/** What a round ends in. The gate decides it; how the handler's exit looks does not (G1). */
import type * as Effect from "effect/Effect";
import type * as Exit from "effect/Exit";
import type { Capability } from "../model/capability.ts";
import type { Question } from "../model/question.ts";
import type { Journal } from "./journal.ts";

/** The handler came to its end. */
export interface Complete<A, E> {
  readonly _tag: "Complete";
  readonly exit: Exit.Exit<A, E>;
  /** Registered by `onCommit` in the last pass, in order, with their services; to be run once the result is known to be good. */
  readonly commits: ReadonlyArray<Effect.Effect<void>>;
}

/** The round ended with needs unmet, or, with no questions, with state alone. */
export interface InputRequired {
  readonly _tag: "InputRequired";
  readonly questions: ReadonlyArray<{ readonly key: string; readonly question: Question }>;
  /** For the next round. */
  readonly journal: Journal;
}

/** The handler asks for what this client cannot be asked for. */
export interface Unaskable {
  readonly _tag: "Unaskable";
  /** Every missing capability, each once. Empty where something else is in the way. */
  readonly missing: ReadonlyArray<Capability>;
  /** The first need that could not be asked, and why. */
  readonly key: string;
  readonly reason: string;
}

/** The call cannot go on: misuse by the author, or a cap was reached. The message names keys and steps, nothing internal. */
export interface Broken {
  readonly _tag: "Broken";
  readonly message: string;
}

/** The author refused the state that came with the request. The reason is for the log. */
export interface InvalidState {
  readonly _tag: "InvalidState";
  readonly reason: string;
}

/** What a round ends in. */
export type Outcome<A, E> = Complete<A, E> | InputRequired | Unaskable | Broken | InvalidState;
