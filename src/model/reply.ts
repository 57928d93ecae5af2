/** Neutral replies: what the server decided, before an era writes it down. */
import type { ChangeKind } from "./change.ts";
import type { ContentBlock, PromptMessage, ResourceContents } from "./content.ts";
import type { JsonRecord } from "./json.ts";
import type { Question } from "./question.ts";
import type { ListKind } from "./request.ts";

/** How long and for whom a result may be cached. Milliseconds. */
export interface CacheHint {
  readonly ttlMs: number;
  readonly scope: "public" | "private";
}

/** No caching. */
export const noCache: CacheHint = { ttlMs: 0, scope: "private" };

/** The result of a tool. */
export interface ToolReply {
  readonly _tag: "Tool";
  readonly content: ReadonlyArray<ContentBlock>;
  /** Present where the tool has an output schema and succeeded; may be any JSON value. */
  readonly structured?: { readonly value: unknown };
  readonly isError: boolean;
  readonly meta?: JsonRecord;
}

/** The contents of a resource. */
export interface ResourceReply {
  readonly _tag: "Resource";
  readonly contents: ReadonlyArray<ResourceContents>;
  readonly cache: CacheHint;
  readonly meta?: JsonRecord;
}

/** The messages of a prompt. */
export interface PromptReply {
  readonly _tag: "Prompt";
  readonly description?: string;
  readonly messages: ReadonlyArray<PromptMessage>;
  readonly meta?: JsonRecord;
}

/** An interim result: the round ended with needs unmet. */
export interface InputRequiredReply {
  readonly _tag: "InputRequired";
  /** By key; empty when the client is to come back with the state alone. */
  readonly questions: ReadonlyArray<{ readonly key: string; readonly question: Question }>;
  readonly state: string;
}

/** What a call ends in, when it does not end in a fault. */
export type CallReply = ToolReply | ResourceReply | PromptReply | InputRequiredReply;

/** Values that complete an argument; 100 at most. */
export interface CompletionReply {
  readonly _tag: "Completion";
  readonly values: ReadonlyArray<string>;
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** A page of a list. */
export interface ListReply {
  readonly _tag: "List";
  readonly kind: ListKind;
  /** The same object for the same page, so that its text can be kept with it. */
  readonly page: { readonly items: ReadonlyArray<JsonRecord>; readonly nextCursor: string | undefined };
  readonly cache: CacheHint;
}

/** What a server says of itself. */
export interface DiscoverReply {
  readonly _tag: "Discover";
  /** The lists that are served, and tell of their changes. */
  readonly lists: ReadonlyArray<ChangeKind>;
  readonly completions: boolean;
  readonly extensions: { readonly [id: string]: JsonRecord } | undefined;
  readonly instructions: string | undefined;
  readonly cache: CacheHint;
}

/** What a request ends in, when it does not end in a fault. */
export type Reply = CallReply | CompletionReply | ListReply | DiscoverReply;
