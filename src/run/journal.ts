/** The journal: what a flow knows so far. It travels sealed in `requestState`. */
import * as Result from "effect/Result";
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

/** What a flow of the returning style keeps besides. */
export interface ManualRecord {
  /** The author's own state for this round. */
  readonly state: string | undefined;
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
  /** Present where the handler returns its questions. */
  readonly manual?: ManualRecord;
}

/** Shared: most flows never have a step or a cell, and nobody writes to a journal's maps. */
const none: ReadonlyMap<string, never> = new Map<string, never>();

/** The journal of a flow that has not begun. */
export const start = (flow: string): Journal => ({
  flow,
  round: 1,
  pass: 1,
  answers: none,
  asked: none,
  steps: none,
  cells: none,
});

/** Version of the text that `encode` writes; the second one has a last member more, for the returning style. */
const version = 1;
const manualVersion = 2;

type Letter = "s" | "f" | "d";

const stepToWire = (record: StepRecord, name: string): readonly [string, Letter, Json] => {
  switch (record._tag) {
    case "Success":
      return [name, "s", record.value];
    case "Failure":
      return [name, "f", record.error];
    case "Defect":
      return [name, "d", record.message];
  }
};

const listOf = <A>(
  map: ReadonlyMap<string, A>,
  toWire: (value: A, key: string) => ReadonlyArray<unknown>,
): ReadonlyArray<unknown> => {
  const list: Array<unknown> = [];
  map.forEach((value, key) => list.push(toWire(value, key)));
  return list;
};

/** The text of a journal: lists of lists, so that a key of any name is only a key. */
export const encode = (journal: Journal): string =>
  JSON.stringify([
    journal.manual === undefined ? version : manualVersion,
    journal.flow,
    journal.round,
    journal.pass,
    listOf(journal.answers, ({ digest, raw }, key) => [key, digest, raw]),
    listOf(journal.asked, ({ digest, kind }, key) => [key, digest, kind]),
    listOf(journal.steps, stepToWire),
    listOf(journal.cells, (value, name) => [name, value]),
    ...(journal.manual === undefined ? [] : [[journal.manual.state ?? null]]),
  ]);

const isText = (value: unknown): value is string => typeof value === "string";
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;
const isKind = (value: unknown): value is QuestionKind =>
  value === "form" || value === "url" || value === "sampling" || value === "roots";

/** The map of a list of entries of `length` members, the first of which is the key; undefined if one is malformed. */
const mapOf = <A>(
  list: unknown,
  length: number,
  read: (members: ReadonlyArray<unknown>) => A | undefined,
): ReadonlyMap<string, A> | undefined => {
  if (!Array.isArray(list)) return undefined;
  if (list.length === 0) return none;
  const map = new Map<string, A>();
  for (const entry of list) {
    if (!Array.isArray(entry) || entry.length !== length) return undefined;
    const [key, ...members] = entry;
    const value = read(members);
    if (!isText(key) || value === undefined || map.has(key)) return undefined;
    map.set(key, value);
  }
  return map;
};

const readAnswer = ([digest, raw]: ReadonlyArray<unknown>): AnswerRecord | undefined =>
  isText(digest) ? { digest, raw: raw as Json } : undefined;

const readAsked = ([digest, kind]: ReadonlyArray<unknown>): AskedRecord | undefined =>
  isText(digest) && isKind(kind) ? { digest, kind } : undefined;

const readStep = ([letter, value]: ReadonlyArray<unknown>): StepRecord | undefined => {
  if (letter === "s") return { _tag: "Success", value: value as Json };
  if (letter === "f") return { _tag: "Failure", error: value as Json };
  return letter === "d" && isText(value) ? { _tag: "Defect", message: value } : undefined;
};

const readManual = (value: unknown): ManualRecord | undefined => {
  if (!Array.isArray(value) || value.length !== 1) return undefined;
  const [state] = value;
  return isText(state) ? { state } : state === null ? { state: undefined } : undefined;
};

/** The journal that a text stands for; undefined if `encode` did not write the text. */
export const decode = (text: string): Journal | undefined => {
  const parsed = Result.try((): unknown => JSON.parse(text));
  if (Result.isFailure(parsed) || !Array.isArray(parsed.success)) return undefined;
  const byHand = parsed.success[0] === manualVersion;
  if (parsed.success.length !== (byHand ? 9 : 8)) return undefined;
  const [format, flow, round, pass, ...lists] = parsed.success as ReadonlyArray<unknown>;
  const answers = mapOf(lists[0], 3, readAnswer);
  const asked = mapOf(lists[1], 3, readAsked);
  const steps = mapOf(lists[2], 3, readStep);
  const cells = mapOf(lists[3], 2, ([value]) => value as Json);
  const manual = byHand ? readManual(lists[4]) : undefined;
  if ((format !== version && manual === undefined) || !isText(flow) || !isCount(round) || !isCount(pass)) {
    return undefined;
  }
  if (answers === undefined || asked === undefined || steps === undefined || cells === undefined) return undefined;
  return { flow, round, pass, answers, asked, steps, cells, ...(manual === undefined ? {} : { manual }) };
};
