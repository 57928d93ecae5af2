/**
 * The returning style: a handler returns what it needs to know, and reads the answers when the client comes back. The
 * same checks as with `Need` stand behind it; one call uses one of the two.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import * as Schema from "effect/Schema";
 * import { Manual, Tool } from "@needful/mcp";
 *
 * const requests = {
 *   name: Manual.elicit({ message: "What is your name?", schema: Schema.Struct({ name: Schema.NonEmptyString }) }),
 * };
 *
 * const greet = Tool.make("greet", {
 *   handler: Effect.fn(function* () {
 *     const { name } = yield* Manual.responses(requests);
 *     if (name === undefined) return Manual.inputRequired({ inputRequests: requests });
 *     return name.action === "accept" ? `Hello, ${name.content.name}!` : "Hello, stranger!";
 *   }),
 * });
 * ```
 *
 * @module
 */
export { createMessage, elicit, elicitUrl, listRoots, type UrlOptions } from "./build.ts";
export { InvalidAnswer } from "./errors.ts";
export { type InputRequired, inputRequired, type InputRequiredOptions, isInputRequired } from "./input_required.ts";
export {
  accepted,
  acceptedUnchecked,
  canRequest,
  type Content,
  type FormKey,
  missing,
  rawResponses,
  rawState,
  refuseState,
  type Responses,
  responses,
  supported,
} from "./read.ts";
export type { FormResponse, MessageResponse, Request, Requests, RootsResponse, UrlResponse } from "./request.ts";
export type { ElicitOptions } from "../need/elicit.ts";
export type { FieldValue, FormAnswer, FormContent, FormSource, FormValue, RequiredNames } from "../need/form/types.ts";
export type { Flow } from "../need/flow.ts";
export type { Root } from "../need/roots.ts";
export type { Sample } from "../need/sample.ts";
export type {
  FormField,
  FormSchema,
  ModelPreferences,
  Question,
  SamplingMessage,
  SamplingParams,
  SamplingTool,
} from "../model/question.ts";
export type { JsonRecord } from "../model/json.ts";
