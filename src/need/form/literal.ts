/** Literal JSON Schemas: whether they are within the protocol's subset (schema, `PrimitiveSchemaDefinition`). */
import { isRecord, type JsonRecord } from "../../model/json.ts";
import type { FormField, FormSchema } from "../../model/question.ts";
import { cannotBuild } from "../build.ts";
import { isFormat } from "./format.ts";
import { optionsOf, ruleOf } from "./rule.ts";

/** Says what is wrong with a keyword's value; undefined if nothing is. */
type Check = (value: unknown, field: JsonRecord) => string | undefined;

const expect = (test: (value: unknown) => boolean, what: string): Check => (value) => test(value) ? undefined : what;

const aText = expect((value) => typeof value === "string", "is not a text");
const aNumber = expect((value) => typeof value === "number" && Number.isFinite(value), "is not a number");
const aCount = expect((value) => Number.isSafeInteger(value) && (value as number) >= 0, "is not a count");

/** A bound that must not lie above the one of the other name. */
const below = (check: Check, other: string): Check => (value, field) =>
  check(value, field) ??
    (typeof field[other] === "number" && (value as number) > field[other] ? `is more than ${other}` : undefined);

/** What is wrong with the values of options; undefined if nothing is. */
export const optionsProblem = (values: ReadonlyArray<unknown>): string | undefined => {
  if (values.length === 0) return "has no options";
  if (!values.every((value) => typeof value === "string")) return "has an option that is not a text";
  return new Set(values).size === values.length ? undefined : "has the same option twice";
};

const plainOptions: Check = (value) => Array.isArray(value) ? optionsProblem(value) : "is not a list";

const titledOptions: Check = (value) => {
  if (!Array.isArray(value)) return "is not a list";
  const titled = (option: unknown): boolean =>
    isRecord(option) && typeof option["title"] === "string" &&
    Object.keys(option).every((key) => key === "const" || key === "title");
  if (!value.every(titled)) return "has an option that is not a const with a title";
  return optionsProblem(value.map((option: JsonRecord) => option["const"]));
};

const optionNames: Check = (value, field) =>
  Array.isArray(value) && value.every((name) => typeof name === "string") && Array.isArray(field["enum"]) &&
    value.length === field["enum"].length
    ? undefined
    : "is not a list of texts as long as enum";

const items: Check = (value) => {
  if (!isRecord(value)) return "is not an object";
  const keys = Object.keys(value).sort().join();
  if (keys === "anyOf") return titledOptions(value["anyOf"], value);
  if (keys !== "enum,type" || value["type"] !== "string") return "does not list fixed options";
  return plainOptions(value["enum"], value);
};

const common = { type: expect(() => true, ""), title: aText, description: aText };
const single = { ...common, default: expect(() => true, "") };

const shapes: { readonly [shape: string]: { readonly [keyword: string]: Check } } = {
  text: {
    ...single,
    minLength: below(aCount, "maxLength"),
    maxLength: aCount,
    format: expect(isFormat, "is none of email, uri, date, date-time"),
  },
  plain: { ...single, enum: plainOptions, enumNames: optionNames },
  titled: { ...single, oneOf: titledOptions },
  number: { ...single, minimum: below(aNumber, "maximum"), maximum: aNumber },
  boolean: single,
  array: { ...single, minItems: below(aCount, "maxItems"), maxItems: aCount, items },
};

/** Which of the shapes a field claims to have; undefined if it has an unknown type. */
const shapeOf = (field: JsonRecord): string | undefined => {
  switch (field["type"]) {
    case "string":
      return Object.hasOwn(field, "enum") ? "plain" : Object.hasOwn(field, "oneOf") ? "titled" : "text";
    case "integer":
      return "number";
    case "number":
    case "boolean":
    case "array":
      return field["type"];
  }
  return undefined;
};

/** What keeps `field` out of the protocol's subset; undefined if nothing does. */
export const fieldProblem = (field: unknown): string | undefined => {
  if (!isRecord(field)) return "is not an object";
  const shape = shapeOf(field);
  if (shape === undefined) {
    return field["type"] === "object" ? "is an object" : `has the type ${JSON.stringify(field["type"])}`;
  }
  const checks = shapes[shape]!;
  for (const keyword of Object.keys(field)) {
    const check = Object.hasOwn(checks, keyword) ? checks[keyword] : undefined;
    if (check === undefined) return `has "${keyword}", which forms do not have there`;
    const problem = check(field[keyword], field);
    if (problem !== undefined) return `has a "${keyword}" that ${problem}`;
  }
  if (shape === "array" && !Object.hasOwn(field, "items")) return "is a list without fixed options";
  return rangeProblem(field as FormField) ?? defaultProblem(field as FormField);
};

/** A list that demands more options than there are could never be answered. */
const rangeProblem = (field: FormField): string | undefined => {
  const least = field.type === "array" ? field["minItems"] : undefined;
  return typeof least === "number" && least > (optionsOf(field)?.length ?? 0)
    ? `has a "minItems" that is more than there are options`
    : undefined;
};

/** What is wrong with the default of a field; undefined if nothing is or there is none. */
const defaultProblem = (field: FormField): string | undefined => {
  if (!Object.hasOwn(field, "default")) return undefined;
  const problem = ruleOf(field)(field["default"]);
  return problem === undefined ? undefined : `has a default that ${problem.replace(/^must/, "does not fit: it must")}`;
};

/** The form of a literal schema as it is. Throws what `cannotBuild` gives unless the schema is within the subset. */
export const fromLiteral = (schema: unknown, what: string): FormSchema => {
  if (!isRecord(schema)) throw cannotBuild(what, "its schema is not an object");
  const { properties, required, type } = schema;
  if (type === undefined && properties === undefined) {
    throw cannotBuild(what, `its schema is neither a Schema.Struct nor a JSON Schema with the type "object"`);
  }
  if (type !== "object") throw cannotBuild(what, `the type of its schema is ${JSON.stringify(type)}, not "object"`);
  if (!isRecord(properties)) throw cannotBuild(what, "its schema has no properties");
  const other = Object.keys(schema).find((key) => !["$schema", "type", "properties", "required"].includes(key));
  if (other !== undefined) throw cannotBuild(what, `its schema has "${other}", which forms do not have`);
  if (schema["$schema"] !== undefined && typeof schema["$schema"] !== "string") {
    throw cannotBuild(what, `its "$schema" is not a text`);
  }
  for (const name of Object.keys(properties)) {
    const problem = fieldProblem(properties[name]);
    if (problem !== undefined) throw cannotBuild(what, `field "${name}" ${problem}`);
  }
  if (required !== undefined) checkRequired(required, properties, what);
  return schema as unknown as FormSchema;
};

const checkRequired = (required: unknown, properties: JsonRecord, what: string): void => {
  if (!Array.isArray(required)) throw cannotBuild(what, `its "required" is not a list`);
  const stray = required.find((name) => typeof name !== "string" || !Object.hasOwn(properties, name));
  if (stray !== undefined) throw cannotBuild(what, `its "required" names ${JSON.stringify(stray)}, which is no field`);
};
