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
import { Boundary, Current, Step, Supported } from "./flow_state.ts";
import { asked, read, type Reader, type Script } from "./script.ts";

const die = (message: string): Effect.Effect<never> => Effect.die(new Error(message));

/** The id that a URL question gets in a test. */
const interaction = (key: string): string => `interaction-${key}`;

/** Ends like the call would: inside of `attempt` with `Unanswerable`, else for good. */
const unanswerable = (key: string, reason: string): Effect.Effect<never> =>
  Effect.flatMap(
    Boundary,
    (boundary) =>
      boundary === undefined
        ? die(`Cannot ask "${key}": ${reason}`)
        : Effect.andThen(Deferred.fail(boundary, new Unanswerable({ key, reason })), Effect.never),
  );

/** Waits for the part of a URL question that happens outside of the conversation. */
const finish = Effect.fnUntraced(function* <A, R>(key: string, completion: Completion<A, R>) {
  const seconds = Math.max(1, Math.ceil(Duration.toSeconds(completion.wait)));
  for (let second = 0; second <= seconds; second++) {
    const done = yield* completion.done(interaction(key));
    if (Option.isSome(done)) return done.value;
    yield* Effect.sleep("1 second");
  }
  return yield* die(`"${key}" was accepted, but is not done after ${seconds} s`);
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
    if (next === undefined) return yield* die(reader.missing(put));
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
      return yield* die(`The answer to "${spec.key}" is invalid: ${reading.reason}`);
  }
});

/** A port that answers from a script. In a `run`, a key has one question and one answer, as in a call. */
const port = (script: Script): Port => {
  const reader = read(script);
  return {
    ask: (need) =>
      Effect.gen(function* () {
        const spec = specOf(need);
        const step = yield* Step;
        if (step !== undefined) return yield* die(`Cannot ask "${spec.key}" inside of the step "${step}"`);
        const flow = yield* Current;
        const identity = spec.identity();
        const known = flow?.answers.get(spec.key);
        if (known !== undefined && known.identity === identity) return yield* answer(spec, known.raw);
        if (known !== undefined && known.pass === flow?.pass) {
          return yield* die(`"${spec.key}" was asked with two different questions`);
        }
        const supports = yield* Supported;
        const missing = needed(spec.request(interaction(spec.key))).filter((capability) => !supports(capability));
        if (missing.length > 0) return yield* unanswerable(spec.key, `the client lacks ${missing.join(", ")}`);
        const raw = yield* consult(spec, reader);
        flow?.answers.set(spec.key, { identity, pass: flow.pass, raw });
        return yield* answer(spec, raw);
      }),
  };
};

/** Answers form and URL questions from a script; an answer that no form would accept is followed by the next one. */
export const layerElicitation = (script: Script): Layer.Layer<Elicitation> =>
  Layer.sync(Elicitation, () => port(script));

/** Answers questions to the client's model from a script. */
export const layerSampling = (script: Script): Layer.Layer<Sampling> => Layer.sync(Sampling, () => port(script));

/** Gives the client's roots, whatever the key. */
export const layerRoots = (roots: ReadonlyArray<string | Root>): Layer.Layer<Roots> =>
  Layer.succeed(Roots, {
    ask: (need) => answer(specOf(need), rooted(roots)),
  });
