/** Steps of `once`: run uninterruptibly, recorded however they end, replayed from the record in later rounds. */
import * as Cause from "effect/Cause";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import type * as Schema from "effect/Schema";
import { defectText } from "../model/defect.ts";
import type { StepSchema } from "../need/flow.ts";
import { jsonCodec } from "./codec.ts";
import { now } from "./clock.ts";
import type { Gate, Region } from "./gate.ts";
import type { StepRecord } from "./journal.ts";
import type { Join, Running, Step } from "./parts.ts";
import { inRegion, withRegion } from "./region.ts";

/** The record of an end; fails if the end does not fit the schema. */
const recordOf = <A, E>(
  exit: Exit.Exit<A, E>,
  schema: StepSchema<A, E>,
): Exit.Exit<StepRecord, Schema.SchemaError> => {
  if (Exit.isSuccess(exit)) {
    return Exit.map(jsonCodec(schema.success).encode(exit.value), (value) => ({ _tag: "Success", value }));
  }
  const failure = Cause.findErrorOption(exit.cause);
  if (Option.isSome(failure) && schema.failure !== undefined) {
    return Exit.map(jsonCodec(schema.failure).encode(failure.value), (error) => ({ _tag: "Failure", error }));
  }
  return Exit.succeed({ _tag: "Defect", message: defectText(Cause.squash(exit.cause)) });
};

/** The end that a record stands for; fails if the record does not fit the schema. */
const replay = <A, E>(
  record: StepRecord,
  schema: StepSchema<A, E>,
): Exit.Exit<Exit.Exit<A, E>, Schema.SchemaError> => {
  switch (record._tag) {
    case "Success":
      return Exit.map(jsonCodec(schema.success).decode(record.value), Exit.succeed);
    case "Failure":
      return schema.failure === undefined
        ? Exit.succeed(Exit.die(new Error("The step failed")))
        : Exit.map(jsonCodec(schema.failure).decode(record.error), Exit.fail);
    case "Defect":
      return Exit.succeed(Exit.die(new Error(record.message)));
  }
};

/** Ends the call: what the step came to cannot be told in later rounds. */
const misfit = (region: Region, name: string, cause: Cause.Cause<unknown>): Effect.Effect<never> => {
  const message = `The result of the step "${name}" does not fit its schema`;
  return Effect.andThen(
    Effect.logError(message, cause),
    Effect.withFiber((fiber) => region.gate.misuse(fiber, region, message)),
  );
};

const runs = (step: Step | undefined, name: string): boolean =>
  step !== undefined && (step.name === name || runs(step.outer, name));

/** Whether the step `name` waits, be it by way of others, for one of the steps that `step` is inside of. */
const waitsFor = (gate: Gate, name: string, step: Step, seen = new Set<string>()): boolean => {
  if (seen.has(name)) return false;
  seen.add(name);
  for (const join of gate.joins ?? []) {
    if (runs(join.step, name) && (runs(step, join.name) || waitsFor(gate, join.name, step, seen))) return true;
  }
  return false;
};

/** Waits for the end of a step that runs already. */
const joined = <A, E>(
  { gate, step }: Region,
  name: string,
  running: Running,
): Effect.Effect<A, E> => {
  const end = Deferred.await(running.end as Deferred.Deferred<A, E>);
  if (step === undefined) return end;
  const join: Join = { step, name };
  (gate.joins ??= new Set()).add(join);
  return Effect.ensuring(end, Effect.sync(() => gate.joins?.delete(join)));
};

/** Runs the step and records its end, which everybody gets who asked for the step. */
const start = <A, E, R>(
  region: Region,
  name: string,
  effect: Effect.Effect<A, E, R>,
  schema: StepSchema<A, E>,
): Effect.Effect<A, E, R> => {
  const { gate } = region;
  const running = gate.running ??= new Map();
  const shared = Deferred.makeUnsafe<A, E>();
  running.set(name, { end: shared as Deferred.Deferred<unknown, unknown>, since: now(gate) });
  gate.changed();
  const inside: Region = { ...region, boundary: undefined, step: { name, outer: region.step }, unpaused: true };
  return Effect.flatMap(Effect.exit(inRegion(effect, inside)), (exit): Effect.Effect<A, E> => {
    const record = recordOf(exit, schema);
    if (Exit.isSuccess(record)) (gate.steps ??= new Map()).set(name, record.value);
    const replayed = Exit.isSuccess(record) ? replay(record.value, schema) : Exit.failCause(record.cause);
    const end = Exit.isSuccess(replayed) ? replayed.value : misfit(region, name, replayed.cause);
    running.delete(name);
    Deferred.doneUnsafe(shared, end);
    gate.changed();
    return end;
  });
};

/** Runs `effect` once per flow, as far as the client echoes the journal. */
export const once = <A, E, R>(
  name: string,
  effect: Effect.Effect<A, E, R>,
  schema: StepSchema<A, E>,
): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    withRegion((region, fiber): Effect.Effect<A, E, R> => {
      const { gate } = region;
      if (region.committing) return Effect.die(new Error(`Cannot run the step "${name}" while committing`));
      if (gate.shut(region)) return gate.park(fiber, region);
      if (runs(region.step, name)) return gate.misuse(fiber, region, `The step "${name}" waits for itself`);
      const record = gate.steps?.get(name) ?? gate.round.journal.steps.get(name);
      if (record !== undefined) {
        const replayed = replay(record, schema);
        return Exit.isSuccess(replayed) ? replayed.value : misfit(region, name, replayed.cause);
      }
      const running = gate.running?.get(name);
      if (running !== undefined) {
        return region.step !== undefined && waitsFor(gate, name, region.step)
          ? gate.misuse(fiber, region, `The step "${name}" waits for "${region.step.name}", which waits for it`)
          : restore(joined<A, E>(region, name, running));
      }
      return start(region, name, effect, schema);
    })
  );
