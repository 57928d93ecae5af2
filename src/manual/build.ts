/** Builders of requests. What the protocol cannot say is refused here, before anybody is asked. */
import * as Effect from "effect/Effect";
import type { FormQuestion, SamplingParams, SamplingQuestion, UrlQuestion } from "../model/question.ts";
import { cannotBuild, checkMessage } from "../need/build.ts";
import { elicit as need, type ElicitOptions } from "../need/elicit.ts";
import { checked, elicitUrl as needUrl } from "../need/elicit_url.ts";
import { formFor } from "../need/form/cache.ts";
import type { FormAnswer, FormSource } from "../need/form/types.ts";
import type { ManualSpec } from "../need/manual.ts";
import { type Reading, type Spec, specOf } from "../need/need.ts";
import { roots as needRoots } from "../need/roots.ts";
import { sample } from "../need/sample.ts";
import { paramsProblem } from "../need/sampling/params.ts";
import type { FormResponse, MessageResponse, Request, RootsResponse, UrlResponse } from "./request.ts";
import { RequestImpl } from "./request.ts";

/** Where the user is sent. */
export interface UrlOptions {
  /** Says to the user why the page is to be visited. */
  readonly message: string;
  /** An absolute http or https URL without credentials. It may change from round to round. */
  readonly url: string | URL;
}

/** The question of a need whose answers, refusals included, are data. */
const asData = <A, E extends { readonly _tag: string }, B>(
  { completion: _, ...spec }: Spec<A, E, unknown>,
  answered: (value: A) => B,
  refused: (error: E) => B,
): ManualSpec<B> => ({
  ...spec,
  read: (raw): Reading<B, never> => {
    const reading = spec.read(raw);
    switch (reading._tag) {
      case "Answer":
        return { _tag: "Answer", value: answered(reading.value) };
      case "Failure":
        return { _tag: "Answer", value: refused(reading.error) };
      case "Invalid":
        return reading;
    }
  },
});

const no = ({ _tag }: { readonly _tag: string }): { readonly action: "decline" | "cancel" } => ({
  action: _tag === "Declined" ? "decline" : "cancel",
});

/**
 * A form for the user to fill in. `schema` is an Effect `Schema.Struct` of plain fields, or a literal JSON Schema of the
 * protocol's subset, from which the type of the content is inferred.
 *
 * With `mustAsk` an answer that the client volunteers does not count. Throws, naming the field, when the schema has what
 * the protocol's forms cannot say. Keep requests outside of the handler: a schema is looked at once. Spec: 2026-07-28,
 * client/elicitation.
 */
export const elicit = <const S extends FormSource>(
  options: ElicitOptions<S>,
): Request<FormResponse<FormAnswer<S>>> => {
  const { message, schema } = options;
  checkMessage("form", message);
  const question: FormQuestion = {
    method: "elicitation/create",
    params: { message, requestedSchema: formFor(schema, "form").wire },
  };
  return new RequestImpl(question, (key) =>
    asData(
      specOf(need(key, options)),
      (content): FormResponse<FormAnswer<S>> => ({ action: "accept", content }),
      no,
    ));
};

/**
 * A page for the user to visit, for what must not pass through the client. Whether the part on the page is finished is
 * for the handler to find out. Throws when the URL is not an absolute http(s) URL, or carries credentials. Spec:
 * 2026-07-28, client/elicitation, "URL Mode".
 */
export const elicitUrl = ({ message, url }: UrlOptions): Request<UrlResponse> => {
  checkMessage("URL elicitation", message);
  const params: UrlQuestion["params"] = { mode: "url", message, url: checked(url, "URL elicitation") };
  return new RequestImpl(
    { method: "elicitation/create", params },
    (key) =>
      asData(specOf(needUrl(key, { message, url, done: Effect.never })), (): UrlResponse => ({ action: "accept" }), no),
  );
};

/**
 * A message from the client's model. Throws when the messages break the protocol's rules. Spec: 2026-07-28,
 * client/sampling.
 */
export const createMessage = (params: SamplingParams): Request<MessageResponse> => {
  const problem = paramsProblem(params);
  if (problem !== undefined) throw cannotBuild("message request", problem);
  const question: SamplingQuestion = { method: "sampling/createMessage", params };
  // Only a live client refuses to sample, and then there is no answer to read.
  return new RequestImpl(question, (key) => specOf(sample(key, params)) as ManualSpec<MessageResponse>);
};

/** The client's roots. Spec: 2026-07-28, client/roots. */
export const listRoots = (): Request<RootsResponse> =>
  new RequestImpl(
    { method: "roots/list" },
    (key) => asData(specOf(needRoots(key)), (roots) => ({ roots }), (none: never) => none),
  );
