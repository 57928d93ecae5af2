/** Features as dispatch sees them: what an author made, with its types erased. */
import type * as Cause from "effect/Cause";
import type * as Effect from "effect/Effect";
import type * as Exit from "effect/Exit";
import type { Capability } from "../model/capability.ts";
import type { Fault } from "../model/fault.ts";
import type { JsonRecord } from "../model/json.ts";
import type { Principal } from "../model/principal.ts";
import type { CompletionReply, PromptReply, ResourceReply, ToolReply } from "../model/reply.ts";

/** The arguments of a call, read; or what to reply instead of running the handler. */
export type Decoded =
  | { readonly _tag: "Input"; readonly input: unknown }
  /** `cause` is for the log, where the client sees a generic message only. */
  | { readonly _tag: "Refused"; readonly reply: ToolReply | Fault; readonly cause?: Cause.Cause<unknown> };

/** What the end of a handler means to the client. */
export type Finished =
  /** A final, non-error result: commits run before it is sent. */
  | { readonly _tag: "Good"; readonly reply: ToolReply | ResourceReply | PromptReply }
  /** `cause` is for the log, where the client sees a generic message only. */
  | { readonly _tag: "Bad"; readonly reply: ToolReply | Fault; readonly cause?: Cause.Cause<unknown> };

/** Gives values for an argument that begin with `value`; `context` are the arguments that have values already. */
export type Complete<R> = (
  argument: string,
  value: string,
  context: { readonly [argument: string]: string },
) => Effect.Effect<CompletionReply | Fault, never, R>;

/** What all features share. */
export interface Feature {
  readonly name: string;
  /** As the newest revision lists it. The object is made once and never changes. */
  readonly descriptor: JsonRecord;
  readonly requires: ReadonlyArray<Capability>;
  /** Undefined: visible to everybody. */
  readonly visible: ((principal: Principal) => boolean) | undefined;
  readonly decode: (args: JsonRecord) => Decoded;
  // deno-lint-ignore no-explicit-any -- a handler's services are the author's; the server's layer is typed by them
  readonly handle: (input: unknown) => Effect.Effect<unknown, unknown, any>;
  readonly finish: (exit: Exit.Exit<unknown, unknown>) => Finished;
  /** Values for the argument or variable `argument` that begin with `value`; none if it completes nothing. */
  // deno-lint-ignore no-explicit-any -- as above
  readonly complete: Complete<any> | undefined;
}

/** A parameter that the client mirrors into the header `Mcp-Param-<name>`. */
export interface HeaderParameter {
  /** Property names from the root of the arguments. */
  readonly path: ReadonlyArray<string>;
  /** As the author wrote it. */
  readonly name: string;
  readonly type: "string" | "integer" | "boolean";
}

/** A tool. */
export interface ToolFeature extends Feature {
  readonly _tag: "Tool";
  readonly headers: ReadonlyArray<HeaderParameter>;
}

/** A resource with a fixed URI. */
export interface ResourceFeature extends Feature {
  readonly _tag: "Resource";
  readonly uri: string;
}

/** Resources by a URI template. `decode` gets what `match` found. */
export interface TemplateFeature extends Feature {
  readonly _tag: "Template";
  readonly uriTemplate: string;
  /** `uri` and the template's `variables` in it; undefined if it does not match. */
  readonly match: (uri: string) => JsonRecord | undefined;
}

/** A prompt. */
export interface PromptFeature extends Feature {
  readonly _tag: "Prompt";
}

/** Any feature. */
export type AnyFeature = ToolFeature | ResourceFeature | TemplateFeature | PromptFeature;
