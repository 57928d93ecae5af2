/** Readers: what this request, or an earlier one of its flow, says to requests. */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { isRecord, type JsonRecord, own } from "../model/json.ts";
import { Flow } from "../need/flow.ts";
import { contentOf } from "../need/form/envelope.ts";
import { ManualPort } from "../need/manual.ts";
import type { Reading } from "../need/need.ts";
import { InvalidAnswer } from "./errors.ts";
import type { FormResponse, Request, Requests } from "./request.ts";
import { specAt } from "./wire.ts";

/** The answers to requests, by key; undefined where there is none, or none that can be used. */
export type Responses<Rs extends Requests> = {
  readonly [K in keyof Rs]: Rs[K] extends Request<infer A> | undefined ? A | undefined : never;
};

/** The keys of the forms among requests. */
export type FormKey<Rs extends Requests> =
  & string
  & { [K in keyof Rs]-?: NonNullable<Rs[K]> extends Request<FormResponse<unknown>> ? K : never }[keyof Rs];

/** What the accepted form with this key holds. */
export type Content<Rs extends Requests, K extends keyof Rs> = NonNullable<Rs[K]> extends Request<FormResponse<infer A>>
  ? A
  : never;

/** Reads in a call, which is where a flow is. */
const inCall = <A>(f: (port: ManualPort) => Effect.Effect<A>, outside: A): Effect.Effect<A, never, Flow> =>
  Effect.flatMap(
    Flow,
    () => Effect.flatMap(ManualPort, (port) => port === undefined ? Effect.succeed(outside) : f(port)),
  );

const read = <A>(key: string, request: Request<A>): Effect.Effect<Reading<A, never> | undefined, never, Flow> =>
  inCall((port) => port.read(specAt(request, key)), undefined);

const entriesOf = (requests: Requests): ReadonlyArray<readonly [string, Request<unknown>]> =>
  Object.entries(requests).filter((entry): entry is [string, Request<unknown>] => entry[1] !== undefined);

/** An object with these members, whatever their names are. */
const recordOf = (entries: ReadonlyArray<readonly [string, unknown]>): object => {
  const record = {};
  for (const [key, value] of entries) {
    Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return record;
};

/** The requests that pass `test`, under their keys. */
const those = <Rs extends Requests>(
  requests: Rs,
  test: (key: string, request: Request<unknown>) => Effect.Effect<boolean, never, Flow>,
): Effect.Effect<Partial<Rs>, never, Flow> =>
  Effect.map(
    Effect.filter(entriesOf(requests), ([key, request]) => test(key, request)),
    (entries) => recordOf(entries) as Partial<Rs>,
  );

/**
 * The answers to `requests`, each typed by its request. An answer belongs to the question: with a state only what this
 * flow asked counts, without one what the client volunteers to a form. Answers of earlier rounds stay. Content is
 * validated; what is malformed or invalid is undefined, as if it had not come, and to return its request again tells
 * the user why.
 */
export const responses = <Rs extends Requests>(requests: Rs): Effect.Effect<Responses<Rs>, never, Flow> =>
  Effect.map(
    Effect.forEach(entriesOf(requests), ([key, request]) =>
      Effect.map(read(key, request), (reading) =>
        [key, reading?._tag === "Answer" ? reading.value : undefined] as const)),
    (entries) =>
      recordOf(entries) as Responses<Rs>,
  );

/**
 * The content of an accepted form: none where it is not accepted, that is missing, declined or cancelled; `InvalidAnswer`
 * where it is accepted with content that is not valid. A handler that asks again on none asks again after a no:
 * `responses` and `missing` tell them apart.
 */
export const accepted = <Rs extends Requests, K extends FormKey<Rs>>(
  requests: Rs,
  key: K,
): Effect.Effect<Option.Option<Content<Rs, K>>, InvalidAnswer, Flow> => {
  const request = own(requests, key) as Request<FormResponse<Content<Rs, K>>> | undefined;
  if (request === undefined) return Effect.succeedNone;
  return Effect.flatMap(read(key, request), (reading) => {
    if (reading?._tag === "Invalid") return new InvalidAnswer({ key, reason: reading.reason });
    return reading?._tag === "Answer" && reading.value.action === "accept"
      ? Effect.succeedSome(reading.value.content)
      : Effect.succeedNone;
  });
};

/** Those of `requests` that have no answer yet. Declined and cancelled are answers; what is invalid is none. */
export const missing = <Rs extends Requests>(requests: Rs): Effect.Effect<Partial<Rs>, never, Flow> =>
  those(requests, (key, request) => Effect.map(read(key, request), (reading) => reading?._tag !== "Answer"));

const askable = (request: Request<unknown>, key: string): Effect.Effect<boolean, never, Flow> =>
  inCall((port) => port.canAsk(specAt(request, key)), false);

/** Whether this client can be asked this now: what dispatch would say. False also where there is no way to the client. */
export const canRequest = (request: Request<unknown>): Effect.Effect<boolean, never, Flow> =>
  askable(request, "request");

/** Those of `requests` that this client can be asked now. */
export const supported = <Rs extends Requests>(requests: Rs): Effect.Effect<Partial<Rs>, never, Flow> =>
  those(requests, (key, request) => askable(request, key));

/**
 * The content of an accepted form by key alone. Nothing is checked: neither the content, whose type is the caller's
 * word, nor what was asked under the key. `accepted` checks both.
 */
export const acceptedUnchecked = <A = JsonRecord>(key: string): Effect.Effect<Option.Option<A>, never, Flow> =>
  Effect.map(inCall((port) => port.raw(key), undefined), (raw) => {
    const content = isRecord(raw) && own(raw, "action") === "accept" ? contentOf(raw) : undefined;
    return Option.fromUndefinedOr(content as A | undefined);
  });

/** The request's `inputResponses` as they came; none on the first call, unless the client volunteers some. */
export const rawResponses: Effect.Effect<Option.Option<JsonRecord>, never, Flow> = Effect.map(
  inCall((port) => port.responses, undefined),
  Option.fromUndefinedOr,
);

/** The text that the round before returned as its `requestState`, as it was; none if it returned none. */
export const rawState: Effect.Effect<Option.Option<string>, never, Flow> = Effect.map(
  inCall((port) => port.state, undefined),
  Option.fromUndefinedOr,
);

/**
 * Ends the call with -32602 "Invalid request state": for codecs and sets of redeemed states of your own. `reason` goes to
 * the log only.
 */
export const refuseState = (reason: string): Effect.Effect<never, never, Flow> =>
  Effect.flatMap(
    Flow,
    () =>
      Effect.flatMap(ManualPort, (port) =>
        port === undefined ? Effect.die(new Error(`The request state was refused: ${reason}`)) : port.refuse(reason)),
  );
