/** The journal: what a flow knows so far. It travels sealed in `requestState`. */
import type { Json } from "../model/json.ts";
import type { QuestionKind } from "../model/question.ts";

/** What a `once` step came to. */
export type StepRecord =
  | { readonly _tag: "Success"; readonly value: Json }
  | { readonly _tag: "Failure"; readonly error: Json }
  | { readonly _tag: "Defect"; readonly message: string };

/** An answer, with the digest of the question that it belongs to. */
export interface AnswerRecord {
  readonly digest: string;
  /** As the client sent it. Read again in every round. */
  readonly raw: Json;
}

/** A question that was put and is not answered yet. */
export interface AskedRecord {
  readonly digest: string;
  readonly kind: QuestionKind;
}

/** What a flow knows so far. Immutable: a round that suspends makes the next one. */
export interface Journal {
  /** Random, the same in all rounds. */
  readonly flow: string;
  /** The round that runs with this journal; the first is 1. */
  readonly round: number;
  /** The pass that this round belongs to; the first is 1. */
  readonly pass: number;
  readonly answers: ReadonlyMap<string, AnswerRecord>;
  readonly asked: ReadonlyMap<string, AskedRecord>;
  readonly steps: ReadonlyMap<string, StepRecord>;
  /** Cells at the start of the pass, encoded. */
  readonly cells: ReadonlyMap<string, Json>;
}
