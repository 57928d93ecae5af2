/** What a JSON Schema says of a value alone, not of its parts by schemas of their own: judged by the library. */
import { deepCompareStrict, type Schema, validate } from "@cfworker/json-schema";
import type { JsonRecord } from "../model/json.ts";
import type { Step } from "./json_schema_run.ts";

const keywords = [
  "type",
  "required",
  "dependentRequired",
  "minProperties",
  "maxProperties",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
];

/**
 * The formats that are asserted: of those of JSON Schema 2020-12 (validation, section 7.3), whose assertion is optional, the
 * ones that the library knows, but for `regex`: some short expressions take the engine a hundred times as long as others.
 * Others are notes. The library asserts more: `url` in quadratic time, and names of members that every object inherits.
 */
const formats: ReadonlySet<unknown> = new Set([
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "json-pointer",
  "relative-json-pointer",
  "time",
  "uri",
  "uri-reference",
  "uri-template",
  "uuid",
]);

/** No schema refers to another: what does is not given to the library. */
const none: Record<string, Schema> = {};

/** The step for values that are listed. The library would look at each of them, and write all of them down, every time. */
const listed = (values: ReadonlyArray<unknown>, what: string): Step => {
  const scalars = new Set(values.filter((value) => typeof value !== "object" || value === null));
  const others = values.filter((value) => !scalars.has(value));
  return (run, value) =>
    scalars.has(value) || others.some((other) => deepCompareStrict(value, other)) ||
    run.fault(`Instance does not match ${what}`);
};

/** The steps for what `schema` asserts. */
export const assertions = (schema: JsonRecord): ReadonlyArray<Step> => {
  const steps: Array<Step> = [];
  const asserted = Object.entries(schema).filter(([keyword, value]) =>
    keywords.includes(keyword) || (keyword === "format" && formats.has(value))
  );
  if (asserted.length > 0) {
    const own: Schema = Object.fromEntries(asserted);
    steps.push((run, value) => {
      const { errors, valid } = validate(value, own, "2020-12", none);
      for (const { error } of errors) run.fault(error.replace(/\.$/, ""));
      return valid;
    });
  }
  const { const: only, enum: among } = schema;
  if (only !== undefined) steps.push(listed([only], JSON.stringify(only)));
  if (Array.isArray(among)) steps.push(listed(among, `any of ${JSON.stringify(among)}`));
  return steps;
};
