/** The verbs of a pass's end: `Need.onCommit` and `Need.again`; and what else a handler may know of its flow. */
import * as Effect from "effect/Effect";
import type { Capability } from "../model/capability.ts";
import { Flow, type FlowInfo, Interpreter } from "./flow.ts";

/**
 * Registers an effect that runs after the final, non-error result of the last pass is decided, in order, before it is
 * sent. A defect in it is logged; the result stands and later ones run.
 *
 * It comes after the end of the flow: it may read cells, as the pass left them, and `Need.flow`. It cannot ask, write
 * cells, run steps, register commits or go again, and dies of the attempt, which the log tells; under `Testing.run` the
 * run dies of it. What it says by `Call.progress` and `Call.log` is not sent.
 */
export const onCommit = <R>(effect: Effect.Effect<unknown, never, R>): Effect.Effect<void, never, R | Flow> =>
  Effect.flatMap(Flow, (flow) => flow.onCommit(effect));

/**
 * Ends the pass: the client is to come back with the state alone, and the handler begins anew with its cells. Answers
 * stay, so keys are named per pass.
 */
export const again: Effect.Effect<never, never, Flow> = Effect.flatMap(Flow, (flow) => flow.again);

/** The flow's id, round, era and principal, and inside of a `once` step its name. */
export const flow: Effect.Effect<FlowInfo, never, Flow> = Effect.flatMap(Flow, (flow) => flow.info);

/** Whether this client can be asked for `capability` now: what the gate would say. */
export const supports = (capability: Capability): Effect.Effect<boolean, never, Flow> =>
  Effect.flatMap(Flow, (flow) => flow.supports(capability));

/** Whether the handler is being interrupted because its round ends with needs unmet: for finalizers. */
export const isSuspending: Effect.Effect<boolean> = Effect.flatMap(
  Interpreter,
  (interpreter) => interpreter === undefined ? Effect.succeed(false) : interpreter.isSuspending,
);
