/** Reasons: what a person is told about an answer that cannot be used. */
import type { Reading } from "../need.ts";

/** The most characters of a reason. An answer may be huge, and what is wrong with it may repeat parts of it. */
const limit = 500;

const cut = (text: string): string => {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit - 1);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
};

/** The reading of an answer that has `problems`, each a part of a sentence. */
export const invalid = (...problems: ReadonlyArray<string>): Reading<never, never> => ({
  _tag: "Invalid",
  reason: cut(`The last answer cannot be used: ${problems.join("; ")}`),
});
