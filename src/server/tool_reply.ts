/** From a tool's arguments to its input, and from its exit to its reply. */
import type * as Cause from "effect/Cause";
import type * as Exit from "effect/Exit";
import { isRecord, type JsonRecord } from "../model/json.ts";
import type { ToolReply } from "../model/reply.ts";
import { blocks } from "./blocks.ts";
import type { Codec } from "./codec.ts";
import { type Content, text } from "./content.ts";
import { ended, mistake } from "./ended.ts";
import type { Decoded, Finished } from "./feature.ts";
import { listed } from "./lines.ts";

/** A result in full: more than its content or its structured value. */
export interface ToolResult<out A> {
  readonly "~needful/server/ToolResult": true;
  readonly structured?: { readonly value: A };
  readonly content?: Content;
  readonly meta?: JsonRecord;
}

/** The parts of a result. */
export interface ResultOptions<A> {
  /** By the tool's output. */
  readonly structured?: A;
  /** For the model. Default: the JSON of `structured`. */
  readonly content?: Content;
  readonly _meta?: JsonRecord;
}

/** A tool's result with a structured value and other content than its JSON, or with `_meta`. */
export const result = <A = never>(options: ResultOptions<A>): ToolResult<A> => ({
  "~needful/server/ToolResult": true,
  ..."structured" in options ? { structured: { value: options.structured as A } } : {},
  ...options.content === undefined ? {} : { content: options.content },
  ...options._meta === undefined ? {} : { meta: options._meta },
});

const isResult = (value: unknown): value is ToolResult<unknown> =>
  isRecord(value) && Object.hasOwn(value, "~needful/server/ToolResult");

const failed = (message: string): ToolReply => ({ _tag: "Tool", content: [text(message)], isError: true });

const broke = (cause: Cause.Cause<unknown>): Finished => ({ _tag: "Bad", reply: failed("Internal error"), cause });

/** Reads the arguments of a call. Whatever is wrong with them is a result, so that a model can do better. */
export const decodeArguments = (name: string, input: Codec, args: JsonRecord): Decoded => {
  const outcome = input.read(args);
  switch (outcome._tag) {
    case "Value":
      return { _tag: "Input", input: outcome.value };
    case "Invalid":
      return { _tag: "Refused", reply: failed(listed(`Invalid arguments for tool ${name}`, outcome.lines)) };
    case "Broken":
      return { _tag: "Refused", reply: failed("Internal error"), cause: outcome.cause };
  }
};

/** The parts of a result that a handler returned in short. */
const inFull = (
  output: Codec | undefined,
  value: unknown,
): { readonly content?: unknown; readonly structured?: { readonly value: unknown }; readonly meta?: JsonRecord } => {
  if (isResult(value)) return value;
  return output === undefined ? { content: value ?? null } : { structured: { value } };
};

/** What a value is, without telling it. */
const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
};

/**
 * What a tool's success comes to. Without an output schema it has to be content. With one, a value that is valid by it
 * is the structured result, whatever else it may look like; anything else breaks the promise of the schema.
 */
const succeed = (name: string, output: Codec | undefined, value: unknown): Finished => {
  const { content, meta, structured } = inFull(output, value);
  const list = content === undefined ? [] : blocks(content);
  if (list === undefined) {
    const why = `Tool ${name} returned ${kindOf(content)}, which is no content: other values need an output schema`;
    return broke(mistake(why));
  }
  const common = { _tag: "Tool", isError: false, ...meta === undefined ? {} : { meta } } as const;
  if (output === undefined) {
    return structured === undefined
      ? { _tag: "Good", reply: { ...common, content: list } }
      : broke(mistake(`Tool ${name} has no output schema, but returned a structured result`));
  }
  const written = output.write(structured?.value);
  switch (written._tag) {
    case "Value": {
      const shown = content === undefined ? [text(JSON.stringify(written.value))] : list;
      return { _tag: "Good", reply: { ...common, content: shown, structured: { value: written.value } } };
    }
    case "Invalid":
      return broke(mistake(listed(`What tool ${name} returned is not valid by its output schema`, written.lines)));
    case "Broken":
      return broke(written.cause);
  }
};

/** What the end of a tool's handler means to the client. */
export const finish = (name: string, output: Codec | undefined, exit: Exit.Exit<unknown, unknown>): Finished => {
  const end = ended(exit);
  switch (end._tag) {
    case "Success":
      return succeed(name, output, end.value);
    case "Crashed":
      return broke(end.cause);
    case "Failed": {
      const reply = failed(end.error.message);
      return end.cause === undefined ? { _tag: "Bad", reply } : { _tag: "Bad", reply, cause: end.cause };
    }
  }
};
