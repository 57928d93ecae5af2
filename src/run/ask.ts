/** The way of a question: to its answer, or to the list of what the handler waits for. */
import * as Effect from "effect/Effect";
import { type Capability, supports } from "../model/capability.ts";
import { needed, withReason } from "../model/question.ts";
import { Unanswerable } from "../need/errors.ts";
import type { Spec } from "../need/need.ts";
import { interactionOf } from "./digest.ts";
import type { Gate, Region } from "./gate.ts";
import { answerTo, type Good } from "./merge.ts";
import type { AnyFiber, AnySpec, Boundary, Reached, Reason } from "./parts.ts";
import { barred } from "./region.ts";
import { finish } from "./url.ts";

/** The question as this run knows it; undefined if its key stands for another one. */
const reach = (gate: Gate, spec: AnySpec): Reached | undefined => {
  const known = gate.reached?.get(spec.key);
  if (known === undefined) {
    const reached: Reached = { spec, digest: undefined, reason: undefined };
    (gate.reached ??= new Map()).set(spec.key, reached);
    return reached;
  }
  const same = known.spec === spec ||
    (known.spec.kind === spec.kind && known.spec.identity() === spec.identity());
  return same ? known : undefined;
};

/** The innermost `attempt` that has not ended. */
const boundaryOf = (region: Region): Boundary | undefined => {
  let at = region.boundary;
  while (at !== undefined && at.ended) at = at.outer;
  return at;
};

/** Why a client that lacks `missing` is not asked. */
export const lacks = (missing: ReadonlyArray<Capability>): string =>
  `The client does not declare ${missing.join(", ")}`;

type Unanswered = Extract<Reason, { readonly _tag: "Question" | "Missing" }>;

/** What there is to a question now: an answer, or why there is none, or what becomes of a verb that must not ask. */
const look = <A, E, R>(
  region: Region,
  fiber: AnyFiber,
  spec: Spec<A, E, R>,
): Good<A, E> | Unanswered | Effect.Effect<never> => {
  const { gate } = region;
  const { key } = spec;
  const bar = barred(region, fiber, `ask "${key}"`);
  if (bar !== undefined) return bar;
  const reached = reach(gate, spec);
  if (reached === undefined) return gate.misuse(fiber, region, `The key "${key}" stands for two different questions`);
  const reading = answerTo(gate, reached, spec);
  if (reading !== undefined) return reading;
  const question = spec.request(spec.kind === "url" ? interactionOf(gate, key) : "");
  const missing = needed(question).filter((capability) => !supports(gate.round.info.capabilities, capability));
  if (missing.length > 0) return { _tag: "Missing", key, missing };
  const asked = reached.reason === undefined ? question : withReason(question, reached.reason);
  return { _tag: "Question", key, question: asked };
};

const unanswerable = ({ key, missing }: Extract<Reason, { readonly _tag: "Missing" }>): Unanswerable =>
  new Unanswerable({ key, reason: lacks(missing) });

/** Parks the fiber for `reasons`; one that cannot be asked ends the `attempt` around it, if there is one. */
const wait = (region: Region, fiber: AnyFiber, reasons: ReadonlyArray<Unanswered>): Effect.Effect<never> => {
  const boundary = boundaryOf(region);
  const missing = boundary && reasons.find((reason) => reason._tag === "Missing");
  if (missing === undefined) return region.gate.park(fiber, region, reasons);
  boundary?.fail(unanswerable(missing));
  return region.gate.park(fiber, region);
};

/**
 * Gives the answer, if there is one that belongs to the question and is good; otherwise parks the fiber. A question that
 * cannot be put is recorded, or ends the `attempt` around it; for a `bare` need, which is all of the attempt, it fails.
 */
export const ask = <A, E, R>(
  region: Region,
  fiber: AnyFiber,
  spec: Spec<A, E, R>,
  bare = false,
): Effect.Effect<A, E | Unanswerable, R> => {
  const found = look(region, fiber, spec);
  if (Effect.isEffect(found)) return found;
  switch (found._tag) {
    case "Answer":
      return spec.completion === undefined ? Effect.succeed(found.value) : finish(region, spec.key, spec.completion);
    case "Failure":
      return Effect.fail(found.error);
    case "Missing":
      return bare ? Effect.fail(unanswerable(found)) : wait(region, fiber, [found]);
    case "Question":
      return wait(region, fiber, [found]);
  }
};

/** Gives all the answers, or parks the one fiber for all that is missing: what a fiber for each would come to. */
export const askAll = (
  region: Region,
  fiber: AnyFiber,
  specs: ReadonlyArray<AnySpec>,
): Effect.Effect<ReadonlyArray<unknown>, unknown> => {
  const values: Array<unknown> = [];
  const reasons: Array<Unanswered> = [];
  for (const spec of specs) {
    const found = look(region, fiber, spec);
    if (Effect.isEffect(found)) return found;
    if (found._tag === "Failure") return Effect.fail(found.error);
    if (found._tag === "Answer") values.push(found.value);
    else reasons.push(found);
  }
  return reasons.length === 0 ? Effect.succeed(values) : wait(region, fiber, reasons);
};
