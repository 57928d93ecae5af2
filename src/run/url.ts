/** URL needs: what happens after the user accepted, outside of the conversation. */
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type { Unanswerable } from "../need/errors.ts";
import type { Completion } from "../need/need.ts";
import { interactionOf } from "./digest.ts";
import type { Region } from "./gate.ts";
import { cannot } from "./obstacle.ts";
import type { AnyFiber } from "./parts.ts";
import { inRegion } from "./region.ts";

const firstDelay = Duration.millis(100);
const lastDelay = Duration.seconds(1);

/** Asks whether it is done, less and less often, until it is. */
const poll = <A, R>(
  done: Effect.Effect<Option.Option<A>, never, R>,
  delay: Duration.Duration,
): Effect.Effect<A, never, R> =>
  Effect.flatMap(
    done,
    (found) =>
      Option.isSome(found)
        ? Effect.succeed(found.value)
        : Effect.andThen(Effect.sleep(delay), poll(done, Duration.min(Duration.times(delay, 2), lastDelay))),
  );

/**
 * While it polls, the user is at work: the clock stands still for the others, and the branch counts as asking. The fiber
 * is interrupted like one that is parked, so that polling in an uninterruptible region holds no round (G3).
 */
const waiting = <A, E, R>(self: Effect.Effect<A, E, R>, region: Region, fiber: AnyFiber): Effect.Effect<A, E, R> => {
  const { gate } = region;
  return Effect.interruptible(Effect.acquireUseRelease(
    Effect.sync(() => {
      gate.polling++;
      (gate.parked ??= new Map()).set(fiber, region);
      gate.enter(region.branch);
      gate.changed();
    }),
    () => self,
    () =>
      Effect.sync(() => {
        gate.polling--;
        gate.parked?.delete(fiber);
        gate.leave(region.branch);
        gate.changed();
      }),
  ));
};

/** It is not done in time: the round ends with state alone, or where no rounds are, the need without an answer. */
const overdue = (region: Region, fiber: AnyFiber, key: string, bare: boolean): Effect.Effect<never, Unanswerable> => {
  const { gate } = region;
  if (gate.roundTimeout === undefined) return gate.park(fiber, region, [{ _tag: "Unfinished", key }]);
  const limit = Duration.format(gate.roundTimeout);
  const reason = `The page timed out: it was accepted, but not finished within ${limit}`;
  return cannot(region, fiber, { _tag: "Missing", key, missing: [], reason }, bare);
};

/** What an accepted URL need comes to. */
export const finish = <A, R>(
  region: Region,
  fiber: AnyFiber,
  key: string,
  completion: Completion<A, R>,
  bare: boolean,
): Effect.Effect<A, Unanswerable, R> => {
  const { gate } = region;
  const interaction = interactionOf(gate, key);
  const polled = poll(completion.done(interaction), firstDelay);
  const limit = gate.roundTimeout ?? completion.wait;
  const inTime = inRegion(Effect.timeoutOption(polled, limit), { ...region, unpaused: true });
  return Effect.flatMap(waiting(inTime, region, fiber), (found): Effect.Effect<A, Unanswerable> => {
    if (Option.isNone(found)) return overdue(region, fiber, key, bare);
    gate.finished(interaction);
    return Effect.succeed(found.value);
  });
};
