/** The two styles of asking, in one call: a misuse (G1). */
import type * as Effect from "effect/Effect";
import type { Gate, Region } from "./gate.ts";
import type { AnyFiber } from "./parts.ts";

const rule = "A call either asks with Need or returns Manual.inputRequired, not both";

/** Why a handler that returns its questions may not: what it did in the other style; undefined: nothing. */
export const mixed = (gate: Gate): string | undefined => {
  const [key] = gate.reached?.keys() ?? [];
  if (key !== undefined) return `${rule}: the handler also asked "${key}"`;
  const [cell] = gate.cells?.keys() ?? [];
  if (cell !== undefined) return `${rule}: the handler also used the state "${cell}"`;
  const { answers, asked, manual, pass } = gate.round.journal;
  if (manual !== undefined) return undefined;
  const [before] = [...asked.keys(), ...answers.keys()];
  if (before !== undefined) return `${rule}: an earlier round asked "${before}"`;
  return pass > 1 ? `${rule}: the handler started again before` : undefined;
};

/** Only with a seed is the first round one of a flow whose handler returns. */
const seeded = ({ round: { journal } }: Gate): boolean => journal.manual !== undefined && journal.round === 1;

/**
 * What becomes of a verb of the other style in a call whose earlier rounds returned; undefined: it may act. A seed that
 * nobody opened is left behind: it is for handlers that do, and to go on without it is what all others do.
 */
export const manual = (region: Region, fiber: AnyFiber, verb: string): Effect.Effect<never> | undefined => {
  const { gate } = region;
  if (gate.round.journal.manual === undefined) return undefined;
  if (!seeded(gate)) return gate.misuse(fiber, region, `${rule}: cannot ${verb} after an earlier round returned`);
  if (gate.seed === "opened") return gate.misuse(fiber, region, `${rule}: cannot ${verb} after its state was opened`);
  gate.seed = "left";
  return undefined;
};

/** The author's state that came with this request. One that was left behind is gone, as it will be in the next round. */
export const stateOf = (gate: Gate): string | undefined => {
  if (gate.seed === "left") return undefined;
  if (seeded(gate)) gate.seed = "opened";
  return gate.round.journal.manual?.state;
};
