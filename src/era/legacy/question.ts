/** Questions as an older revision puts them: requests of the server's own. */
import type { RequestId } from "../../model/call.ts";
import type { ContentBlock, SamplingContent } from "../../model/content.ts";
import { isRecord, type JsonRecord } from "../../model/json.ts";
import type { FormField, FormQuestion, Question, SamplingMessage, SamplingQuestion } from "../../model/question.ts";
import { block as contentBlock } from "./content.ts";
import type { Elicitation, Revision, Sampling } from "./revisions.ts";
import { pick } from "./shape.ts";

type Blocks = SamplingMessage["content"];

const isSeveral = (content: Blocks): content is ReadonlyArray<SamplingContent> => Array.isArray(content);

const blocksOf = ({ content }: SamplingMessage): ReadonlyArray<SamplingContent> =>
  isSeveral(content) ? content : [content];

const unsaidForm = ({ fields }: Elicitation, { params }: FormQuestion): string | undefined => {
  for (const [name, { type }] of Object.entries(params.requestedSchema.properties)) {
    if (!Object.hasOwn(fields, type)) {
      return type === "array" ? `has no multiple choice, which "${name}" is` : `has no field of the type of "${name}"`;
    }
  }
  return undefined;
};

const unsaidSampling = ({ blocks, several, tools }: Sampling, { params }: SamplingQuestion): string | undefined => {
  if (!tools && (params.tools !== undefined || params.toolChoice !== undefined)) return "has no tools in sampling";
  for (const message of params.messages) {
    const contents = blocksOf(message);
    const unknown = contents.find(({ type }) => !Object.hasOwn(blocks, type));
    if (unknown !== undefined) return `has no content of type ${unknown.type} in sampling`;
    if (!several && contents.length !== 1) return "has no messages of several blocks in sampling";
  }
  return undefined;
};

const unsaid = ({ elicitation, sampling }: Revision, question: Question): string | undefined => {
  switch (question.method) {
    case "roots/list":
      return undefined;
    case "sampling/createMessage":
      return unsaidSampling(sampling, question);
    case "elicitation/create":
      if (elicitation === undefined) return "has no elicitation";
      if (!("interaction" in question)) return unsaidForm(elicitation, question);
      return elicitation.url ? undefined : "has no elicitation by URL";
  }
};

/** Why a question cannot be put in this revision, naming it; undefined if it can. */
export const canSay = (revision: Revision, question: Question): string | undefined => {
  const reason = unsaid(revision, question);
  return reason === undefined ? undefined : `Protocol revision ${revision.name} ${reason}`;
};

/** A choice whose options have titles of their own, in the words of 2025-06-18. */
const withEnumNames = ({ oneOf, ...field }: JsonRecord): JsonRecord => {
  const options = Array.isArray(oneOf) ? oneOf.filter(isRecord) : undefined;
  return options === undefined
    ? field
    : { ...field, enum: options.map((option) => option["const"]), enumNames: options.map((option) => option["title"]) };
};

const formField = ({ fields, titles }: Elicitation, field: FormField): JsonRecord =>
  pick(fields[field.type] ?? {}, titles === "enumNames" ? withEnumNames(field) : field);

const formParams = (elicitation: Elicitation, { params }: FormQuestion): JsonRecord => {
  const schema = pick(elicitation.form, { ...params.requestedSchema });
  const properties = Object.fromEntries(
    Object.entries(params.requestedSchema.properties).map(([name, field]) => [name, formField(elicitation, field)]),
  );
  return { message: params.message, requestedSchema: { ...schema, properties } };
};

const samplingBlock = (revision: Revision, content: SamplingContent): JsonRecord => {
  const picked = pick(revision.sampling.blocks[content.type] ?? {}, { ...content });
  if (content.type !== "tool_result") return picked;
  const { structuredContent, ...result } = picked;
  return {
    ...result,
    content: content.content.map((inner: ContentBlock) => contentBlock(revision, inner)),
    ...(isRecord(structuredContent) ? { structuredContent } : {}),
  };
};

const samplingMessage = (revision: Revision, message: SamplingMessage): JsonRecord => {
  const blocks = blocksOf(message).map((content) => samplingBlock(revision, content));
  const content = revision.sampling.several && isSeveral(message.content) ? blocks : blocks[0];
  return { ...pick(revision.sampling.message, { ...message }), content };
};

const paramsOf = (revision: Revision, question: Question): JsonRecord | undefined => {
  switch (question.method) {
    case "roots/list":
      return undefined;
    case "sampling/createMessage":
      return {
        ...pick(revision.sampling.params, { ...question.params }),
        messages: question.params.messages.map((message) => samplingMessage(revision, message)),
      };
    case "elicitation/create":
      if ("interaction" in question) return { ...question.params, elicitationId: question.interaction };
      return revision.elicitation === undefined ? undefined : formParams(revision.elicitation, question);
  }
};

/** The request that puts `question`, which the revision can say. */
export const ask = (revision: Revision, id: RequestId, question: Question): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: question.method, params: paramsOf(revision, question) });
