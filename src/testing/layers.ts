/** Test layers for what a handler asks of the client: plain values instead of a client. */
import * as Deferred from "effect/Deferred";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import type { JsonRecord } from "../model/json.ts";
import { needed } from "../model/question.ts";
import { Unanswerable } from "../need/errors.ts";
import { type Completion, Elicitation, type Port, Roots, Sampling, type Spec, specOf } from "../need/need.ts";
import { type Answer, type Root, rooted } from "./answer.ts";
import { Boundary, checkPlace, Current, ending, type FlowState, refused, Supported } from "./flow_state.ts";
import { asked, read, type Reader, type Script } from "./script.ts";

/** Where answers come from. */
type Source = <A, E, R>(spec: Spec<A, E, R>) => Effect.Effect<Answer>;

/** The id that a URL question gets in a test. */
const interaction = (key: string): string => `interaction-${key}`;

/** Ends like the call would: inside of `attempt` with `Unanswerable`, else for good. */
const unanswerable = (key: string, reason: string): Effect.Effect<never> =>
  Effect.flatMap(
    Boundary,
    (boundary) =>
      boundary === undefined
        ? refused(`Cannot ask "${key}": ${reason}`)
        : ending(() => Deferred.doneUnsafe(boundary, Effect.fail(new Unanswerable({ key, reason })))),
  );

/** Waits for the part of a URL question that happens outside of the conversation. */
const finish = Effect.fnUntraced(function* <A, R>(key: string, completion: Completion<A, R>) {
  const seconds = Math.max(1, Math.ceil(Duration.toSeconds(completion.wait)));
  for (let second = 0; second <= seconds; second++) {
    const done = yield* completion.done(interaction(key));
    if (Option.isSome(done)) return done.value;
    yield* Effect.sleep("1 second");
  }
  return yield* refused(`"${key}" was accepted, but is not done after ${seconds} s`);
});

const reask = (question: JsonRecord, reason: string): JsonRecord =>
  typeof question["message"] === "string" ? { ...question, message: `${reason}\n\n${question["message"]}` } : question;

/** Gets an answer from the script; an invalid one is followed by the next, as a client would be asked again. */
const consult = Effect.fnUntraced(function* <A, E, R>(spec: Spec<A, E, R>, reader: Reader) {
  const question = spec.request(interaction(spec.key));
  let params: JsonRecord = { ...question.params };
  for (let round = 1;; round++) {
    const put = asked(spec.key, question.method, params, round);
    const next = reader.next(put);
    if (next === undefined) return yield* refused(reader.missing(put));
    const raw = yield* next;
    const reading = spec.read(raw);
    if (reading._tag !== "Invalid") return raw;
    params = reask(params, reading.reason);
  }
});

const answer = Effect.fnUntraced(function* <A, E, R>(spec: Spec<A, E, R>, raw: Answer) {
  const reading = spec.read(raw);
  switch (reading._tag) {
    case "Answer":
      return spec.completion === undefined
        ? reading.value
        : yield* finish(spec.key, spec.completion as Completion<A, R>);
    case "Failure":
      return yield* Effect.fail(reading.error);
    case "Invalid":
      return yield* refused(`The answer to "${spec.key}" is invalid: ${reading.reason}`);
  }
});

/** Asks a question that can be put to this client. */
const put = <A, E, R>(spec: Spec<A, E, R>, source: Source): Effect.Effect<Answer> =>
  Effect.flatMap(Supported, (supports) => {
    const missing = needed(spec.request(interaction(spec.key))).filter((capability) => !supports(capability));
    return missing.length > 0 ? unanswerable(spec.key, `the client lacks ${missing.join(", ")}`) : source(spec);
  });

/** Gets the answer that a key has in a call: it is asked for once, however many wait for it. */
const share = <A, E, R>(flow: FlowState, spec: Spec<A, E, R>, source: Source): Effect.Effect<Answer> => {
  const reached = flow.reach(spec.key, `${spec.kind} ${spec.identity()}`);
  if (reached === undefined) return refused(`"${spec.key}" was asked with two different questions`);
  return reached.lock.withPermits(1)(Effect.gen(function* () {
    return reached.raw ??= yield* put(spec, source);
  }));
};

/** A port that answers from a source. In a `run`, a key has one question and one answer, as in a call. */
const port = (source: Source): Port => ({
  ask: (need) =>
    Effect.gen(function* () {
      const spec = specOf(need);
      yield* checkPlace(`ask "${spec.key}"`);
      const flow = yield* Current;
      return yield* answer(spec, yield* flow === undefined ? put(spec, source) : share(flow, spec, source));
    }),
});

const scripted = (script: Script): Port => {
  const reader = read(script);
  return port((spec) => consult(spec, reader));
};

/** Answers form and URL questions from a script; an answer that no form would accept is followed by the next one. */
export const layerElicitation = (script: Script): Layer.Layer<Elicitation> =>
  Layer.sync(Elicitation, () => scripted(script));

/** Answers questions to the client's model from a script. */
export const layerSampling = (script: Script): Layer.Layer<Sampling> => Layer.sync(Sampling, () => scripted(script));

/** Gives the client's roots, whatever the key. */
export const layerRoots = (roots: ReadonlyArray<string | Root>): Layer.Layer<Roots> =>
  Layer.succeed(Roots, port(() => Effect.succeed(rooted(roots))));
