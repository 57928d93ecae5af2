/** What handlers return, read as content. */
import type { ContentBlock } from "../model/content.ts";
import { isRecord, type JsonRecord } from "../model/json.ts";
import { text } from "./content.ts";

const strings = (value: JsonRecord, ...names: ReadonlyArray<string>): boolean =>
  names.every((name) => typeof value[name] === "string");

/** Whether `value` is a block, as far as its required members go. */
export const isBlock = (value: unknown): value is ContentBlock => {
  if (!isRecord(value)) return false;
  switch (value["type"]) {
    case "text":
      return strings(value, "text");
    case "image":
    case "audio":
      return strings(value, "data", "mimeType");
    case "resource_link":
      return strings(value, "uri", "name");
    case "resource": {
      const inner = value["resource"];
      return isRecord(inner) && strings(inner, "uri") && (strings(inner, "text") || strings(inner, "blob"));
    }
    default:
      return false;
  }
};

/** The block that `value` stands for; undefined if it is none. */
export const block = (value: unknown): ContentBlock | undefined =>
  typeof value === "string" ? text(value) : isBlock(value) ? value : undefined;

/** The blocks that `value` stands for; undefined if it is no content. */
export const blocks = (value: unknown): ReadonlyArray<ContentBlock> | undefined => {
  if (Array.isArray(value)) return value.every(isBlock) ? value : undefined;
  const one = block(value);
  return one === undefined ? undefined : [one];
};
