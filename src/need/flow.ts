/** The flow: what a handler asks of its own earlier rounds, and what an interpreter does for every verb. */
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type * as Schema from "effect/Schema";
import type { CallInfo, Era } from "../model/call.ts";
import type { Capability } from "../model/capability.ts";
import type { Notice } from "../model/notice.ts";
import type { Principal } from "../model/principal.ts";
import type { Unanswerable } from "./errors.ts";

/** What a handler may know of its flow. */
export interface FlowInfo {
  /** Random, the same in all rounds. */
  readonly id: string;
  /** The first round is 1. */
  readonly round: number;
  /** For logs only: a handler behaves alike in both. */
  readonly era: Era;
  /** On whose behalf the call is made. */
  readonly principal: Principal;
  /** Name of the `once` step that is asking, if one is. */
  readonly step: string | undefined;
}

/** How the record of a step is written and read. */
export interface StepSchema<A, E> {
  /** Writes and reads what the step gives. */
  readonly success: Schema.Codec<A, unknown>;
  /** Undefined where the step cannot fail. */
  readonly failure: Schema.Codec<E, unknown> | undefined;
}

/** A named value that lives as long as its flow. */
export interface CellSpec<A> {
  /** Unique in the flow. */
  readonly name: string;
  /** Writes and reads the value as JSON. */
  readonly schema: Schema.Codec<A, unknown>;
  /** The value before anything is written. */
  readonly initial: A;
}

/** What the flow does for a handler; see the verbs of the same names. */
export interface FlowPort {
  /** `Need.flow`. */
  readonly info: Effect.Effect<FlowInfo>;
  /** `Need.supports`. */
  readonly supports: (capability: Capability) => Effect.Effect<boolean>;
  /** `Need.once`. */
  readonly once: <A, E, R>(
    name: string,
    effect: Effect.Effect<A, E, R>,
    schema: StepSchema<A, E>,
  ) => Effect.Effect<A, E, R>;
  /** The value of a cell of `Need.state`. */
  readonly get: <A>(cell: CellSpec<A>) => Effect.Effect<A>;
  /** Changes the value of a cell of `Need.state`, in one go. */
  readonly update: <A>(cell: CellSpec<A>, change: (value: A) => A) => Effect.Effect<void>;
  /** `Need.onCommit`. */
  readonly onCommit: <R>(effect: Effect.Effect<unknown, never, R>) => Effect.Effect<void, never, R>;
  /** `Need.again`. */
  readonly again: Effect.Effect<never>;
}

/** The handler's own earlier rounds. */
export interface Flow {
  /** A brand: without it TypeScript takes the kinds for one. */
  readonly "~needful/need/Flow": "~needful/need/Flow";
}

/** The handler's own earlier rounds. */
export const Flow: Context.Service<Flow, FlowPort> = Context.Service<Flow, FlowPort>("needful/need/Flow");

/** Any effect. */
// deno-lint-ignore no-explicit-any -- the only type that every Effect is assignable to
export type AnyEffect = Effect.Effect<any, any, any>;

/** What an interpreter does for the verbs that name no service: they also work in a plain Effect, without a call. */
export interface Interpreter {
  /** The branches at once, held open until each has asked, ended or failed. */
  readonly all: (branches: ReadonlyArray<AnyEffect>) => Effect.Effect<ReadonlyArray<unknown>, unknown, unknown>;
  /** `Need.attempt`: `Unanswerable` comes from this boundary, or from one inside that the author made. */
  readonly attempt: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Unanswerable, R>;
  /** Sends what `Call.progress` and `Call.log` say. */
  readonly notify: (notice: Notice) => Effect.Effect<void>;
  /** `Call.info`. */
  readonly info: Effect.Effect<Option.Option<CallInfo>>;
  /** `Call.disconnect`. */
  readonly disconnect: Effect.Effect<void>;
  /** `Need.isSuspending`. */
  readonly isSuspending: Effect.Effect<boolean>;
}

/** The interpreter that a handler runs under; undefined outside of a call. */
export const Interpreter: Context.Reference<Interpreter | undefined> = Context.Reference<Interpreter | undefined>(
  "needful/need/Interpreter",
  { defaultValue: () => undefined },
);
