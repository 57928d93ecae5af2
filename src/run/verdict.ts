/** What a run that cannot go on comes to. */
import { capabilities } from "../model/capability.ts";
import { type Question, withReason } from "../model/question.ts";
import { commit } from "./cells.ts";
import type { Gate } from "./gate.ts";
import { accumulate, isChanged, stepsOf } from "./merge.ts";
import { lacks } from "./obstacle.ts";
import type { Broken, InputRequired, InvalidState, Outcome, Unaskable } from "./outcome.ts";
import type { Missing, Put, Reason } from "./parts.ts";

/** The end of a call that cannot go on. */
export const broken = (message: string): Broken => ({ _tag: "Broken", message });

const list = (names: Iterable<string>): string => [...names].map((name) => `"${name}"`).join(", ");

/** The end of a call for which the client lacks something. */
export const unaskable = (reasons: ReadonlyArray<Missing>): Unaskable => {
  const all = new Set(reasons.flatMap(({ missing }) => missing));
  const missing = capabilities.filter((capability) => all.has(capability));
  const others = reasons.filter(({ missing }) => missing.length === 0).map(({ reason }) => reason);
  const reason = [...(missing.length > 0 ? [lacks(missing)] : []), ...new Set(others)].join("; ");
  return { _tag: "Unaskable", missing, key: reasons[0]!.key, reason };
};

/** The call ended by a cap on its rounds, which names the keys that are in the way. */
export const exhausted = (maxRounds: number, open: ReadonlyArray<readonly [string, ReadonlyArray<string>]>): Broken => {
  const named = open.filter(([, keys]) => keys.length > 0).map(([what, keys]) => `; ${what}: ${list(keys)}`);
  return broken(`The call reached its limit of ${maxRounds} rounds${named.join("")}`);
};

/** The end of a call that would need one round too many. */
export const tooManyRounds = (gate: Gate, reasons: ReadonlyArray<Reason>): Broken => {
  const asked = reasons.filter((reason) => reason._tag === "Question").map(({ key }) => key);
  const unfinished = reasons.filter((reason) => reason._tag === "Unfinished").map(({ key }) => key);
  return exhausted(gate.round.limits.maxRounds, [
    ["still asked", asked],
    ["questions that kept changing", asked.filter((key) => isChanged(gate, key))],
    ["not finished", unfinished],
  ]);
};

/** The call ended by steps that do not end (G5). */
export const stuck = (gate: Gate): Broken =>
  broken(`The step ${list(gate.running?.keys() ?? [])} did not end in time, and it is not repeated`);

/** The question, with what was wrong with the last answer to it. */
export const again = (gate: Gate, { key, question }: Put): { readonly key: string; readonly question: Question } => {
  const reason = gate.reached?.get(key)?.reason;
  return { key, question: reason === undefined ? question : withReason(question, reason) };
};

/** The end of a call that was misused, or whose state the author refused. */
export const faulty = ({ fault, refusal }: Gate): Broken | InvalidState | undefined => {
  if (fault === undefined) return undefined;
  return refusal === undefined ? broken(fault) : { _tag: "InvalidState", reason: refusal };
};

/** What the gate's records amount to, once nothing in the run moves any more. */
export const verdict = (gate: Gate): Outcome<never, never> => {
  const end = faulty(gate);
  if (end !== undefined) return end;
  const { journal, limits } = gate.round;
  const reasons = [...gate.unmet?.values() ?? []].map(({ reason }) => reason);
  const missing = reasons.filter((reason): reason is Missing => reason._tag === "Missing");
  if (missing.length > 0) return unaskable(missing);
  if (gate.number >= limits.maxRounds) return tooManyRounds(gate, reasons);
  const questions = reasons.filter((reason): reason is Put => reason._tag === "Question");
  const restarts = reasons.every((reason) => reason._tag === "Again");
  if (restarts && journal.pass > limits.maxPasses) {
    return broken(`The call reached its limit: a handler may start again ${limits.maxPasses} times`);
  }
  const cells = restarts ? commit(gate) : journal.cells;
  if (typeof cells === "string") return broken(`The state "${cells}" does not fit its schema`);
  return {
    _tag: "InputRequired",
    questions: questions.map((put) => again(gate, put)),
    journal: {
      flow: journal.flow,
      round: gate.number + 1,
      pass: restarts ? journal.pass + 1 : journal.pass,
      ...accumulate(gate, questions.map(({ key }) => key)),
      steps: stepsOf(gate),
      cells,
    },
  } satisfies InputRequired;
};
