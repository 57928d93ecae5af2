/** Answers, as a client sends them: values for scripts and for test layers. */
import type { SamplingContent } from "../model/content.ts";
import type { JsonRecord } from "../model/json.ts";

/** An answer to one question, in the form in which it stands in `inputResponses` (2026-07-28, basic/patterns/mrtr). */
export type Answer = JsonRecord;

/** A directory or file that the client considers relevant. */
export interface Root {
  /** Begins with `file://`. */
  readonly uri: string;
  /** For people to read. */
  readonly name?: string;
}

/** What else may be said of a model's message. */
export interface SampledOptions {
  /** Default `test-model`. */
  readonly model?: string;
  /** Default `endTurn`. */
  readonly stopReason?: string;
}

/** The user fills in the form; without `content`, the user agrees to visit the page of a URL question. */
export const accept = (content?: JsonRecord): Answer =>
  content === undefined ? { action: "accept" } : { action: "accept", content };

/** The user says no. */
export const decline: Answer = { action: "decline" };

/** The user closes the dialog without an answer. */
export const cancel: Answer = { action: "cancel" };

/** The client's model answers with a text, or with any content. */
export const sampled = (
  content: string | SamplingContent | ReadonlyArray<SamplingContent>,
  options: SampledOptions = {},
): Answer => ({
  role: "assistant",
  content: typeof content === "string" ? { type: "text", text: content } : content,
  model: options.model ?? "test-model",
  stopReason: options.stopReason ?? "endTurn",
});

/** The client's roots: URIs, or roots with names. */
export const rooted = (roots: ReadonlyArray<string | Root>): Answer => ({
  roots: roots.map((root) => typeof root === "string" ? { uri: root } : root),
});

/** No answer in this round: the key is left out of the retry, and the server has to ask again. */
export const later: Answer = Object.freeze({});
