/** What a scripted call records. */
import type { ContentBlock, PromptMessage, ResourceContents } from "../model/content.ts";
import type { JsonRecord } from "../model/json.ts";
import type { LogMessage, Progress } from "../model/notice.ts";
import type { Answer } from "./answer.ts";

/** A question as it came over the wire. */
export interface Asked {
  readonly key: string;
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: JsonRecord;
  /** The message to the user; empty where the question has none. */
  readonly message: string;
  /** The page to visit, of a URL question. */
  readonly url: string | undefined;
  /** The round that asked; the first is 1. */
  readonly round: number;
}

/** One request and its reply. */
export interface Round {
  /** The first is 1. */
  readonly number: number;
  readonly method: string;
  /** The params as they were sent, `inputResponses` and `requestState` included. */
  readonly params: JsonRecord;
  /** By key: what was sent in `inputResponses`. */
  readonly answered: { readonly [key: string]: Answer };
  /** By key: what the server wants to know. Empty in the last round, and in a round that ends with state alone. */
  readonly asked: { readonly [key: string]: Asked };
  /** The `requestState` that came back. */
  readonly state: string | undefined;
  /** Its length in characters; 0 without one. */
  readonly stateLength: number;
  /** The result as it came; undefined after an error. */
  readonly result: JsonRecord | undefined;
  /** HTTP status of the reply. */
  readonly status: number;
  readonly progress: ReadonlyArray<Progress>;
  readonly logs: ReadonlyArray<LogMessage>;
}

/** A call that came to its result, with all of its rounds. */
export interface Call<Result> {
  readonly result: Result;
  /** The text of the result: text blocks of a tool, messages of a prompt or contents of a resource, one a line. */
  readonly text: string;
  readonly rounds: ReadonlyArray<Round>;
  /** Of all rounds, in order. */
  readonly progress: ReadonlyArray<Progress>;
  /** Of all rounds, in order. */
  readonly logs: ReadonlyArray<LogMessage>;
}

/** The result of `tools/call`. */
export interface ToolResult {
  readonly content: ReadonlyArray<ContentBlock>;
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly [member: string]: unknown;
}

/** The result of `resources/read`. */
export interface ResourceResult {
  readonly contents: ReadonlyArray<ResourceContents>;
  readonly [member: string]: unknown;
}

/** The result of `prompts/get`. */
export interface PromptResult {
  readonly description?: string;
  readonly messages: ReadonlyArray<PromptMessage>;
  readonly [member: string]: unknown;
}
