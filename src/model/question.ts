/** Questions to a client. */
import type { Capability } from "./capability.ts";
import type { Role, SamplingContent } from "./content.ts";
import type { JsonRecord } from "./json.ts";

/** A form field's schema: the protocol's `PrimitiveSchemaDefinition`. */
export interface FormField {
  /** The type of the value. */
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  /** What the protocol has for fields of that type. */
  readonly [keyword: string]: unknown;
}

/** A form's schema, flat. */
export interface FormSchema {
  /** The dialect; clients need none. */
  readonly $schema?: string;
  /** A form is an object. */
  readonly type: "object";
  /** The fields, in the order in which they are shown. */
  readonly properties: { readonly [name: string]: FormField };
  /** The names of the fields that must be filled in. */
  readonly required?: ReadonlyArray<string>;
}

/** A form for the user to fill in. */
export interface FormQuestion {
  /** The method of all elicitation. */
  readonly method: "elicitation/create";
  /** What the user is told, and the form. */
  readonly params: { readonly message: string; readonly requestedSchema: FormSchema };
}

/** A page for the user to visit. */
export interface UrlQuestion {
  /** The method of all elicitation. */
  readonly method: "elicitation/create";
  /** What the user is told, and where the page is. */
  readonly params: { readonly mode: "url"; readonly message: string; readonly url: string };
  /** Stable through the flow; legacy clients get it as `elicitationId`. */
  readonly interaction: string;
}

/** A message in the conversation with a model. */
export interface SamplingMessage {
  /** Who says it. */
  readonly role: Role;
  /** One block or several. */
  readonly content: SamplingContent | ReadonlyArray<SamplingContent>;
  /** For what the protocol does not know. */
  readonly _meta?: JsonRecord;
}

/** A tool that the model may wish to use. */
export interface SamplingTool {
  /** Unique in the request. */
  readonly name: string;
  /** For people to read. */
  readonly title?: string;
  /** For the model to read. */
  readonly description?: string;
  /** A JSON Schema of the tool's arguments. */
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  /** What else tools have. */
  readonly [member: string]: unknown;
}

/** What kind of model is wished for. The client decides. */
export interface ModelPreferences {
  /** Parts of names of models, the first one that fits counts. */
  readonly hints?: ReadonlyArray<{ readonly name?: string }>;
  /** From 0 to 1: how much low cost matters. */
  readonly costPriority?: number;
  /** From 0 to 1: how much a quick answer matters. */
  readonly speedPriority?: number;
  /** From 0 to 1: how much a capable model matters. */
  readonly intelligencePriority?: number;
}

/** Parameters of `sampling/createMessage`. */
export interface SamplingParams {
  /** The conversation so far. Every tool use is answered in the next message. */
  readonly messages: ReadonlyArray<SamplingMessage>;
  /** The most tokens to generate. */
  readonly maxTokens: number;
  /** Instructions to the model; the client may change them. */
  readonly systemPrompt?: string;
  /** What kind of model is wished for. */
  readonly modelPreferences?: ModelPreferences;
  /** Which servers' context goes with the messages. Other than `none` it needs `sampling.context`. */
  readonly includeContext?: "none" | "thisServer" | "allServers";
  /** How much chance there is in the answer; the range is the model's. */
  readonly temperature?: number;
  /** Texts at which the model stops. */
  readonly stopSequences?: ReadonlyArray<string>;
  /** For the model's provider. */
  readonly metadata?: JsonRecord;
  /** Tools that the model may wish to use. They need `sampling.tools`. */
  readonly tools?: ReadonlyArray<SamplingTool>;
  /** Whether the model may, must or must not use a tool. Default: `auto`. */
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" };
}

/** A request to the client's model. */
export interface SamplingQuestion {
  /** The method of all sampling. */
  readonly method: "sampling/createMessage";
  /** The conversation, and how it is to go on. */
  readonly params: SamplingParams;
}

/** A request for the client's roots. */
export interface RootsQuestion {
  /** The method of all roots. */
  readonly method: "roots/list";
  /** None. */
  readonly params?: undefined;
}

/** A question to a client, in the words that all revisions share. */
export type Question = FormQuestion | UrlQuestion | SamplingQuestion | RootsQuestion;

/** The kinds of questions. */
export type QuestionKind = "form" | "url" | "sampling" | "roots";

/** The capabilities that a client needs to be put this question. */
export const needed = (question: Question): ReadonlyArray<Capability> => {
  switch (question.method) {
    case "elicitation/create":
      return "interaction" in question ? ["elicitation.url"] : ["elicitation.form"];
    case "roots/list":
      return ["roots"];
    case "sampling/createMessage": {
      const needs: Array<Capability> = ["sampling"];
      const { includeContext, toolChoice, tools } = question.params;
      if (tools !== undefined || toolChoice !== undefined) needs.push("sampling.tools");
      if (includeContext !== undefined && includeContext !== "none") needs.push("sampling.context");
      return needs;
    }
  }
};

/** The question with `reason` before its message, where it has one: what a client is asked after an invalid answer. */
export const withReason = (question: Question, reason: string): Question => {
  if (question.method !== "elicitation/create") return question;
  const message = `${reason}\n\n${question.params.message}`;
  return "interaction" in question
    ? { ...question, params: { ...question.params, message } }
    : { ...question, params: { ...question.params, message } };
};
