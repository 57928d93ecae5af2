/** Content as an older revision can carry it. */
import type { ContentBlock, PromptMessage, ResourceContents, TextContent } from "../../model/content.ts";
import type { JsonRecord } from "../../model/json.ts";
import type { Revision } from "./revisions.ts";
import { pick } from "./shape.ts";

/** What stands for a block that the revision has no type for: as much of it as text can say. */
const described = (block: ContentBlock): string => {
  switch (block.type) {
    case "resource_link": {
      const name = block.title ?? block.name;
      return `${name}: ${block.uri}${block.description === undefined ? "" : `\n${block.description}`}`;
    }
    case "audio":
      return `[Audio of type ${block.mimeType}, which this client cannot receive]`;
    default:
      return `[Content of type ${block.type}, which this client cannot receive]`;
  }
};

const asText = (block: ContentBlock): TextContent => {
  const text = { type: "text", text: described(block) } as const;
  const annotated = block.annotations === undefined ? text : { ...text, annotations: block.annotations };
  return block._meta === undefined ? annotated : { ...annotated, _meta: block._meta };
};

/** A block: of a type that the revision has, with the members that the type has there. */
export const block = ({ blocks }: Revision, content: ContentBlock): JsonRecord => {
  const shape = blocks[content.type];
  if (shape !== undefined) return pick(shape, { ...content });
  return pick(blocks.text ?? {}, { ...asText(content) });
};

/** A message of a prompt. */
export const promptMessage = (revision: Revision, { content, role }: PromptMessage): JsonRecord => ({
  role,
  content: block(revision, content),
});

/** The contents of a resource. */
export const resourceContents = ({ contents }: Revision, part: ResourceContents): JsonRecord =>
  pick(contents, { ...part });
