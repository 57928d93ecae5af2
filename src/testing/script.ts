/** Scripts: which answer a question gets, by its key. */
import * as Effect from "effect/Effect";
import type { JsonRecord } from "../model/json.ts";
import type { Answer } from "./answer.ts";
import type { Asked } from "./round.ts";

/** Makes the answer from the question; the effect or the promise must not fail. */
export type Responder = (asked: Asked) => Answer | PromiseLike<Answer> | Effect.Effect<Answer>;

/**
 * Answers by key. An answer is used once, a list in its order, a function every time.
 *
 * A key that is asked more often than it is answered fails the call, and so does an answer that is left over.
 */
export interface Script {
  /** By the key of the question. */
  readonly [key: string]: Answer | Responder | ReadonlyArray<Answer | Responder>;
}

/** A script in use. */
export interface Reader {
  /** The next answer to a question; undefined where the script has none. */
  readonly next: (asked: Asked) => Effect.Effect<Answer> | undefined;
  /** Why the script does not fit what was asked; undefined if it does. */
  readonly leftover: () => string | undefined;
  /** Why there is no answer to `asked`. */
  readonly missing: (asked: Asked) => string;
}

/** A question as it stands on the wire. */
export const asked = (key: string, method: Asked["method"], params: JsonRecord, round: number): Asked => ({
  key,
  method,
  params,
  message: typeof params["message"] === "string" ? params["message"] : "",
  url: typeof params["url"] === "string" ? params["url"] : undefined,
  round,
});

const respond = (responder: Responder, question: Asked): Effect.Effect<Answer> =>
  Effect.suspend(() => {
    const answer = responder(question);
    if (Effect.isEffect(answer)) return answer;
    return isPromise(answer) ? Effect.promise(() => Promise.resolve(answer)) : Effect.succeed(answer);
  });

const isPromise = (value: Answer | PromiseLike<Answer>): value is PromiseLike<Answer> =>
  typeof (value as { readonly then?: unknown }).then === "function";

const quoted = (keys: Iterable<string>): string => [...keys].map((key) => `"${key}"`).join(", ");

/** Starts to read a script from its beginning. */
export const read = (script: Script): Reader => {
  const entries = new Map(Object.entries(script));
  const used = new Map<string, number>();
  const uses = (key: string): number => used.get(key) ?? 0;

  return {
    next: (question) => {
      const entry = entries.get(question.key);
      if (entry === undefined) return undefined;
      const turn = uses(question.key);
      used.set(question.key, turn + 1);
      if (typeof entry === "function") return respond(entry, question);
      const list: ReadonlyArray<Answer | Responder> = Array.isArray(entry) ? entry : [entry];
      const item = list[turn];
      if (item === undefined) return undefined;
      return typeof item === "function" ? respond(item as Responder, question) : Effect.succeed(item);
    },
    missing: (question) => {
      const what = question.message === "" ? question.method : JSON.stringify(question.message);
      const turn = uses(question.key);
      return entries.has(question.key)
        ? `"${question.key}" was asked more often (${turn}) than the script answers it; the last time: ${what}`
        : `"${question.key}" was asked, but the script has no answer for it: ${what}` +
          (entries.size === 0 ? "" : `; it has answers for ${quoted(entries.keys())}`);
    },
    leftover: () => {
      const unasked = [...entries.keys()].filter((key) => uses(key) === 0);
      if (unasked.length > 0) return `The script answers ${quoted(unasked)}, but the server never asked`;
      for (const [key, entry] of entries) {
        if (Array.isArray(entry) && entry.length > uses(key)) {
          return `The script has ${entry.length} answers for "${key}", but the server asked for ${uses(key)}`;
        }
      }
      return undefined;
    },
  };
};
