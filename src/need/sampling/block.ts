/** The shapes of content blocks in messages to and from a model (schema, `SamplingMessageContentBlock`). */
import type { SamplingContent } from "../../model/content.ts";
import { isRecord, type JsonRecord, own } from "../../model/json.ts";

type Test = (value: unknown) => boolean;

const text: Test = (value) => typeof value === "string";
const flag: Test = (value) => typeof value === "boolean";
const record: Test = isRecord;
const optional = (test: Test): Test => (value) => value === undefined || test(value);
const list = (test: Test): Test => (value) => Array.isArray(value) && value.every(test);

/** Whether every named own member passes its test. Other members are nobody's business. */
const members = (tests: { readonly [name: string]: Test }): Test => {
  const entries = Object.entries(tests);
  return (value) => isRecord(value) && entries.every(([name, test]) => test(own(value, name)));
};

const extras = { annotations: optional(record), _meta: optional(record) };
const media = members({ ...extras, data: text, mimeType: text });

const contents: Test = (value) =>
  members({ uri: text, mimeType: optional(text), text: optional(text), blob: optional(text) })(value) &&
  ["text", "blob"].some((name) => own(value as JsonRecord, name) !== undefined);

const plain: { readonly [type: string]: Test } = {
  text: members({ ...extras, text }),
  image: media,
  audio: media,
};

const ofTool: { readonly [type: string]: Test } = {
  ...plain,
  resource_link: members({ ...extras, uri: text, name: text }),
  resource: members({ ...extras, resource: contents }),
};

/** Whether a value is a block of one of the types that `shapes` names. */
const among = (shapes: { readonly [type: string]: Test }): Test => (value) => {
  const type = isRecord(value) ? own(value, "type") : undefined;
  return typeof type === "string" && Object.hasOwn(shapes, type) && shapes[type]!(value);
};

/** Whether `value` is a block of a message. */
const isBlock: (value: unknown) => value is SamplingContent = among({
  ...plain,
  tool_use: members({ id: text, name: text, input: record, _meta: optional(record) }),
  tool_result: members({
    toolUseId: text,
    content: list(among(ofTool)),
    isError: optional(flag),
    _meta: optional(record),
  }),
}) as (value: unknown) => value is SamplingContent;

/** The content of a message as a list; undefined where it is malformed. */
export const blocksOf = (content: unknown): ReadonlyArray<SamplingContent> | undefined => {
  const blocks: ReadonlyArray<unknown> = Array.isArray(content) ? content : [content];
  return blocks.every(isBlock) ? blocks : undefined;
};
