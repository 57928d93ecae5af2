/** The bounds of a field: those of a schema's checks that the wire can say. The others are enforced on the answer. */
import type * as AST from "effect/SchemaAST";
import { isRecord, type JsonRecord } from "../../model/json.ts";

/** What a check says of itself. */
interface Representation {
  readonly id: string;
  readonly payload: JsonRecord;
}

/** Where in a check's payload the bounds stand. */
interface Ends {
  readonly lower?: string;
  readonly upper?: string;
}

const both: Ends = { lower: "minimum", upper: "maximum" };

const sizes: { readonly [id: string]: Ends } = {
  "effect/schema/isMinLength": { lower: "minLength" },
  "effect/schema/isMaxLength": { upper: "maxLength" },
  "effect/schema/isBetweenLength": both,
  "effect/schema/isMinCodePoints": { lower: "minCodePoints" },
  "effect/schema/isMaxCodePoints": { upper: "maxCodePoints" },
  "effect/schema/isBetweenCodePoints": both,
};

const ranges: { readonly [id: string]: Ends } = {
  "effect/schema/isGreaterThan": { lower: "exclusiveMinimum" },
  "effect/schema/isGreaterThanOrEqualTo": { lower: "minimum" },
  "effect/schema/isLessThan": { upper: "exclusiveMaximum" },
  "effect/schema/isLessThanOrEqualTo": { upper: "maximum" },
  "effect/schema/isBetween": both,
};

/** The checks of a node that say what they are, groups taken apart. */
const representations = (checks: ReadonlyArray<AST.Check<never>> | undefined): ReadonlyArray<Representation> =>
  (checks ?? []).flatMap((check) => {
    const inner = check._tag === "FilterGroup" ? representations(check.checks) : [];
    const own: unknown = check.annotations?.["representation"];
    return isRecord(own) && typeof own["id"] === "string"
      ? [...inner, { id: own["id"], payload: isRecord(own["payload"]) ? own["payload"] : {} }]
      : inner;
  });

/** The tightest bounds that `found` puts, where `table` says how to find them. */
const tightest = (
  found: ReadonlyArray<Representation>,
  table: { readonly [id: string]: Ends },
  read: (payload: JsonRecord, name: string) => unknown,
): { readonly lower: number | undefined; readonly upper: number | undefined } => {
  const values = (end: keyof Ends): ReadonlyArray<number> =>
    found.flatMap(({ id, payload }) => {
      const name = Object.hasOwn(table, id) ? table[id]![end] : undefined;
      const value = name === undefined ? undefined : read(payload, name);
      return typeof value === "number" ? [value] : [];
    });
  const [lower, upper] = [values("lower"), values("upper")];
  return {
    lower: lower.length === 0 ? undefined : Math.max(...lower),
    upper: upper.length === 0 ? undefined : Math.min(...upper),
  };
};

const keep = (bounds: { readonly [keyword: string]: number | undefined }): { readonly [keyword: string]: number } =>
  Object.fromEntries(Object.entries(bounds).filter((entry): entry is [string, number] => entry[1] !== undefined));

/** Exclusive bounds have no place on the wire, but on whole numbers they are inclusive ones. */
const bound = (whole: boolean) => (payload: JsonRecord, name: string): unknown => {
  const value = payload[name];
  const exclusive = name.startsWith("exclusive") ? name : `exclusive${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  if (typeof value !== "number" || (exclusive !== name && payload[exclusive] !== true)) return value;
  if (!whole) return undefined;
  return exclusive === "exclusiveMinimum" ? Math.floor(value) + 1 : Math.ceil(value) - 1;
};

/** The bounds that the checks of an encoded node put on a field, under the keywords of the wire. */
export const boundsOf = (wire: AST.AST): { readonly [keyword: string]: unknown } => {
  const found = representations(wire.checks);
  const size = tightest(found, sizes, (payload, name) => payload[name]);
  switch (wire._tag) {
    case "String":
    case "TemplateLiteral":
      return keep({ minLength: size.lower, maxLength: size.upper });
    case "Number": {
      const whole = found.some(({ id }) => id === "effect/schema/isInt");
      const { lower, upper } = tightest(found, ranges, bound(whole));
      return { ...(whole ? { type: "integer" } : {}), ...keep({ minimum: lower, maximum: upper }) };
    }
    case "Arrays": {
      // A list that is not empty says so by its first item.
      const least = wire.elements.length === 1 ? Math.max(1, size.lower ?? 1) : size.lower;
      return keep({ minItems: least, maxItems: size.upper });
    }
  }
  return {};
};
