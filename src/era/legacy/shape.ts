/** The members that a kind of object has in a revision of the protocol, as data. */
import { isRecord, type JsonRecord } from "../../model/json.ts";

/** Members by name: `true` for a value that is passed on whole, a shape for an object or a list of objects. */
export interface Shape {
  readonly [member: string]: true | Shape;
}

const pickFrom = (shape: Shape, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((element) => pickFrom(shape, element));
  return isRecord(value) ? pick(shape, value) : undefined;
};

/** `record` with the members of `shape` only, in its own order. */
export const pick = (shape: Shape, record: JsonRecord): JsonRecord => {
  const picked: Record<string, unknown> = {};
  for (const member of Object.keys(record)) {
    if (!Object.hasOwn(shape, member)) continue;
    const part = shape[member];
    if (part !== undefined) picked[member] = part === true ? record[member] : pickFrom(part, record[member]);
  }
  return picked;
};
