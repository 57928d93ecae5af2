/** The way of a question: to its answer, or to the list of what the handler waits for. */
import * as Effect from "effect/Effect";
import { type Capability, supports } from "../model/capability.ts";
import { needed, withReason } from "../model/question.ts";
import { Unanswerable } from "../need/errors.ts";
import type { Spec } from "../need/need.ts";
import { interactionOf } from "./digest.ts";
import type { Gate, Region } from "./gate.ts";
import { answerTo } from "./merge.ts";
import type { AnyFiber, AnySpec, Boundary, Reached } from "./parts.ts";
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

/** Records that the question has to be put, if this client can be asked it. */
const put = (
  region: Region,
  fiber: AnyFiber,
  reached: Reached,
  bare: boolean,
): Effect.Effect<never, Unanswerable> => {
  const { gate } = region;
  const { spec } = reached;
  const { key } = spec;
  const question = spec.request(spec.kind === "url" ? interactionOf(gate, key) : "");
  const missing = needed(question).filter((capability) => !supports(gate.round.info.capabilities, capability));
  if (missing.length === 0) {
    const asked = reached.reason === undefined ? question : withReason(question, reached.reason);
    return gate.park(fiber, region, { _tag: "Question", key, question: asked });
  }
  const boundary = bare ? undefined : boundaryOf(region);
  if (!bare && boundary === undefined) return gate.park(fiber, region, { _tag: "Missing", key, missing });
  const failure = new Unanswerable({ key, reason: lacks(missing) });
  if (boundary === undefined) return Effect.fail(failure);
  boundary.fail(failure);
  return gate.park(fiber, region, undefined);
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
  const { gate } = region;
  const bar = barred(region, fiber, `ask "${spec.key}"`);
  if (bar !== undefined) return bar;
  const reached = reach(gate, spec);
  if (reached === undefined) {
    return gate.misuse(fiber, region, `The key "${spec.key}" stands for two different questions`);
  }
  const reading = answerTo(gate, reached, spec);
  if (reading === undefined) return put(region, fiber, reached, bare);
  if (reading._tag === "Failure") return Effect.fail(reading.error);
  return spec.completion === undefined ? Effect.succeed(reading.value) : finish(region, spec.key, spec.completion);
};
