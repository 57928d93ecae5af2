/** Content blocks, resource contents and prompt messages, in the words of the protocol (schema 2026-07-28). */
import type { JsonRecord } from "./json.ts";

/** Who speaks. */
export type Role = "user" | "assistant";

/** An icon of a server or a feature. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: ReadonlyArray<string>;
  readonly theme?: "light" | "dark";
}

/** Hints for the client about a piece of content or a resource. */
export interface Annotations {
  readonly audience?: ReadonlyArray<Role>;
  /** From 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** An ISO 8601 time. */
  readonly lastModified?: string;
}

/** What every block may carry. */
export interface BlockOptions {
  readonly annotations?: Annotations;
  readonly _meta?: JsonRecord;
}

/** Text. */
export interface TextContent extends BlockOptions {
  readonly type: "text";
  readonly text: string;
}

/** An image; `data` is base64. */
export interface ImageContent extends BlockOptions {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

/** A sound; `data` is base64. */
export interface AudioContent extends BlockOptions {
  readonly type: "audio";
  readonly data: string;
  readonly mimeType: string;
}

/** A link to a resource that the client may read. */
export interface ResourceLink extends BlockOptions {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly icons?: ReadonlyArray<Icon>;
}

/** The text of a resource. */
export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: JsonRecord;
}

/** The bytes of a resource; `blob` is base64. */
export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly blob: string;
  readonly _meta?: JsonRecord;
}

/** The contents of a resource. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/** A resource inside of a result. */
export interface EmbeddedResource extends BlockOptions {
  readonly type: "resource";
  readonly resource: ResourceContents;
}

/** One block of a tool's result or of a prompt's message. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** A message of a prompt. */
export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

/** A model's wish to use a tool. */
export interface ToolUseContent {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonRecord;
  readonly _meta?: JsonRecord;
}

/** What the tool that a model wished to use gave. */
export interface ToolResultContent {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: ReadonlyArray<ContentBlock>;
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: JsonRecord;
}

/** One block of a message to or from a model. */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;
