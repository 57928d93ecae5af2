/** What becomes of a question that has no answer. */
import * as Effect from "effect/Effect";
import type { Capability } from "../model/capability.ts";
import { needed, type Question } from "../model/question.ts";
import { Unanswerable } from "../need/errors.ts";
import type { Gate, Region } from "./gate.ts";
import type { AnyFiber, Boundary, Missing, Obstacle, Reason } from "./parts.ts";

/** Why a client that lacks `missing` is not asked. */
export const lacks = (missing: ReadonlyArray<Capability>): string =>
  `The client does not declare ${missing.join(", ")}`;

/** An obstacle that is no matter of capabilities. */
export const unanswerable = (reason: string): Obstacle => ({ _tag: "Unanswerable", missing: [], reason });

/** What the client would have to declare. */
export const lacking = (gate: Gate, question: Question): Obstacle | undefined => {
  const missing = needed(question).filter((capability) => !gate.supports(capability));
  return missing.length === 0 ? undefined : { _tag: "Unanswerable", missing, reason: lacks(missing) };
};

/** The innermost `attempt` that has not ended. */
const boundaryOf = (region: Region): Boundary | undefined => {
  let at = region.boundary;
  while (at !== undefined && at.ended) at = at.outer;
  return at;
};

/** Parks the fiber for `reasons`; one that cannot be asked ends the `attempt` around it, if there is one. */
export const wait = (region: Region, fiber: AnyFiber, reasons: ReadonlyArray<Reason>): Effect.Effect<never> => {
  const boundary = boundaryOf(region);
  const missing = reasons.find((reason) => reason._tag === "Missing");
  if (boundary === undefined || missing === undefined) return region.gate.park(fiber, region, reasons);
  region.gate.fail(boundary, new Unanswerable(missing));
  return region.gate.park(fiber, region);
};

/** Ends a need that cannot be asked: a `bare` one, which is all of an attempt, fails. */
export const cannot = (
  region: Region,
  fiber: AnyFiber,
  missing: Missing,
  bare: boolean,
): Effect.Effect<never, Unanswerable> => bare ? Effect.fail(new Unanswerable(missing)) : wait(region, fiber, [missing]);
