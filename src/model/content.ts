/** Content blocks, resource contents and prompt messages, in the words of the protocol (schema 2026-07-28). */
import type { JsonRecord } from "./json.ts";

/** Who speaks. */
export type Role = "user" | "assistant";

/** An icon of a server or a feature. */
export interface Icon {
  /** A URL, or a `data:` URI. */
  readonly src: string;
  /** Overrides the type that the server of the image gives. */
  readonly mimeType?: string;
  /** Like `48x48`, or `any`. */
  readonly sizes?: ReadonlyArray<string>;
  /** The background that it is drawn for. */
  readonly theme?: "light" | "dark";
}

/** Hints for the client about a piece of content or a resource. */
export interface Annotations {
  /** Whom it is for; absent: both. */
  readonly audience?: ReadonlyArray<Role>;
  /** From 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** An ISO 8601 time. */
  readonly lastModified?: string;
}

/** What every block may carry. */
export interface BlockOptions {
  /** Hints about the block. */
  readonly annotations?: Annotations;
  /** Whatever else the sender attaches. */
  readonly _meta?: JsonRecord;
}

/** Text. */
export interface TextContent extends BlockOptions {
  /** Tells the kinds of blocks apart. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
}

/** An image; `data` is base64. */
export interface ImageContent extends BlockOptions {
  /** Tells the kinds of blocks apart. */
  readonly type: "image";
  /** The bytes, base64. */
  readonly data: string;
  /** Like `image/png`. */
  readonly mimeType: string;
}

/** A sound; `data` is base64. */
export interface AudioContent extends BlockOptions {
  /** Tells the kinds of blocks apart. */
  readonly type: "audio";
  /** The bytes, base64. */
  readonly data: string;
  /** Like `audio/wav`. */
  readonly mimeType: string;
}

/** A link to a resource that the client may read. */
export interface ResourceLink extends BlockOptions {
  /** Tells the kinds of blocks apart. */
  readonly type: "resource_link";
  /** What `resources/read` takes. */
  readonly uri: string;
  /** Identifies the resource to machines. */
  readonly name: string;
  /** Its name for people. */
  readonly title?: string;
  /** What it holds. */
  readonly description?: string;
  /** The type of its contents, if it is known. */
  readonly mimeType?: string;
  /** Bytes of its contents, if they are known. */
  readonly size?: number;
  /** Pictures that stand for it. */
  readonly icons?: ReadonlyArray<Icon>;
}

/** The text of a resource. */
export interface TextResourceContents {
  /** The resource that this is of. */
  readonly uri: string;
  /** The type of the text. */
  readonly mimeType?: string;
  /** The text. */
  readonly text: string;
  /** Whatever else the sender attaches. */
  readonly _meta?: JsonRecord;
}

/** The bytes of a resource; `blob` is base64. */
export interface BlobResourceContents {
  /** The resource that this is of. */
  readonly uri: string;
  /** The type of the bytes. */
  readonly mimeType?: string;
  /** The bytes, base64. */
  readonly blob: string;
  /** Whatever else the sender attaches. */
  readonly _meta?: JsonRecord;
}

/** The contents of a resource. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/** A resource inside of a result. */
export interface EmbeddedResource extends BlockOptions {
  /** Tells the kinds of blocks apart. */
  readonly type: "resource";
  /** What `resources/read` would give. */
  readonly resource: ResourceContents;
}

/** One block of a tool's result or of a prompt's message. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** A message of a prompt. */
export interface PromptMessage {
  /** Who says it. */
  readonly role: Role;
  /** What is said. */
  readonly content: ContentBlock;
}

/** A model's wish to use a tool. */
export interface ToolUseContent {
  /** Tells the kinds of blocks apart. */
  readonly type: "tool_use";
  /** Its result refers to it by this. */
  readonly id: string;
  /** The tool. */
  readonly name: string;
  /** Arguments for the tool. */
  readonly input: JsonRecord;
  /** Whatever else the sender attaches. */
  readonly _meta?: JsonRecord;
}

/** What the tool that a model wished to use gave. */
export interface ToolResultContent {
  /** Tells the kinds of blocks apart. */
  readonly type: "tool_result";
  /** The `id` of the wish that this answers. */
  readonly toolUseId: string;
  /** What the tool gave. */
  readonly content: ReadonlyArray<ContentBlock>;
  /** The same as a value, where the tool has one. */
  readonly structuredContent?: unknown;
  /** Whether the tool failed. */
  readonly isError?: boolean;
  /** Whatever else the sender attaches. */
  readonly _meta?: JsonRecord;
}

/** One block of a message to or from a model. */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;
