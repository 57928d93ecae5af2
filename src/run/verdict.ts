/** What a run that cannot go on comes to. */
import { capabilities } from "../model/capability.ts";
import { lacks } from "./ask.ts";
import { commit } from "./cells.ts";
import type { Gate } from "./gate.ts";
import { accumulate, isChanged, stepsOf } from "./merge.ts";
import type { Broken, InputRequired, Outcome, Unaskable } from "./outcome.ts";
import type { Reason } from "./parts.ts";

type Question = Extract<Reason, { readonly _tag: "Question" }>;
type Missing = Extract<Reason, { readonly _tag: "Missing" }>;

const broken = (message: string): Broken => ({ _tag: "Broken", message });

const list = (names: Iterable<string>): string => [...names].map((name) => `"${name}"`).join(", ");

const unaskable = (reasons: ReadonlyArray<Missing>): Unaskable => {
  const all = new Set(reasons.flatMap(({ missing }) => missing));
  const missing = capabilities.filter((capability) => all.has(capability));
  return { _tag: "Unaskable", missing, key: reasons[0]!.key, reason: lacks(missing) };
};

const tooManyRounds = (gate: Gate, reasons: ReadonlyArray<Reason>): Broken => {
  const asked = reasons.filter((reason) => reason._tag === "Question").map(({ key }) => key);
  const unfinished = reasons.filter((reason) => reason._tag === "Unfinished").map(({ key }) => key);
  const open = [
    ["still asked", asked],
    ["questions that kept changing", asked.filter((key) => isChanged(gate, key))],
    ["not finished", unfinished],
  ] as const;
  const named = open.filter(([, keys]) => keys.length > 0).map(([what, keys]) => `; ${what}: ${list(keys)}`);
  return broken(`The call reached its limit of ${gate.round.limits.maxRounds} rounds${named.join("")}`);
};

/** The call ended by steps that do not end (G5). */
export const stuck = (gate: Gate): Broken =>
  broken(`The step ${list(gate.running?.keys() ?? [])} did not end in time, and it is not repeated`);

/** What the gate's records amount to, once nothing in the run moves any more. */
export const verdict = (gate: Gate): Outcome<never, never> => {
  if (gate.fault !== undefined) return broken(gate.fault);
  const { journal, limits } = gate.round;
  const reasons = [...gate.unmet?.values() ?? []].map(({ reason }) => reason);
  const missing = reasons.filter((reason): reason is Missing => reason._tag === "Missing");
  if (missing.length > 0) return unaskable(missing);
  if (journal.round >= limits.maxRounds) return tooManyRounds(gate, reasons);
  const questions = reasons.filter((reason): reason is Question => reason._tag === "Question");
  const again = reasons.every((reason) => reason._tag === "Again");
  if (again && journal.pass > limits.maxPasses) {
    return broken(`The call reached its limit: a handler may start again ${limits.maxPasses} times`);
  }
  const cells = again ? commit(gate) : journal.cells;
  if (typeof cells === "string") return broken(`The state "${cells}" does not fit its schema`);
  return {
    _tag: "InputRequired",
    questions: questions.map(({ key, question }) => ({ key, question })),
    journal: {
      flow: journal.flow,
      round: journal.round + 1,
      pass: again ? journal.pass + 1 : journal.pass,
      ...accumulate(gate, questions.map(({ key }) => key)),
      steps: stepsOf(gate),
      cells,
    },
  } satisfies InputRequired;
};
