/** What a field's schema demands of a value. */
import { isRecord } from "../../model/json.ts";
import type { FormField } from "../../model/question.ts";
import { formats, isFormat } from "./format.ts";

/** What is wrong with a value, in words that follow the field's name; undefined if nothing is. */
export type Rule = (value: unknown) => string | undefined;

/** The options of a choice, in the order of the form; undefined if the field is no choice. */
export const optionsOf = (field: FormField): ReadonlyArray<string> | undefined => {
  const holder = field.type === "array" && isRecord(field["items"]) ? field["items"] : field;
  const { anyOf, enum: plain, oneOf } = holder as { readonly [keyword: string]: unknown };
  if (Array.isArray(plain)) return plain as ReadonlyArray<string>;
  const titled = oneOf ?? anyOf;
  return Array.isArray(titled) ? (titled as ReadonlyArray<{ readonly const: string }>).map((o) => o.const) : undefined;
};

/** Characters as JSON Schema counts them: code points, and no further than `limit` + 1. */
const length = (text: string, limit: number): number => {
  let count = 0;
  for (let at = 0; at < text.length && count <= limit; count++) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return count;
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const text = (field: FormField): Rule => {
  const { format, maxLength, minLength } = field as { minLength?: number; maxLength?: number } & FormField;
  return (value) => {
    if (typeof value !== "string") return "must be a text";
    if (minLength !== undefined && length(value, minLength) < minLength) {
      return `must have at least ${plural(minLength, "character")}`;
    }
    if (maxLength !== undefined && length(value, maxLength) > maxLength) {
      return `must have at most ${plural(maxLength, "character")}`;
    }
    return isFormat(format) && !formats[format].matches(value) ? `must be ${formats[format].title}` : undefined;
  };
};

const number = (field: FormField): Rule => {
  const { maximum, minimum } = field as { minimum?: number; maximum?: number } & FormField;
  const whole = field.type === "integer";
  return (value) => {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      return whole ? "must be a whole number" : "must be a number";
    }
    if (whole && !Number.isInteger(value)) return "must be a whole number";
    if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
    return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined;
  };
};

const choice = (options: ReadonlyArray<string>): Rule => {
  const known = new Set<unknown>(options);
  return (value) => known.has(value) ? undefined : "must be one of the options";
};

const choices = (field: FormField, options: ReadonlyArray<string>): Rule => {
  const { maxItems, minItems } = field as { minItems?: number; maxItems?: number } & FormField;
  const known = new Set<unknown>(options);
  return (value) => {
    if (!Array.isArray(value)) return "must be a list of options";
    if (minItems !== undefined && value.length < minItems) return `must have at least ${plural(minItems, "option")}`;
    if (maxItems !== undefined && value.length > maxItems) return `must have at most ${plural(maxItems, "option")}`;
    return value.every((item) => known.has(item)) ? undefined : "must hold nothing but the options";
  };
};

/** The rule of a field, whose schema is known to be within the protocol's subset. */
export const ruleOf = (field: FormField): Rule => {
  const options = optionsOf(field);
  switch (field.type) {
    case "string":
      return options === undefined ? text(field) : choice(options);
    case "number":
    case "integer":
      return number(field);
    case "boolean":
      return (value) => typeof value === "boolean" ? undefined : "must be true or false";
    case "array":
      return choices(field, options ?? []);
  }
};
