/** From the arguments of a prompt to its input, and from what its handler gives to its reply. */
import type * as Exit from "effect/Exit";
import type { PromptMessage } from "../model/content.ts";
import { internal, invalidParams } from "../model/fault.ts";
import { isRecord, type JsonRecord, own } from "../model/json.ts";
import { isBlock } from "./blocks.ts";
import type { Codec } from "./codec.ts";
import { text } from "./content.ts";
import { ended, mistake, toFault } from "./ended.ts";
import type { Decoded, Finished } from "./feature.ts";
import { listed } from "./lines.ts";
import { defined } from "./options.ts";

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

/** An argument of a prompt. */
export interface Argument {
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

/** The arguments that a schema stands for. Throws where one is not encoded as a string. */
export const argumentsOf = (json: JsonRecord): ReadonlyArray<Argument> => {
  const { properties, required, type } = json;
  if (type !== "object") throw new TypeError("its arguments are no struct");
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, field]) => {
    if (!isRecord(field) || !isString(field)) throw new TypeError(`the argument "${name}" is not encoded as a string`);
    const needed = Array.isArray(required) && required.includes(name);
    const { description, title } = field;
    return { name, required: needed, descriptor: defined({ name, title, description, required: needed }) };
  });
};

/** Reads the arguments of a request. */
export const decode = (
  name: string,
  known: ReadonlyArray<Argument>,
  codec: Codec | undefined,
  args: JsonRecord,
): Decoded => {
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

/** What the end of a prompt's handler means to the client. */
export const finish = (name: string, fallback: string | undefined, exit: Exit.Exit<unknown, unknown>): Finished => {
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
