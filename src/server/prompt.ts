/**
 * Prompts: messages that a user picks by name and fills in with arguments.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect";
 * import * as Schema from "effect/Schema";
 * import { Prompt } from "@needful/mcp";
 *
 * const review = Prompt.make("review", {
 *   description: "Reviews code",
 *   args: Schema.Struct({ code: Schema.String, language: Schema.optionalKey(Schema.String) }),
 *   complete: { language: ["python", "typescript"] },
 *   handler: ({ code, language = "some language" }) => Effect.succeed(`Review this ${language}:\n\n${code}`),
 * });
 * ```
 *
 * @module
 */
import type * as Effect from "effect/Effect";
import type * as Exit from "effect/Exit";
import * as Result from "effect/Result";
import type * as Schema from "effect/Schema";
import type { ContentBlock, PromptMessage } from "../model/content.ts";
import { type Fault, internal, invalidParams } from "../model/fault.ts";
import { isRecord, type JsonRecord, own } from "../model/json.ts";
import type { CompletionReply } from "../model/reply.ts";
import { block, isBlock } from "./blocks.ts";
import { type Codec, compile } from "./codec.ts";
import { type Completers, type CompleterServices, completion } from "./completion.ts";
import { text } from "./content.ts";
import { ended, mistake, toFault } from "./ended.ts";
import type { Errors } from "./failure.ts";
import type { Decoded, Feature, Finished, PromptFeature } from "./feature.ts";
import { listed } from "./lines.ts";
import { check, nameFault } from "./names.ts";
import { cannot, type CommonOptions, defined } from "./options.ts";

export type { PromptMessage } from "../model/content.ts";
export type { Completer, Completers, CompleterServices, Context, Values } from "./completion.ts";
export { type Errors, Failure } from "./failure.ts";
export type { CommonOptions } from "./options.ts";

/** A prompt; `R` is what its handler and its completions need, the client included. */
export interface Prompt<out R = never> extends PromptFeature {
  /** Runs the handler on arguments that `decode` read. */
  readonly handle: (input: unknown) => Effect.Effect<unknown, Errors, R>;
  readonly complete:
    | ((
      argument: string,
      value: string,
      context: { readonly [argument: string]: string },
    ) => Effect.Effect<CompletionReply | Fault, never, R>)
    | undefined;
}

/** Any prompt. */
// deno-lint-ignore no-explicit-any -- the only argument that every prompt is assignable to
export type Any = Prompt<any>;

/** What a prompt needs. */
export type Services<T> = T extends Prompt<infer R> ? R : never;

/** What the handler of a prompt may give: the text of one message of the user, or messages. */
export type Messages =
  | string
  | ReadonlyArray<PromptMessage>
  | {
    readonly messages: ReadonlyArray<PromptMessage>;
    /** Default: the prompt's own. */
    readonly description?: string;
    readonly _meta?: JsonRecord;
  };

/** What a prompt is made of. */
export interface Options<I, R, C> extends CommonOptions {
  /** The arguments: a struct whose fields are encoded as strings. Optional keys, titles and descriptions are listed. */
  readonly args?: Schema.Codec<I, { readonly [name: string]: string | undefined }>;
  /** Values for arguments while the user types. */
  readonly complete?: C & Completers<keyof I & string>;
  readonly handler: (args: NoInfer<I>) => Effect.Effect<Messages, Errors, R>;
}

/** A message of the user. */
export const user = (content: string | ContentBlock): PromptMessage => ({
  role: "user",
  content: block(content) as ContentBlock,
});

/** A message of the assistant. */
export const assistant = (content: string | ContentBlock): PromptMessage => ({
  role: "assistant",
  content: block(content) as ContentBlock,
});

interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly descriptor: JsonRecord;
}

const isString = (json: unknown): boolean => {
  if (!isRecord(json)) return false;
  const { anyOf, oneOf, type } = json;
  const members = anyOf ?? oneOf;
  return type === "string" || (type === undefined && Array.isArray(members) && members.every(isString));
};

const argumentsOf = (json: JsonRecord): ReadonlyArray<Argument> => {
  const { properties, required, type } = json;
  if (type !== "object") throw new TypeError("its arguments are no struct");
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, field]) => {
    if (!isRecord(field) || !isString(field)) throw new TypeError(`the argument "${name}" is not encoded as a string`);
    const needed = Array.isArray(required) && required.includes(name);
    const { description, title } = field;
    return { name, required: needed, descriptor: defined({ name, title, description, required: needed }) };
  });
};

const decode = (name: string, known: ReadonlyArray<Argument>, codec: Codec | undefined, args: JsonRecord): Decoded => {
  const refuse = (message: string): Decoded => ({ _tag: "Refused", reply: invalidParams(message) });
  const missing = known.filter((argument) => argument.required && own(args, argument.name) === undefined);
  if (missing.length > 0) {
    return refuse(`Missing argument of prompt ${name}: ${missing.map((argument) => argument.name).join(", ")}`);
  }
  const wrong = Object.entries(args).find(([, value]) => typeof value !== "string");
  if (wrong !== undefined) return refuse(`Argument ${wrong[0].slice(0, 100)} of prompt ${name} must be a string`);
  if (codec === undefined) return { _tag: "Input", input: {} };
  const outcome = codec.read(args);
  switch (outcome._tag) {
    case "Value":
      return { _tag: "Input", input: outcome.value };
    case "Invalid":
      return refuse(listed(`Invalid arguments for prompt ${name}`, outcome.lines));
    case "Broken":
      return { _tag: "Refused", reply: internal(), cause: outcome.cause };
  }
};

const isMessage = (value: unknown): value is PromptMessage =>
  isRecord(value) && (value["role"] === "user" || value["role"] === "assistant") && isBlock(value["content"]);

const finish = (name: string, fallback: string | undefined, exit: Exit.Exit<unknown, unknown>): Finished => {
  const end = ended(exit);
  if (end._tag === "Crashed") return { _tag: "Bad", reply: internal(), cause: end.cause };
  if (end._tag === "Failed") {
    const reply = toFault(end.error);
    return end.cause === undefined ? { _tag: "Bad", reply } : { _tag: "Bad", reply, cause: end.cause };
  }
  const { value } = end;
  const full = isRecord(value) ? value : {};
  const messages = typeof value === "string"
    ? [{ role: "user" as const, content: text(value) }]
    : Array.isArray(value)
    ? value
    : full["messages"];
  const { _meta: meta, description = fallback } = full;
  if (!Array.isArray(messages) || !messages.every(isMessage)) {
    return { _tag: "Bad", reply: internal(), cause: mistake(`Prompt ${name} returned something else than messages`) };
  }
  return {
    _tag: "Good",
    reply: {
      _tag: "Prompt",
      messages,
      ...(typeof description === "string" ? { description } : {}),
      ...(isRecord(meta) ? { meta } : {}),
    },
  };
};

/**
 * Makes a prompt.
 *
 * Throws, naming the prompt, where its name is none or an argument is not encoded as a string.
 */
export const make = <R, I = Record<never, never>, const C extends Completers<keyof I & string> = Record<never, never>>(
  name: string,
  options: Options<I, R, C>,
): Prompt<R | CompleterServices<C>> => {
  check("prompt", name, nameFault(name));
  return Result.getOrThrowWith(
    Result.try((): Prompt<R | CompleterServices<C>> => {
      const codec = options.args === undefined ? undefined : compile(options.args);
      const known = codec === undefined ? [] : argumentsOf(codec.json);
      const complete: Feature["complete"] = completion(known.map((argument) => argument.name), options.complete);
      return {
        _tag: "Prompt",
        name,
        descriptor: defined({
          name,
          title: options.title,
          description: options.description,
          arguments: known.length === 0 ? undefined : known.map((argument) => argument.descriptor),
          icons: options.icons,
          _meta: options._meta,
        }),
        requires: options.requires ?? [],
        visible: options.visible,
        decode: (args) => decode(name, known, codec, args),
        handle: options.handler as Prompt<R>["handle"],
        finish: (exit) => finish(name, options.description, exit),
        complete,
      };
    }),
    (error) => cannot("prompt", name, error),
  );
};
