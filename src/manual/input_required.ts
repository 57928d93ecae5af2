/** `Manual.inputRequired`: what a handler returns instead of a result. */
import { isRecord } from "../model/json.ts";
import { Returned } from "../need/manual.ts";
import type { Requests } from "./request.ts";
import { question } from "./wire.ts";

/** Returned instead of a result, it asks the client for input. */
export interface InputRequired {
  /** A brand. */
  readonly "~needful/manual/InputRequired": "~needful/manual/InputRequired";
}

/** What the client is to bring along when it comes back: answers, the state, or both. */
export type InputRequiredOptions =
  | {
    /** By the keys under which they are read in the next round. */
    readonly inputRequests: Requests;
    /** For `RequestState.open` or `rawState` in the next round, and only there. */
    readonly requestState?: string;
  }
  | { readonly inputRequests?: Requests; readonly requestState: string };

/** The most characters that a state may have on the wire; of those, the author's has fewer. */
const limit = 65_536;

const stateProblem = (state: unknown): string | undefined => {
  if (state === undefined) return undefined;
  if (typeof state !== "string") return "its requestState is not a text";
  return state.length > limit ? `its requestState has ${state.length} characters, more than ${limit}` : undefined;
};

const shapeProblem = (options: unknown, inputRequests: unknown): string | undefined => {
  if (!isRecord(options)) return "it is not an object";
  return isRecord(inputRequests) ? undefined : "its inputRequests is not an object";
};

/**
 * What a handler returns to ask the client for input: requests by key, a state of its own, or both. The client comes back
 * with the answers, and the handler runs again from its start.
 *
 * The state travels inside of the sealed one that the library makes, so that it is protected, expires, and belongs to
 * this call and its caller; `RequestState` gives it a type. What no client can be sent ends the call with -32603 and a
 * line in the log: neither requests nor state, a state of more than 65,536 characters, a request that is none of the
 * protocol's. What this client did not declare ends it with -32021. Spec: 2026-07-28, basic/patterns/mrtr.
 */
export const inputRequired = (options: InputRequiredOptions): InputRequired => {
  const { inputRequests = {}, requestState } = isRecord(options) ? options : {} as Partial<InputRequiredOptions>;
  const questions = Object.entries(isRecord(inputRequests) ? inputRequests : {})
    .filter(([, request]) => request !== undefined)
    .map(([key, request]) => question(key, request));
  const asked = questions.filter((one) => typeof one !== "string");
  const wrong = shapeProblem(options, inputRequests) ?? questions.find((one) => typeof one === "string") ??
    stateProblem(requestState) ??
    (asked.length === 0 && requestState === undefined ? "it has neither requests nor a state" : undefined);
  return new Returned(
    asked,
    requestState,
    wrong === undefined ? undefined : `Cannot return inputRequired: ${wrong}`,
  ) as unknown as InputRequired;
};

/** Whether `value` is what `inputRequired` gives: for code around handlers. */
export const isInputRequired = (value: unknown): value is InputRequired => value instanceof Returned;
