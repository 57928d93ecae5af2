/** Replies, features and questions with every member that the newest revision has. */
import type { Implementation } from "../../../src/model/call.ts";
import type { ContentBlock, Icon } from "../../../src/model/content.ts";
import type { JsonRecord } from "../../../src/model/json.ts";
import type { FormField, FormQuestion, Question, SamplingQuestion } from "../../../src/model/question.ts";
import type { ListKind } from "../../../src/model/request.ts";

/** Pictures. */
export const icons: ReadonlyArray<Icon> = [{
  src: "https://example.com/i.png",
  mimeType: "image/png",
  sizes: ["48x48"],
  theme: "dark",
}];
const annotations = { audience: ["user"], priority: 0.5, lastModified: "2026-01-01T00:00:00Z" } as const;
const _meta = { "example.com/key": 1 };
const common = { annotations, _meta };

/** A server that says all of itself. */
export const info: Implementation = {
  name: "server",
  version: "1",
  title: "Server",
  description: "Serves",
  icons,
  websiteUrl: "https://example.com",
};

/** A block of each type. */
export const blocks: { readonly [T in ContentBlock["type"]]: ContentBlock } = {
  text: { type: "text", text: "t", ...common },
  image: { type: "image", data: "AA==", mimeType: "image/png", ...common },
  audio: { type: "audio", data: "AA==", mimeType: "audio/wav", ...common },
  resource_link: {
    type: "resource_link",
    uri: "file:///a",
    name: "a",
    title: "A",
    description: "About a",
    mimeType: "text/plain",
    size: 1,
    icons,
    ...common,
  },
  resource: {
    type: "resource",
    resource: { uri: "file:///a", mimeType: "text/plain", text: "t", _meta },
    ...common,
  },
};

const feature = { name: "f", title: "F", description: "Does f", icons, _meta };

/** A feature of each kind, as the newest revision lists it. */
export const descriptors: { readonly [K in ListKind]: JsonRecord } = {
  tools: {
    ...feature,
    inputSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    outputSchema: { type: "object", properties: {} },
    annotations: {
      title: "F",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  resources: { ...feature, uri: "file:///a", mimeType: "text/plain", annotations, size: 1 },
  templates: { ...feature, uriTemplate: "file:///{a}", mimeType: "text/plain", annotations },
  prompts: { ...feature, arguments: [{ name: "a", title: "A", description: "An argument", required: true }] },
};

/** A form with the given fields. */
export const form = (properties: { readonly [name: string]: FormField }): FormQuestion => ({
  method: "elicitation/create",
  params: {
    message: "m",
    requestedSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties,
      required: [],
    },
  },
});

/** A field of every kind that 2025-06-18 has, in the words of the newest revision. */
export const plainFields: { readonly [name: string]: FormField } = {
  text: { type: "string", title: "T", description: "d", minLength: 1, maxLength: 2, format: "email", default: "a@b.c" },
  number: { type: "number", title: "N", minimum: 0, maximum: 1, default: 0 },
  integer: { type: "integer", minimum: 0, default: 0 },
  flag: { type: "boolean", title: "B", description: "d", default: false },
  plain: { type: "string", enum: ["a", "b"], default: "a" },
  titled: { type: "string", title: "C", oneOf: [{ const: "a", title: "A" }, { const: "b", title: "B" }], default: "a" },
};

/** Fields that only 2025-11-25 has. */
export const multipleFields: { readonly [name: string]: FormField } = {
  several: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2, default: ["a"] },
  titles: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
};

/** A page. */
export const url: Question = {
  method: "elicitation/create",
  params: { mode: "url", message: "m", url: "https://example.com/connect" },
  interaction: "interaction-1",
};

/** A question for roots. */
export const roots: Question = { method: "roots/list" };

/** A question to a model. */
export const sample = (params: Partial<SamplingQuestion["params"]> = {}): SamplingQuestion => ({
  method: "sampling/createMessage",
  params: {
    messages: [{ role: "user", content: { type: "text", text: "t", ...common }, _meta }],
    maxTokens: 10,
    systemPrompt: "s",
    modelPreferences: { hints: [{ name: "n" }], costPriority: 0, speedPriority: 0.5, intelligencePriority: 1 },
    includeContext: "none",
    temperature: 0,
    stopSequences: ["x"],
    metadata: { a: 1 },
    ...params,
  },
});
