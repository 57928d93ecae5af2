/** Questions to a client. */
import type { Capability } from "./capability.ts";
import type { Role, SamplingContent } from "./content.ts";
import type { JsonRecord } from "./json.ts";

/** A form field's schema: the protocol's `PrimitiveSchemaDefinition`. */
export interface FormField {
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  readonly [keyword: string]: unknown;
}

/** A form's schema, flat. */
export interface FormSchema {
  readonly $schema?: string;
  readonly type: "object";
  readonly properties: { readonly [name: string]: FormField };
  readonly required?: ReadonlyArray<string>;
}

/** A form for the user to fill in. */
export interface FormQuestion {
  readonly method: "elicitation/create";
  readonly params: { readonly message: string; readonly requestedSchema: FormSchema };
}

/** A page for the user to visit. */
export interface UrlQuestion {
  readonly method: "elicitation/create";
  readonly params: { readonly mode: "url"; readonly message: string; readonly url: string };
  /** Stable through the flow; legacy clients get it as `elicitationId`. */
  readonly interaction: string;
}

/** A message in the conversation with a model. */
export interface SamplingMessage {
  readonly role: Role;
  readonly content: SamplingContent | ReadonlyArray<SamplingContent>;
  readonly _meta?: JsonRecord;
}

/** A tool that the model may wish to use. */
export interface SamplingTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  readonly [member: string]: unknown;
}

/** Parameters of `sampling/createMessage`. */
export interface SamplingParams {
  readonly messages: ReadonlyArray<SamplingMessage>;
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly modelPreferences?: {
    readonly hints?: ReadonlyArray<{ readonly name?: string }>;
    /** From 0 to 1, like the other two. */
    readonly costPriority?: number;
    readonly speedPriority?: number;
    readonly intelligencePriority?: number;
  };
  readonly includeContext?: "none" | "thisServer" | "allServers";
  readonly temperature?: number;
  readonly stopSequences?: ReadonlyArray<string>;
  readonly metadata?: JsonRecord;
  readonly tools?: ReadonlyArray<SamplingTool>;
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" };
}

/** A request to the client's model. */
export interface SamplingQuestion {
  readonly method: "sampling/createMessage";
  readonly params: SamplingParams;
}

/** A request for the client's roots. */
export interface RootsQuestion {
  readonly method: "roots/list";
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
