/** `Need.elicitUrl`: a page for the user to visit, for what must not pass through the client. */
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import type * as Option from "effect/Option";
import type { UrlQuestion } from "../model/question.ts";
import { timeOf } from "../model/time.ts";
import { cannotBuild, checkMessage, named } from "./build.ts";
import { Cancelled, Declined } from "./errors.ts";
import { readAction } from "./form/envelope.ts";
import { Elicitation, make, type Need, type Reading } from "./need.ts";

/** Where the user is sent, and how the server learns that it is done. */
export interface ElicitUrlOptions<A, R> {
  /** Says to the user why the page is to be visited. */
  readonly message: string;
  /**
   * An absolute http or https URL, or a function that makes one from the interaction's id, which is random, stable
   * through the flow and no secret to the client. The page must find out for itself who opens it.
   */
  readonly url: string | URL | ((interaction: string) => string | URL);
  /**
   * Some once the part on the page is finished; asked again and again after the user accepted, and anew in every later
   * round and pass, because what it gave is not kept. So it only looks, and goes on to give the same value as long as the
   * flow lasts; what can be taken once alone is taken behind it, in a `Need.once`. It is interrupted where its round ends.
   */
  readonly done:
    | Effect.Effect<Option.Option<A>, never, R>
    | ((
      interaction: string,
    ) => Effect.Effect<Option.Option<A>, never, R>);
  /** How long one round waits for `done` before the client is to come back. Default: 20 seconds. */
  readonly wait?: Duration.Input;
}

/** The text of an absolute http(s) URL as the author wrote it. */
export const checked = (url: string | URL, what: string): string => {
  const text = String(url);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:") {
    throw cannotBuild(what, "its URL is not an absolute http or https URL");
  }
  if (parsed.username !== "" || parsed.password !== "") throw cannotBuild(what, "its URL carries credentials");
  return text;
};

/** An accept is consent, not an answer: the value is for `done` to give. */
const consent = { _tag: "Answer", value: undefined } as unknown as Reading<never, never>;

/**
 * Sends the user to a page and waits until the part there is finished, and gives what `done` gives.
 *
 * Fails with `Declined` or `Cancelled`. An accept means consent only; after it the question is not put again. Throws,
 * naming the key, when the URL is not an absolute http(s) URL or carries credentials. The completion page must verify
 * that whoever opens it is the user whom the call serves. Spec: 2026-07-28, client/elicitation, "URL Mode".
 */
export const elicitUrl = <A, R = never>(
  key: string,
  options: ElicitUrlOptions<A, R>,
): Need<A, Declined | Cancelled, Elicitation | R> => {
  const what = named("URL elicitation", key);
  const { done, message, url, wait = "20 seconds" } = options;
  checkMessage(what, message);
  const fixed = typeof url === "function" ? undefined : checked(url, what);
  const place = (interaction: string): string =>
    typeof url === "function" ? checked(url(interaction), what) : fixed ?? "";
  return make<A, Declined | Cancelled, Elicitation | R>({
    key,
    kind: "url",
    port: Elicitation,
    request: (interaction): UrlQuestion => ({
      method: "elicitation/create",
      params: { mode: "url", message, url: place(interaction) },
      interaction,
    }),
    identity: () => `url ${JSON.stringify(message)}`,
    read: (raw) =>
      readAction<A, Declined | Cancelled>(raw, {
        accept: () => consent,
        decline: () => ({ _tag: "Failure", error: new Declined({ key }) }),
        cancel: () => ({ _tag: "Failure", error: new Cancelled({ key }) }),
      }),
    volunteer: false,
    completion: {
      done: Effect.isEffect(done) ? () => done : done,
      wait: timeOf(`the wait of the ${what}`, wait),
    },
  });
};
