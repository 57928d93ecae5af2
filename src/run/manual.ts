/** What a round does for a handler that returns its questions and reads the answers by hand. */
import * as Effect from "effect/Effect";
import { own } from "../model/json.ts";
import type { ManualPort, ManualSpec } from "../need/manual.ts";
import type { Reading } from "../need/need.ts";
import type { Gate } from "./gate.ts";
import { answerTo } from "./merge.ts";
import { stateOf } from "./mixed.ts";
import type { Reached } from "./parts.ts";
import { withRegion } from "./region.ts";

const read = <A>(gate: Gate, spec: ManualSpec<A>): Reading<A, never> | undefined => {
  const reached: Reached = { spec, digest: undefined, reason: undefined };
  const good = answerTo(gate, reached, spec);
  if (good !== undefined) return good;
  return reached.reason === undefined ? undefined : { _tag: "Invalid", reason: reached.reason };
};

/** The obstacle would be the same that a return runs into. */
const canAsk = (gate: Gate, spec: ManualSpec): boolean =>
  gate.obstacle(spec.request(""), { spec, digest: undefined, reason: undefined }) === undefined;

/** The raw answer under a key: with a state only where this flow asked under it. */
const raw = ({ round: { journal, responses, retried } }: Gate, key: string): unknown => {
  const fresh = responses && (!retried || journal.asked.has(key)) ? own(responses, key) : undefined;
  return fresh ?? journal.answers.get(key)?.raw;
};

/** Reads in a run that is not over, or in a commit. */
const inRound = <A>(f: (gate: Gate) => A): Effect.Effect<A> =>
  withRegion((region, fiber) =>
    !region.committing && region.gate.shut(region) ? region.gate.park(fiber, region) : Effect.succeed(f(region.gate))
  );

/** Behind `Manual` and `RequestState`. */
export const manual: ManualPort = {
  read: (question) => inRound((gate) => read(gate, question)),
  canAsk: (question) => inRound((gate) => canAsk(gate, question)),
  responses: inRound(({ round }) => round.responses),
  raw: (key) => inRound((gate) => raw(gate, key)),
  state: inRound(stateOf),
  call: inRound(({ round }) => round.info),
  refuse: (reason) =>
    withRegion((region, fiber) => {
      const { gate } = region;
      if (!gate.shut(region)) gate.refusal ??= reason;
      return gate.misuse(fiber, region, "Invalid request state");
    }),
  misuse: (message) => withRegion((region, fiber) => region.gate.misuse(fiber, region, message)),
};
