/** How needs are refused when they are built. */

/** The error of a need that cannot be built: `Cannot build form "who": field "address" is an object`. */
export const cannotBuild = (what: string, why: string): TypeError => new TypeError(`Cannot build ${what}: ${why}`);

/** The most characters (UTF-16 code units) that a key may have: it travels in every round, sealed and in the open. */
const maxKeyLength = 256;

/** The name of a thing as errors show it: `form "who"`. Throws unless `key` is a text of 1 to 256 characters. */
export const named = (kind: string, key: string): string => {
  if (typeof key !== "string" || key === "") throw cannotBuild(kind, "its key is empty");
  if (key.length > maxKeyLength) {
    throw cannotBuild(
      `${kind} "${key.slice(0, 40)}…"`,
      `its key has ${key.length} characters, more than ${maxKeyLength}`,
    );
  }
  return `${kind} "${key}"`;
};

/** Refuses a message to the user that is not a text: equal questions are told by it. */
export const checkMessage = (what: string, message: unknown): void => {
  if (typeof message !== "string") throw cannotBuild(what, "its message is not a text");
};
