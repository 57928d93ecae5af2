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
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const members: Array<string> = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonical(member)}`);
  }
  return `{${members.join(",")}}`;
};
