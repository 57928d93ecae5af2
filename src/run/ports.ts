/** The services behind the verbs. One of each serves all runs: which run it is, the calling fiber knows. */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type { FlowPort, Interpreter } from "../need/flow.ts";
import { type Port, specOf } from "../need/need.ts";
import { all } from "./all.ts";
import { ask } from "./ask.ts";
import { attempt } from "./attempt.ts";
import * as Cells from "./cells.ts";
import { onCommit } from "./commits.ts";
import { manual } from "./mixed.ts";
import { barred, Region, withRegion } from "./region.ts";
import { once } from "./steps.ts";

/** Behind `elicit`, `confirm`, `choose`, `elicitUrl`, `sample`, `roots`. */
export const port: Port = {
  ask: <A, E, R>(need: Parameters<Port["ask"]>[0]) =>
    withRegion((region, fiber) => ask(region, fiber, specOf(need))) as Effect.Effect<A, E, R>,
};

/** Behind `state`, `once`, `onCommit`, `again`, `supports`, `flow`. */
export const flow: FlowPort = {
  info: withRegion(({ gate, step }) => {
    const { info, journal } = gate.round;
    return Effect.succeed({
      id: journal.flow,
      round: gate.number,
      era: info.era,
      principal: info.principal,
      step: step?.name,
    });
  }),
  supports: (capability) => withRegion(({ gate }) => Effect.succeed(gate.supports(capability))),
  once,
  get: Cells.get,
  update: Cells.update,
  onCommit,
  again: withRegion((region, fiber) =>
    barred(region, fiber, "start again") ?? manual(region, fiber, "start again") ??
      region.gate.park(fiber, region, [{ _tag: "Again" }])
  ),
};

/** Behind the verbs that also work outside of a call. */
export const interpreter: Interpreter = {
  all,
  attempt,
  notify: (notice) =>
    Effect.withFiber((fiber) => {
      const gate = fiber.getRef(Region)?.gate;
      if (gate !== undefined && !gate.closed) gate.round.notify(notice);
      return Effect.void;
    }),
  info: Effect.withFiber((fiber) =>
    Effect.succeed(Option.map(Option.fromNullishOr(fiber.getRef(Region)), ({ gate }) => gate.round.info))
  ),
  disconnect: Effect.withFiber((fiber) => fiber.getRef(Region)?.gate.disconnect ?? Effect.void),
  isSuspending: Effect.withFiber((fiber) => Effect.succeed(fiber.getRef(Region)?.gate.suspending ?? false)),
};
