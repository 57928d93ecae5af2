/** A test layer for the flow, and the helper that runs a handler as one call. */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { capabilities as allCapabilities, type Capability } from "../model/capability.ts";
import { anonymous, Principal } from "../model/principal.ts";
import type { Unanswerable } from "../need/errors.ts";
import { type CellSpec, Flow, type FlowPort, Interpreter, type StepSchema } from "../need/flow.ts";
import { ManualPort } from "../need/manual.ts";
import { Boundary, Current, FlowState, Step, Supported } from "./flow_state.ts";
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
const through = <A>(schema: Schema.Codec<A, unknown>, value: A): Effect.Effect<A> => {
  const codec = Schema.toCodecJson(schema);
  return Schema.encodeEffect(codec)(value).pipe(
    Effect.flatMap((encoded) => Schema.decodeUnknownEffect(codec)(JSON.parse(JSON.stringify(encoded)))),
    Effect.orDie,
  );
};

/** What a step's record gives back. */
const recorded = <A, E>(exit: Exit.Exit<A, E>, schema: StepSchema<A, E>): Effect.Effect<A, E> =>
  Exit.match(exit, {
    onSuccess: (value) => through(schema.success, value),
    onFailure: (cause) => {
      const error = Exit.findErrorOption(exit);
      return Option.isSome(error) && schema.failure !== undefined
        ? Effect.flatMap(through(schema.failure, error.value), Effect.fail)
        : Effect.failCause(cause);
    },
  });

const flowOf = (base: FlowState): Effect.Effect<FlowState> => Effect.map(Current, (current) => current ?? base);

/** Nothing of a flow may be touched inside of a step. */
const outsideSteps = (what: string): Effect.Effect<void> =>
  Effect.flatMap(
    Step,
    (step) => step === undefined ? Effect.void : Effect.die(new Error(`Cannot ${what} inside of the step "${step}"`)),
  );

const port = (base: FlowState, principal: Principal): FlowPort => {
  const cell = <A>({ name, schema, initial }: CellSpec<A>): Effect.Effect<A> =>
    Effect.flatMap(
      flowOf(base),
      ({ cells }) => cells.has(name) ? through(schema, cells.get(name) as A) : Effect.succeed(initial),
    );

  return {
    info: Effect.gen(function* () {
      const { id, pass } = yield* flowOf(base);
      return { id, round: pass, era: "modern" as const, principal, step: yield* Step };
    }),
    supports: (capability) => Effect.map(Supported, (supports) => supports(capability)),
    once: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>, schema: StepSchema<A, E>) =>
      Effect.uninterruptible(Effect.gen(function* () {
        const { steps } = yield* flowOf(base);
        const known = steps.get(name);
        if (known !== undefined) return yield* Deferred.await(known);
        const record = Deferred.makeUnsafe<A, E>();
        steps.set(name, record);
        const exit = yield* Effect.exit(Effect.provideService(effect, Step, name));
        const result = yield* Effect.exit(recorded(exit, schema));
        Deferred.doneUnsafe(record, result);
        return yield* result;
      })),
    get: cell,
    update: ({ name, schema, initial }, change) =>
      Effect.gen(function* () {
        yield* outsideSteps(`set the state "${name}"`);
        const { cells } = yield* flowOf(base);
        const value = change(cells.has(name) ? cells.get(name) as typeof initial : initial);
        cells.set(name, yield* through(schema, value));
      }),
    onCommit: <R>(effect: Effect.Effect<unknown, never, R>) =>
      Effect.gen(function* () {
        yield* outsideSteps("register a commit");
        const { commits } = yield* flowOf(base);
        const context = yield* Effect.context<R>();
        commits.push(Effect.asVoid(Effect.provideContext(effect, context)));
      }),
    again: Effect.gen(function* () {
      yield* outsideSteps("start again");
      const { again } = yield* flowOf(base);
      if (again === undefined) return yield* Effect.die(new Error("Only Testing.run can start a handler again"));
      yield* Deferred.succeed(again, undefined);
      return yield* Effect.never;
    }),
  };
};

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

/**
 * Runs a handler as one call, in memory: it starts again after `again`, a key has one answer, a step runs once, and
 * the commits of the last pass run when it succeeded.
 *
 * The handler's services come from the context as usual. Dies where the handler breaks a rule of needs: one key for two
 * questions, a question inside of a step, more than 8 times `again`.
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
      const end = yield* Effect.raceFirst(pass, Effect.as(Deferred.await(again), Option.none<A>()));
      if (Option.isSome(end)) {
        for (const commit of state.commits) yield* Effect.catchCause(commit, (cause) => Effect.logError(cause));
        return end.value;
      }
      if (state.pass++ > maxPasses) {
        return yield* Effect.die(new Error(`The handler started again more than ${maxPasses} times`));
      }
    }
  });
