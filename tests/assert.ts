/**
 * The assertions of the tests, under the names of `@std/assert`, over `node:assert`: the registry that serves the real
 * module is out of reach of the tests. One line of `deno.json` brings it back.
 */
import assertion from "node:assert/strict";

/** Fails unless `condition` is truthy. */
export function assert(condition: unknown, message?: string): asserts condition {
  assertion.ok(condition, message);
}

/** Fails unless both values are deeply equal. */
export const assertEquals = <T>(actual: T, expected: T, message?: string): void =>
  assertion.deepEqual(actual, expected, message);

/** Fails if both values are deeply equal. */
export const assertNotEquals = <T>(actual: T, expected: T, message?: string): void =>
  assertion.notDeepEqual(actual, expected, message);

/** Fails unless both are the same value. */
export const assertStrictEquals = <T>(actual: T, expected: T, message?: string): void =>
  assertion.equal(actual, expected, message);

/** Fails unless `text` contains `part`. */
export const assertStringIncludes = (text: string, part: string, message?: string): void =>
  assertion.ok(text.includes(part), message ?? `${JSON.stringify(text)} does not contain ${JSON.stringify(part)}`);

/** Fails unless `text` matches `pattern`. */
export const assertMatch = (text: string, pattern: RegExp, message?: string): void =>
  assertion.match(text, pattern, message);

/** Fails unless `run` throws, and gives what it threw. */
export const assertThrows = (run: () => unknown, part?: string): Error => {
  let thrown: unknown;
  let failed = false;
  try {
    run();
  } catch (error) {
    failed = true;
    thrown = error;
  }
  assertion.ok(failed, "Expected a throw");
  assertion.ok(thrown instanceof Error, "Expected an Error to be thrown");
  if (part !== undefined) assertStringIncludes(thrown.message, part);
  return thrown;
};

/** Fails unless the promise of `run` rejects, and gives the reason. */
export const assertRejects = async (run: () => Promise<unknown>, part?: string): Promise<Error> => {
  let thrown: unknown;
  let failed = false;
  try {
    await run();
  } catch (error) {
    failed = true;
    thrown = error;
  }
  assertion.ok(failed, "Expected a rejection");
  assertion.ok(thrown instanceof Error, "Expected an Error as the reason");
  if (part !== undefined) assertStringIncludes(thrown.message, part);
  return thrown;
};

/** Fails always. */
export const fail = (message?: string): never => assertion.fail(message ?? "Failed");
