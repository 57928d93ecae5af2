/**
 * What the revisions before 2026-07-28 differ in, as data. The facts are those of each revision's own schema; what a
 * revision does not list, it does not have.
 */
import type { ContentBlock, SamplingContent } from "../../model/content.ts";
import type { ListKind } from "../../model/request.ts";
import type { Shape } from "./shape.ts";

/** What a revision's forms can say; undefined where it has no elicitation at all. */
export interface Elicitation {
  /** Whether the user can be sent to a page, and be told of its completion. */
  readonly url: boolean;
  /** Whether several options can be chosen. */
  readonly multiple: boolean;
  /** Where the titles of options stand: beside each one, or in a list of their own. */
  readonly titles: "oneOf" | "enumNames";
  readonly form: Shape;
  /** Of a field, by its type. */
  readonly fields: { readonly [type: string]: Shape };
}

/** What a revision's sampling can say. */
export interface Sampling {
  /** Whether the model can be given tools. */
  readonly tools: boolean;
  /** Whether a message can have several blocks. */
  readonly several: boolean;
  /** Whether clients declare that they can include context. Without a word for it, all that sample may be asked to. */
  readonly declaresContext: boolean;
  readonly params: Shape;
  readonly message: Shape;
  readonly blocks: { readonly [T in SamplingContent["type"]]?: Shape };
}

/** One revision. */
export interface Revision {
  readonly name: string;
  /** Whether it is spoken over HTTP here; 2024-11-05 had another transport there. */
  readonly http: boolean;
  /** Whether several messages may come in one array. */
  readonly batches: boolean;
  /** Whether an error that answers an unreadable request has the id `null`; later ones have none. */
  readonly nullId: boolean;
  /** Whether streams have event ids, begin with one, and can be taken up again after them. */
  readonly resumable: boolean;
  /** Whether completions are a capability of their own. */
  readonly completions: boolean;
  /** Whether a completion may look at arguments that are filled in already. */
  readonly completionContext: boolean;
  /** Whether progress has a message. */
  readonly progressMessage: boolean;
  /** Whether tools have structured results: of objects only. */
  readonly structured: boolean;
  readonly elicitation: Elicitation | undefined;
  readonly sampling: Sampling;
  readonly implementation: Shape;
  readonly listed: { readonly [K in ListKind]: Shape };
  readonly contents: Shape;
  /** By type; blocks of other types are replaced by text. */
  readonly blocks: { readonly [T in ContentBlock["type"]]?: Shape };
}

const icons = { src: true, mimeType: true, sizes: true, theme: true } as const;
const hints = {
  title: true,
  readOnlyHint: true,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
} as const;

const november24 = (() => {
  const annotations = { audience: true, priority: true } as const;
  const contents = { uri: true, mimeType: true, text: true, blob: true } as const;
  const text = { type: true, text: true, annotations } as const;
  const image = { type: true, data: true, mimeType: true, annotations } as const;
  const described = { name: true, description: true, mimeType: true, annotations } as const;
  return {
    name: "2024-11-05",
    http: false,
    batches: false,
    nullId: true,
    resumable: false,
    completions: false,
    completionContext: false,
    progressMessage: false,
    structured: false,
    elicitation: undefined,
    sampling: {
      tools: false,
      several: false,
      declaresContext: false,
      params: {
        messages: true,
        maxTokens: true,
        systemPrompt: true,
        modelPreferences: {
          hints: { name: true },
          costPriority: true,
          speedPriority: true,
          intelligencePriority: true,
        },
        includeContext: true,
        temperature: true,
        stopSequences: true,
        metadata: true,
      },
      message: { role: true, content: true },
      blocks: { text, image },
    },
    implementation: { name: true, version: true },
    listed: {
      tools: { name: true, description: true, inputSchema: true },
      resources: { uri: true, ...described, size: true },
      templates: { uriTemplate: true, ...described },
      prompts: { name: true, description: true, arguments: { name: true, description: true, required: true } },
    },
    contents,
    blocks: { text, image, resource: { type: true, resource: contents, annotations } },
  } as const satisfies Revision;
})();

const march25 = (() => {
  const audio = november24.blocks.image;
  return {
    ...november24,
    name: "2025-03-26",
    http: true,
    batches: true,
    completions: true,
    progressMessage: true,
    sampling: { ...november24.sampling, blocks: { ...november24.sampling.blocks, audio } },
    listed: { ...november24.listed, tools: { ...november24.listed.tools, annotations: hints } },
    blocks: { ...november24.blocks, audio },
  } as const satisfies Revision;
})();

const june25 = (() => {
  const annotations = { audience: true, priority: true, lastModified: true } as const;
  const contents = { ...march25.contents, _meta: true } as const;
  const text = { type: true, text: true, annotations, _meta: true } as const;
  const image = { type: true, data: true, mimeType: true, annotations, _meta: true } as const;
  const titled = { title: true, _meta: true } as const;
  const resources = { ...march25.listed.resources, annotations, ...titled } as const;
  const labels = { type: true, title: true, description: true } as const;
  const number = { ...labels, minimum: true, maximum: true } as const;
  return {
    ...march25,
    name: "2025-06-18",
    batches: false,
    completionContext: true,
    structured: true,
    elicitation: {
      url: false,
      multiple: false,
      titles: "enumNames",
      form: { type: true, properties: true, required: true },
      fields: {
        string: { ...labels, minLength: true, maxLength: true, format: true, enum: true, enumNames: true },
        number,
        integer: number,
        boolean: { ...labels, default: true },
      },
    },
    sampling: { ...march25.sampling, blocks: { text, image, audio: image } },
    implementation: { ...march25.implementation, title: true },
    listed: {
      tools: { ...march25.listed.tools, outputSchema: true, ...titled },
      resources,
      templates: { ...march25.listed.templates, annotations, ...titled },
      prompts: {
        ...march25.listed.prompts,
        arguments: { ...march25.listed.prompts.arguments, title: true },
        ...titled,
      },
    },
    contents,
    blocks: {
      text,
      image,
      audio: image,
      resource: { type: true, resource: contents, annotations, _meta: true },
      resource_link: { type: true, ...resources },
    },
  } as const satisfies Revision;
})();

const november25 = (() => {
  const { fields, form } = june25.elicitation;
  const { blocks, listed } = june25;
  const tools = { ...listed.tools, icons } as const;
  const link = { ...blocks.resource_link, icons } as const;
  const number = { ...fields.number, default: true } as const;
  const whole = { type: true, _meta: true } as const;
  return {
    ...june25,
    name: "2025-11-25",
    nullId: false,
    resumable: true,
    elicitation: {
      url: true,
      multiple: true,
      titles: "oneOf",
      form: { $schema: true, ...form },
      fields: {
        string: { ...fields.string, oneOf: true, default: true },
        number,
        integer: number,
        boolean: fields.boolean,
        array: {
          type: true,
          title: true,
          description: true,
          items: true,
          minItems: true,
          maxItems: true,
          default: true,
        },
      },
    },
    sampling: {
      tools: true,
      several: true,
      declaresContext: true,
      params: { ...june25.sampling.params, tools, toolChoice: { mode: true } },
      message: { ...june25.sampling.message, _meta: true },
      blocks: {
        ...june25.sampling.blocks,
        tool_use: { ...whole, id: true, name: true, input: true },
        tool_result: { ...whole, toolUseId: true, content: true, structuredContent: true, isError: true },
      },
    },
    implementation: { ...june25.implementation, description: true, icons, websiteUrl: true },
    listed: {
      tools,
      resources: { ...listed.resources, icons },
      templates: { ...listed.templates, icons },
      prompts: { ...listed.prompts, icons },
    },
    blocks: { ...blocks, resource_link: link },
  } as const satisfies Revision;
})();

/** All of them, newest first. */
export const revisions: readonly [Revision, ...ReadonlyArray<Revision>] = [november25, june25, march25, november24];

/** The newest. */
export const newest: Revision = november25;

/** What a request over HTTP speaks that says nothing of it (2025-11-25, basic/transports, "Protocol Version Header"). */
export const assumed: Revision = march25;

/** The revision of that name. */
export const find = (name: string): Revision | undefined => revisions.find((revision) => revision.name === name);
