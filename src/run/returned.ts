/** How a handler's own end is read: as its result, or as questions that it returned instead of asking them. */
import type * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { type ManualSpec, Returned } from "../need/manual.ts";
import { interactionOf } from "./digest.ts";
import type { Gate } from "./gate.ts";
import { accumulate, answerTo, stepsOf } from "./merge.ts";
import { mixed } from "./mixed.ts";
import type { Outcome } from "./outcome.ts";
import type { Missing, Put, Reached } from "./parts.ts";
import { again, broken, exhausted, faulty, tooManyRounds, unaskable } from "./verdict.ts";

const none: ReadonlyArray<Effect.Effect<void>> = [];

/** Whether the handler returned questions. */
export const isReturned = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isSuccess(exit) && exit.value instanceof Returned;

/** A question as it is to be put, with what was wrong with the answer that came to it; or why it cannot be. */
const put = (gate: Gate, spec: ManualSpec): Put | Missing => {
  const { key } = spec;
  const reached: Reached = { spec, digest: undefined, reason: undefined };
  (gate.reached ??= new Map()).set(key, reached);
  answerTo(gate, reached, spec);
  const question = spec.request(spec.kind === "url" ? interactionOf(gate, key) : "");
  const obstacle = gate.obstacle(question, reached);
  if (obstacle === undefined) return { _tag: "Question", key, question };
  return {
    _tag: "Missing",
    key,
    missing: obstacle._tag === "Unanswerable" ? obstacle.missing : [],
    reason: obstacle.reason,
  };
};

/** What returned questions come to. What was registered for the end of the call is not for now. */
const returned = (gate: Gate, value: Returned): Outcome<never, never> => {
  const problem = mixed(gate) ?? value.problem;
  if (problem !== undefined) return broken(problem);
  const { journal, limits } = gate.round;
  const reasons = value.questions.map((spec) => put(gate, spec));
  const missing = reasons.filter((reason): reason is Missing => reason._tag === "Missing");
  if (missing.length > 0) return unaskable(missing);
  const questions = reasons as ReadonlyArray<Put>;
  if (gate.number >= limits.maxRounds) {
    return questions.length > 0
      ? tooManyRounds(gate, questions)
      : exhausted(limits.maxRounds, [["still returned", ["requestState"]]]);
  }
  return {
    _tag: "InputRequired",
    questions: questions.map((question) => again(gate, question)),
    journal: {
      ...journal,
      round: gate.number + 1,
      ...accumulate(gate, questions.map(({ key }) => key)),
      steps: stepsOf(gate),
      manual: { state: value.state },
    },
  };
};

/** What a run comes to whose handler ended so, before anything else ended it. */
export const ended = <A, E>(gate: Gate, exit: Exit.Exit<A, E>): Outcome<A, E> => {
  const end = faulty(gate);
  if (end !== undefined) return end;
  return Exit.isSuccess(exit) && exit.value instanceof Returned
    ? returned(gate, exit.value)
    : { _tag: "Complete", exit, commits: gate.commits ?? none };
};
