/** `all`: branches whose questions go out in one round trip, also where they have to fetch something first. */
import * as Effect from "effect/Effect";
import type { AnyEffect } from "../need/flow.ts";
import type { Gate, Region } from "./gate.ts";
import { isNeed, specOf } from "../need/need.ts";
import { askAll } from "./ask.ts";
import type { Branch } from "./parts.ts";
import { inRegion, withRegion } from "./region.ts";

const end = (gate: Gate, branch: Branch): void => {
  if (branch.ended) return;
  branch.ended = true;
  if (branch.asking === 0) gate.holding--;
  gate.changed();
};

/** Runs `self` as a branch that holds the round until it asks or ends. */
const hold = (self: AnyEffect, region: Region, branch: Branch): AnyEffect =>
  inRegion(Effect.onExit(self, () => Effect.sync(() => end(region.gate, branch))), { ...region, branch });

/** The branches at once, held open until each has asked, ended or failed. */
export const all = (
  effects: ReadonlyArray<AnyEffect>,
): Effect.Effect<ReadonlyArray<unknown>, unknown, unknown> =>
  withRegion((region, fiber) => {
    const { gate } = region;
    if (region.step !== undefined || region.committing) return Effect.all(effects, { concurrency: "unbounded" });
    if (gate.shut(region)) return gate.park(fiber, region);
    const specs = effects.filter(isNeed).map(specOf);
    const bare = specs.length === effects.length && specs.every((spec) => spec.completion === undefined);
    // Where answers come one by one, each has to find a fiber of its own.
    if (bare && gate.roundTimeout === undefined) {
      return askAll(region, fiber, specs);
    }
    const branches = effects.map((): Branch => ({ outer: region.branch, asking: 0, ended: false }));
    return Effect.acquireUseRelease(
      Effect.sync(() => {
        gate.holding += branches.length;
      }),
      () => Effect.all(effects.map((effect, i) => hold(effect, region, branches[i]!)), { concurrency: "unbounded" }),
      // A branch that never began, because another one failed at once, ends here.
      () => Effect.sync(() => branches.forEach((branch) => end(gate, branch))),
    );
  });
