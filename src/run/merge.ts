/** What a round makes of the answers: those of this request, and those that the journal keeps. */
import { type Json, own } from "../model/json.ts";
import type { Reading, Spec } from "../need/need.ts";
import { digestOf } from "./digest.ts";
import type { Gate } from "./gate.ts";
import type { AnswerRecord, AskedRecord, Journal, StepRecord } from "./journal.ts";
import type { Reached } from "./parts.ts";

/** A reading that the handler may see. */
export type Good<A, E> = Exclude<Reading<A, E>, { readonly _tag: "Invalid" }>;

const read = <A, E>(reached: Reached, spec: Spec<A, E, unknown>, raw: unknown): Good<A, E> | undefined => {
  const reading = spec.read(raw);
  if (reading._tag !== "Invalid") return reading;
  reached.reason = reading.reason;
  return undefined;
};

/** What this request says to a question: with a state only if this flow put the question, without one if it may. */
const response = (gate: Gate, reached: Reached): unknown => {
  const { journal, responses, retried } = gate.round;
  const raw = responses && own(responses, reached.spec.key);
  if (raw === undefined) return undefined;
  if (!retried) return reached.spec.volunteer ? raw : undefined;
  return journal.asked.get(reached.spec.key)?.digest === digestOf(gate, reached) ? raw : undefined;
};

/**
 * The answer to a question, read by `spec`: an earlier one, read again, or one that came with this request. Answers to
 * other questions under the same key do not count; of one that is no good, the reason is kept.
 */
export const answerTo = <A, E>(
  gate: Gate,
  reached: Reached,
  spec: Spec<A, E, unknown>,
): Good<A, E> | undefined => {
  const { key } = spec;
  const known = gate.accepted?.get(key) ?? gate.round.journal.answers.get(key);
  if (known !== undefined && known.digest === digestOf(gate, reached)) return read(reached, spec, known.raw);
  const raw = response(gate, reached);
  if (raw === undefined) return undefined;
  const reading = read(reached, spec, raw);
  if (reading !== undefined) {
    (gate.accepted ??= new Map()).set(key, { digest: digestOf(gate, reached), raw: raw as Json });
  }
  return reading;
};

/** Answers to questions that this round did not come to: kept as they are, read when it is their turn. */
const unread = (gate: Gate): ReadonlyArray<readonly [string, AnswerRecord]> => {
  const { journal, responses, retried } = gate.round;
  if (!retried || responses === undefined) return [];
  const found: Array<readonly [string, AnswerRecord]> = [];
  for (const [key, { digest }] of journal.asked) {
    const raw = gate.reached?.has(key) ? undefined : own(responses, key);
    if (raw !== undefined) found.push([key, { digest, raw: raw as Json }]);
  }
  return found;
};

/** The questions of a round that is to end in `keys`: answered or not, and not answered any more. */
export const accumulate = (gate: Gate, keys: ReadonlyArray<string>): Pick<Journal, "answers" | "asked"> => {
  const { journal } = gate.round;
  const answers = new Map<string, AnswerRecord>(journal.answers);
  const asked = new Map<string, AskedRecord>(journal.asked);
  for (const [key, record] of [...gate.accepted ?? [], ...unread(gate)]) {
    answers.set(key, record);
    asked.delete(key);
  }
  for (const key of keys) {
    const reached = gate.reached?.get(key);
    if (reached === undefined) continue;
    answers.delete(key);
    asked.set(key, { digest: digestOf(gate, reached), kind: reached.spec.kind });
  }
  return { answers, asked };
};

/** Whether another question was put under this key before. */
export const isChanged = (gate: Gate, key: string): boolean => {
  const { journal } = gate.round;
  const before = journal.asked.get(key) ?? journal.answers.get(key);
  const reached = gate.reached?.get(key);
  return before !== undefined && reached !== undefined && before.digest !== digestOf(gate, reached);
};

/** The journal's records of steps and those of this round. */
export const stepsOf = (gate: Gate): ReadonlyMap<string, StepRecord> =>
  gate.steps === undefined ? gate.round.journal.steps : new Map([...gate.round.journal.steps, ...gate.steps]);
