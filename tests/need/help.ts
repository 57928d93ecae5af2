/** What the tests of needs share. */
import { assertEquals } from "@std/assert";
import * as Need from "../../src/need/mod.ts";
import { type Reading, specOf } from "../../src/need/need.ts";

export const message: string = "?";
/** Reads a raw answer to a form of `schema`. */
export const form = (schema: Need.FormSource): (raw: unknown) => Reading<unknown, unknown> =>
  specOf(Need.elicit("who", { message, schema })).read;
export const accept = (content?: unknown): unknown =>
  content === undefined ? { action: "accept" } : { action: "accept", content };

export const answer = (reading: Reading<unknown, unknown>): unknown => {
  assertEquals(reading._tag, "Answer");
  return (reading as { value: unknown }).value;
};

export const reason = (reading: Reading<unknown, unknown>): string => {
  assertEquals(reading._tag, "Invalid");
  return (reading as { reason: string }).reason;
};

export const failure = (reading: Reading<unknown, unknown>): { readonly _tag: string; readonly key: string } => {
  assertEquals(reading._tag, "Failure");
  return (reading as { error: { _tag: string; key: string } }).error;
};

/** What is no answer to anything (B13). */
export const malformed: ReadonlyArray<unknown> = [
  1,
  "x",
  null,
  undefined,
  true,
  [],
  [{ action: "accept" }],
  {},
  { action: "reject" },
  { action: "ACCEPT" },
  { action: 1 },
  { action: null },
  { action: ["accept"] },
  Object.create({ action: "accept" }),
  { roots: [] },
  { result: { action: "accept" } },
];

/** What the client gets to see of a form. */
export const wire = (schema: Need.FormSource): unknown => {
  const { params } = Need.elicit("who", { message, schema }).request as { params: { requestedSchema: unknown } };
  return params.requestedSchema;
};

/** A literal schema of whatever is to be tried. */
export const literal = (properties: unknown, more: object = {}): Need.FormSchema =>
  ({ type: "object", properties, ...more }) as Need.FormSchema;
