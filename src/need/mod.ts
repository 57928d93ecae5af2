/**
 * Needs: what a handler asks of the client, and of its own earlier rounds.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import * as Schema from "effect/Schema";
 * import { Need } from "@needful/mcp";
 *
 * const Person = Schema.Struct({ name: Schema.NonEmptyString });
 *
 * const greeting = Effect.gen(function* () {
 *   const { name } = yield* Need.elicit("username", { message: "What is your name?", schema: Person });
 *   const sure = yield* Need.confirm("sure", `Is "${name}" right?`);
 *   return sure ? `Hello, ${name}!` : "Hello, stranger!";
 * });
 * ```
 *
 * @module
 */
export { all, type Branches } from "./all.ts";
export { attempt, optional } from "./attempt.ts";
export { choose, type ChooseOptions, type Chosen, type TitledOption } from "./choose.ts";
export { confirm } from "./confirm.ts";
export { elicit, type ElicitOptions } from "./elicit.ts";
export { elicitUrl, type ElicitUrlOptions } from "./elicit_url.ts";
export { Cancelled, Declined, Refused, Unanswerable } from "./errors.ts";
export { type AnyEffect, type CellSpec, Flow, type FlowInfo, type FlowPort, type StepSchema } from "./flow.ts";
export type { FieldValue, FormAnswer, FormContent, FormSource, FormValue, RequiredNames } from "./form/types.ts";
export { Elicitation, isNeed, type Need, type Port, Roots, Sampling } from "./need.ts";
export { once, type OnceSchema } from "./once.ts";
export { again, flow, isSuspending, onCommit, supports } from "./pass.ts";
export { type Root, roots } from "./roots.ts";
export { type Sample, sample } from "./sample.ts";
export { type Cell, state } from "./state.ts";
export type { Capability } from "../model/capability.ts";
export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  BlockOptions,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  ResourceContents,
  ResourceLink,
  Role,
  SamplingContent,
  TextContent,
  TextResourceContents,
  ToolResultContent,
  ToolUseContent,
} from "../model/content.ts";
export type { JsonRecord } from "../model/json.ts";
export type { Principal } from "../model/principal.ts";
export type {
  FormField,
  FormQuestion,
  FormSchema,
  ModelPreferences,
  Question,
  QuestionKind,
  RootsQuestion,
  SamplingMessage,
  SamplingParams,
  SamplingQuestion,
  SamplingTool,
  UrlQuestion,
} from "../model/question.ts";
