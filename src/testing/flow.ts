/** A test layer for the flow, and the helper that runs a handler as one call. */
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { capabilities as allCapabilities, type Capability } from "../model/capability.ts";
import { defectText } from "../model/defect.ts";
import { anonymous, Principal } from "../model/principal.ts";
import type { Unanswerable } from "../need/errors.ts";
import { type CellSpec, Flow, type FlowPort, Interpreter, type StepSchema } from "../need/flow.ts";
import { ManualPort } from "../need/manual.ts";
import {
  Boundary,
  checkPlace,
  Committing,
  Current,
  ending,
  FlowState,
  refused,
  type RunningStep,
  Step,
  Supported,
} from "./flow_state.ts";
import { type Brought, manual } from "./manual.ts";

/** What a handler finds in a test. */
export interface FlowOptions extends Brought {
  /** What the client can be asked for. Default: everything. */
  readonly capabilities?: ReadonlyArray<Capability>;
  /** The caller. Default: `anonymous`. */
  readonly principal?: Principal;
  /** Default `test-flow`. */
  readonly id?: string;
}

/** Passes that `run` allows, as a server does by default. */
const maxPasses = 8;

/** What a codec makes of a value on its way through JSON and back. */
const through = <A>(schema: Schema.Codec<A, unknown>, value: A): Effect.Effect<A, Schema.SchemaError> => {
  const codec = Schema.toCodecJson(schema);
  return Effect.flatMap(
    Schema.encodeEffect(codec)(value),
    (encoded) => Schema.decodeUnknownEffect(codec)(JSON.parse(JSON.stringify(encoded))),
  );
};

/** What a step's record gives back; fails if the step's end does not fit the schema. */
const recorded = <A, E>(
  exit: Exit.Exit<A, E>,
  schema: StepSchema<A, E>,
): Effect.Effect<Exit.Exit<A, E>, Schema.SchemaError> => {
  if (Exit.isSuccess(exit)) return Effect.map(through(schema.success, exit.value), Exit.succeed);
  const error = Exit.findErrorOption(exit);
  return Option.isSome(error) && schema.failure !== undefined
    ? Effect.map(through(schema.failure, error.value), Exit.fail)
    : Effect.succeed(Exit.die(new Error(defectText(Cause.squash(exit.cause)))));
};

const flowOf = (base: FlowState): Effect.Effect<FlowState> => Effect.map(Current, (current) => current ?? base);

const isIn = (step: RunningStep | undefined, name: string): boolean =>
  step !== undefined && (step.name === name || isIn(step.outer, name));

/** The value of a cell, of its own for everybody who reads it. */
const valueOf = <A>({ cells }: FlowState, { initial, name, schema }: CellSpec<A>): Effect.Effect<A> => {
  const value = cells.has(name) ? cells.get(name) as A : initial;
  return Effect.orElseSucceed(through(schema, value), () => value);
};

const port = (base: FlowState, principal: Principal): FlowPort => ({
  info: Effect.gen(function* () {
    const { id, pass } = yield* flowOf(base);
    return { id, round: pass, era: "modern" as const, principal, step: (yield* Step)?.name };
  }),
  supports: (capability) => Effect.map(Supported, (supports) => supports(capability)),
  once: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>, schema: StepSchema<A, E>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        if (yield* Committing) return yield* refused(`Cannot run the step "${name}" while committing`);
        const outer = yield* Step;
        if (isIn(outer, name)) return yield* refused(`The step "${name}" waits for itself`);
        const { steps } = yield* flowOf(base);
        const known = steps.get(name);
        if (known !== undefined) return yield* restore(Deferred.await(known));
        const record = Deferred.makeUnsafe<A, E>();
        steps.set(name, record);
        const exit = yield* Effect.exit(Effect.provideService(effect, Step, { name, outer }));
        const end: Effect.Effect<A, E> = yield* Effect.orElseSucceed(
          recorded(exit, schema),
          () => refused(`The result of the step "${name}" does not fit its schema`),
        );
        Deferred.doneUnsafe(record, end);
        return yield* end;
      })
    ),
  get: (cell) =>
    Effect.gen(function* () {
      yield* checkPlace(`use the state "${cell.name}"`, true);
      return yield* valueOf(yield* flowOf(base), cell);
    }),
  update: (cell, change) =>
    Effect.gen(function* () {
      const { name, schema } = cell;
      yield* checkPlace(`use the state "${name}"`);
      const flow = yield* flowOf(base);
      const value = change(yield* valueOf(flow, cell));
      const misfit = () => refused(`The state "${name}" does not fit its schema`);
      flow.cells.set(name, yield* Effect.catch(through(schema, value), misfit));
    }),
  onCommit: <R>(effect: Effect.Effect<unknown, never, R>) =>
    Effect.gen(function* () {
      yield* checkPlace("register a commit");
      const { commits } = yield* flowOf(base);
      const context = Context.add(yield* Effect.context<R>(), Committing, true);
      commits.push(Effect.asVoid(Effect.provideContext(effect, context)));
    }),
  again: Effect.gen(function* () {
    yield* checkPlace("start again");
    const { again } = yield* flowOf(base);
    if (again === undefined) return yield* Effect.die(new Error("Only Testing.run can start a handler again"));
    return yield* ending(() => Deferred.doneUnsafe(again, Effect.succeed(undefined)));
  }),
});

/** The verbs that name no service. */
const interpreter: Interpreter = {
  all: (branches) => Effect.all(branches, { concurrency: "unbounded" }),
  attempt: (self) =>
    Effect.suspend(() => {
      const boundary = Deferred.makeUnsafe<never, Unanswerable>();
      return Effect.raceFirst(Effect.provideService(self, Boundary, boundary), Deferred.await(boundary));
    }),
  notify: () => Effect.void,
  info: Effect.succeedNone,
  disconnect: Effect.void,
  isSuspending: Effect.succeed(false),
};

/**
 * A flow in memory: state cells, `once`, `onCommit`, `again` and `Need.flow`, and the caller.
 *
 * Outside of `run` the flow lasts as long as the layer, commits are not run, and nothing can start again. For handlers
 * that return their questions it is one request, with the `responses` and the `requestState` that it brings.
 */
export const layerFlow = (options: FlowOptions = {}): Layer.Layer<Flow | Principal> => {
  const { capabilities = allCapabilities, id = "test-flow", principal = anonymous } = options;
  return Layer.mergeAll(
    Layer.sync(Flow, () => port(new FlowState(id), principal)),
    Layer.succeed(Principal, principal),
    Layer.succeed(Interpreter, interpreter),
    Layer.succeed(ManualPort, manual(options, principal)),
    Layer.succeed(Supported, (capability) => capabilities.includes(capability)),
  );
};

/** Runs `self` until it ends or the handler breaks a rule, which decides. */
const guarded = <A, E, R>(self: Effect.Effect<A, E, R>, flow: FlowState): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    Effect.exit(Effect.raceFirst(self, Deferred.await(flow.broken))),
    (exit) => flow.fault === undefined ? exit : Effect.die(new Error(flow.fault)),
  );

const commit = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(effect, (cause) => Effect.logError("An effect of onCommit failed", cause));

/**
 * Runs a handler as one call, in memory: it starts again after `again`, a key has one answer, a step runs once, and
 * the commits of the last pass run when it succeeded.
 *
 * The handler's services come from the context as usual. Dies, whatever the handler catches, where a server would end
 * the call: one key for two questions; a step that asks, uses cells, registers commits, goes again or waits for itself;
 * the end of a step, or what a cell is set to, that does not fit its schema; a question that this client cannot be
 * asked, outside of `attempt`; more than 8 times `again`. And where the script does not answer a question, and where a
 * commit does what it must not, of which a server only tells the log.
 *
 * It is one run, not the rounds of a flow: nothing is interrupted at a question and run anew, the Clock goes on while a
 * question is open, `Need.isSuspending` is false, and no limit of rounds or time counts. Not told are steps that wait for
 * each other, which wait for ever, and the use of `Need` beside `Manual`. `connect` shows all that, in a server.
 */
export const run = <A, E, R>(
  handler: Effect.Effect<A, E, R>,
  options: { readonly id?: string } = {},
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const state = new FlowState(options.id ?? "test-flow");
    for (;;) {
      const again = state.begin();
      const pass = Effect.map(Effect.provideService(handler, Current, state), Option.some);
      const end = yield* guarded(
        Effect.raceFirst(pass, Effect.as(Deferred.await(again), Option.none<A>())),
        state,
      );
      if (Option.isSome(end)) {
        yield* guarded(Effect.forEach(state.commits, commit, { discard: true }), state);
        return end.value;
      }
      if (state.pass++ > maxPasses) {
        return yield* Effect.die(new Error(`The handler started again more than ${maxPasses} times`));
      }
    }
  });
