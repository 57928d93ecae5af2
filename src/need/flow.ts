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
  readonly principal: Principal;
  /** Name of the `once` step that is asking, if one is. */
  readonly step: string | undefined;
}

/** How the record of a step is written and read. */
export interface StepSchema<A, E> {
  readonly success: Schema.Codec<A, unknown>;
  /** Absent where the step cannot fail. */
  readonly failure: Schema.Codec<E, unknown> | undefined;
}

/** A named value that lives as long as its flow. */
export interface CellSpec<A> {
  readonly name: string;
  readonly schema: Schema.Codec<A, unknown>;
  readonly initial: A;
}

/** What the flow does for a handler; see the verbs of the same names. */
export interface FlowPort {
  readonly info: Effect.Effect<FlowInfo>;
  readonly supports: (capability: Capability) => Effect.Effect<boolean>;
  readonly once: <A, E, R>(
    name: string,
    effect: Effect.Effect<A, E, R>,
    schema: StepSchema<A, E>,
  ) => Effect.Effect<A, E, R>;
  readonly get: <A>(cell: CellSpec<A>) => Effect.Effect<A>;
  readonly update: <A>(cell: CellSpec<A>, change: (value: A) => A) => Effect.Effect<void>;
  readonly onCommit: <R>(effect: Effect.Effect<unknown, never, R>) => Effect.Effect<void, never, R>;
  readonly again: Effect.Effect<never>;
}

/** The handler's own earlier rounds. */
export interface Flow {
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
  readonly attempt: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Unanswerable, R>;
  readonly notify: (notice: Notice) => Effect.Effect<void>;
  readonly info: Effect.Effect<Option.Option<CallInfo>>;
  readonly disconnect: Effect.Effect<void>;
  readonly isSuspending: Effect.Effect<boolean>;
}

/** The interpreter that a handler runs under; undefined outside of a call. */
export const Interpreter: Context.Reference<Interpreter | undefined> = Context.Reference<Interpreter | undefined>(
  "needful/need/Interpreter",
  { defaultValue: () => undefined },
);
