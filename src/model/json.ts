/** JSON values and their canonical text. */

/** A JSON value. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Any object that came from JSON or goes into it; members are not checked. */
export interface JsonRecord {
  /** A member, unchecked. */
  readonly [key: string]: unknown;
}

/** Whether `value` is an object and no array. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The own member `key` of `record`; what stands on a prototype chain is not a member. */
export const own = (record: JsonRecord, key: string): unknown => Object.hasOwn(record, key) ? record[key] : undefined;

/** The text of a JSON value with the keys of every object in code unit order, so that equal values have equal texts. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  // A number may be too large for a double: then it is infinite, which JSON.stringify would take for null.
  if (value === Infinity || value === -Infinity) return value > 0 ? "1e999" : "-1e999";
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const members: Array<string> = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonical(member)}`);
  }
  return `{${members.join(",")}}`;
};

/** Levels of lists and objects that a value may have to be written as JSON. */
const maxDepth = 1_000;

const notJson = (value: unknown, path: string, depth: number): string | undefined => {
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) {
    return undefined;
  }
  if (depth > maxDepth) return `the value is nested over ${maxDepth} levels`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = notJson(value[index], `${path}[${index}]`, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (isRecord(value) && typeof value["toJSON"] !== "function") {
    for (const [name, member] of Object.entries(value)) {
      const fault = member === undefined ? undefined : notJson(member, `${path}.${name}`, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  return `${path === "" ? "the value" : `"${path.replace(/^\./, "")}"`} is no JSON`;
};

/** Where and why `value` is no JSON; undefined if it is. Members that are undefined do not travel. */
export const jsonFault = (value: unknown): string | undefined => notJson(value, "", 0);
