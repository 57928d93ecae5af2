/** The way of a question: to its answer, or to the list of what the handler waits for. */
import * as Effect from "effect/Effect";
import { Refused, type Unanswerable } from "../need/errors.ts";
import type { Spec } from "../need/need.ts";
import { interactionOf } from "./digest.ts";
import type { Gate, Region } from "./gate.ts";
import { answerTo, type Good } from "./merge.ts";
import { manual } from "./mixed.ts";
import { cannot, wait } from "./obstacle.ts";
import type { AnyFiber, AnySpec, Missing, Put, Reached } from "./parts.ts";
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

/** What there is to a question now: an answer, or why there is none, or what becomes of a verb that must not ask. */
const look = <A, E, R>(
  region: Region,
  fiber: AnyFiber,
  spec: Spec<A, E, R>,
): Good<A, E> | Put | Missing | Effect.Effect<never> => {
  const { gate } = region;
  const { key } = spec;
  const bar = barred(region, fiber, `ask "${key}"`) ?? manual(region, fiber, `ask "${key}"`);
  if (bar !== undefined) return bar;
  const reached = reach(gate, spec);
  if (reached === undefined) return gate.misuse(fiber, region, `The key "${key}" stands for two different questions`);
  const reading = answerTo(gate, reached, spec);
  if (reading !== undefined) return reading;
  const question = spec.request(spec.kind === "url" ? interactionOf(gate, key) : "");
  const obstacle = gate.obstacle(question, reached);
  if (obstacle === undefined) return { _tag: "Question", key, question };
  const { reason } = obstacle;
  if (obstacle._tag === "Unanswerable") return { _tag: "Missing", key, missing: obstacle.missing, reason };
  // Only samples are refused, and they say so in their E.
  return { _tag: "Failure", error: new Refused({ key, reason }) as E };
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
      return spec.completion === undefined
        ? Effect.succeed(found.value)
        : finish(region, fiber, spec.key, spec.completion, bare);
    case "Failure":
      return Effect.fail(found.error);
    case "Missing":
      return cannot(region, fiber, found, bare);
    case "Question":
      return region.gate.put(fiber, region, found, () => ask(region, fiber, spec, bare));
  }
};

/** Gives all the answers, or parks the one fiber for all that is missing: what a fiber for each would come to. */
export const askAll = (
  region: Region,
  fiber: AnyFiber,
  specs: ReadonlyArray<AnySpec>,
): Effect.Effect<ReadonlyArray<unknown>, unknown> => {
  const values: Array<unknown> = [];
  const reasons: Array<Put | Missing> = [];
  for (const spec of specs) {
    const found = look(region, fiber, spec);
    if (Effect.isEffect(found)) return found;
    if (found._tag === "Failure") return Effect.fail(found.error);
    if (found._tag === "Answer") values.push(found.value);
    else reasons.push(found);
  }
  return reasons.length === 0 ? Effect.succeed(values) : wait(region, fiber, reasons);
};
