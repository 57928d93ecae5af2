/**
 * Content: the blocks that tools return and prompts put into messages.
 *
 * @example
 * ```ts
 * import { Content, Tool } from "@needful/mcp";
 * import * as Effect from "effect/Effect";
 *
 * const logo = Tool.make("logo", {
 *   handler: () =>
 *     Effect.succeed([
 *       Content.text("The logo:"),
 *       Content.image(new Uint8Array([137, 80, 78, 71]), { mimeType: "image/png" }),
 *     ]),
 * });
 * ```
 *
 * @module
 */
import * as Base64 from "effect/encoding/Base64";
import type {
  AudioContent,
  BlobResourceContents,
  BlockOptions,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from "../model/content.ts";

export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  BlockOptions,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  PromptMessage,
  ResourceContents,
  ResourceLink,
  Role,
  TextContent,
  TextResourceContents,
} from "../model/content.ts";

/** What a tool may return for the model to read: text, a block, or several blocks. */
export type Content = string | ContentBlock | ReadonlyArray<ContentBlock>;

/** Bytes, or what is base64 already. */
export type Data = Uint8Array | string;

/** The type of some data. */
export interface MediaOptions extends BlockOptions {
  /** Like `image/png`. */
  readonly mimeType: string;
}

/** What may be said of a resource inside of a result. */
export interface ResourceOptions extends BlockOptions {
  /** Like `text/plain`. */
  readonly mimeType?: string;
}

/** What may be said of a linked resource. */
export interface LinkOptions extends BlockOptions {
  /** For programs. */
  readonly name: string;
  /** For people. */
  readonly title?: string;
  /** For the model. */
  readonly description?: string;
  /** Like `text/plain`. */
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
  /** For display. */
  readonly icons?: ReadonlyArray<Icon>;
}

/** The base64 form of bytes; a string is taken to be base64 already. */
export const base64 = (data: Data): string => typeof data === "string" ? data : Base64.encode(data);

/** Text. */
export const text = (text: string, options?: BlockOptions): TextContent => ({ type: "text", text, ...options });

/** An image. */
export const image = (data: Data, options: MediaOptions): ImageContent => ({
  type: "image",
  data: base64(data),
  ...options,
});

/** A sound. */
export const audio = (data: Data, options: MediaOptions): AudioContent => ({
  type: "audio",
  data: base64(data),
  ...options,
});

/** A resource inside of a result: its text, or its bytes. */
export const resource = (uri: string, data: string | Uint8Array, options: ResourceOptions = {}): EmbeddedResource => {
  const { mimeType, ...block } = options;
  return { type: "resource", resource: contents(uri, data, mimeType), ...block };
};

/** A resource inside of a result, from bytes or from base64. */
export const blob = (uri: string, data: Data, options: ResourceOptions = {}): EmbeddedResource => {
  const { mimeType, ...block } = options;
  const resource: BlobResourceContents = { uri, ...(mimeType === undefined ? {} : { mimeType }), blob: base64(data) };
  return { type: "resource", resource, ...block };
};

/** A link to a resource that the client may read; it need not be in the list of resources. */
export const link = (uri: string, options: LinkOptions): ResourceLink => ({ type: "resource_link", uri, ...options });

/** The contents of a resource: text, or bytes as base64. */
export const contents = (uri: string, data: string | Uint8Array, mimeType?: string): ResourceContents => {
  const type = mimeType === undefined ? {} : { mimeType };
  return typeof data === "string"
    ? { uri, ...type, text: data } satisfies TextResourceContents
    : { uri, ...type, blob: Base64.encode(data) } satisfies BlobResourceContents;
};
