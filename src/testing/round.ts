/** What a scripted call records. */
import type { ContentBlock, PromptMessage, ResourceContents } from "../model/content.ts";
import type { JsonRecord } from "../model/json.ts";
import type { LogMessage, Progress } from "../model/notice.ts";
import type { Answer } from "./answer.ts";

/** A question as it came over the wire. */
export interface Asked {
  /** Unique in the call. */
  readonly key: string;
  /** What kind of question it is. */
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  /** As they came; empty where there are none. */
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
  /** The same in all rounds. */
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
  /** What the handler reported in this round. */
  readonly progress: ReadonlyArray<Progress>;
  /** What the handler logged to the client in this round. */
  readonly logs: ReadonlyArray<LogMessage>;
}

/** A call that came to its result, with all of its rounds. */
export interface Call<Result> {
  /** As it came. */
  readonly result: Result;
  /** The text of the result: text blocks of a tool, messages of a prompt or contents of a resource, one a line. */
  readonly text: string;
  /** In order; the last one brought the result. */
  readonly rounds: ReadonlyArray<Round>;
  /** Of all rounds, in order. */
  readonly progress: ReadonlyArray<Progress>;
  /** Of all rounds, in order. */
  readonly logs: ReadonlyArray<LogMessage>;
}

/** The result of `tools/call`. */
export interface ToolResult {
  /** What the tool said. */
  readonly content: ReadonlyArray<ContentBlock>;
  /** Of tools with an output schema. */
  readonly structuredContent?: unknown;
  /** True where the tool failed. */
  readonly isError?: boolean;
  /** `_meta`, `resultType` and whatever else came. */
  readonly [member: string]: unknown;
}

/** The result of `resources/read`. */
export interface ResourceResult {
  /** What was read. */
  readonly contents: ReadonlyArray<ResourceContents>;
  /** `_meta`, `resultType` and whatever else came. */
  readonly [member: string]: unknown;
}

/** The result of `prompts/get`. */
export interface PromptResult {
  /** What the prompt is for. */
  readonly description?: string;
  /** The messages of the prompt. */
  readonly messages: ReadonlyArray<PromptMessage>;
  /** `_meta`, `resultType` and whatever else came. */
  readonly [member: string]: unknown;
}
