/** What a client can be asked for. */
import { isRecord, type JsonRecord } from "./json.ts";

/** A thing that a client declares or does not: the unit of the capability gate. */
export type Capability =
  | "elicitation.form"
  | "elicitation.url"
  | "sampling"
  | "sampling.tools"
  | "sampling.context"
  | "roots";

/** All capabilities, in the order in which errors name them. */
export const capabilities: ReadonlyArray<Capability> = [
  "elicitation.form",
  "elicitation.url",
  "sampling",
  "sampling.tools",
  "sampling.context",
  "roots",
];

/** The capabilities object of a client as it came (schema `ClientCapabilities`). */
export type ClientCapabilities = JsonRecord;

const has = (declared: JsonRecord, ...path: ReadonlyArray<string>): boolean => {
  let at: unknown = declared;
  for (const name of path) {
    if (!isRecord(at) || !Object.hasOwn(at, name)) return false;
    at = at[name];
  }
  return isRecord(at);
};

const bare = (elicitation: unknown): boolean =>
  isRecord(elicitation) && !Object.hasOwn(elicitation, "form") && !Object.hasOwn(elicitation, "url");

/**
 * Whether a client that declared `declared` can be asked for `capability`. A value that is not an object declares
 * nothing. `elicitation: {}` declares form mode only (2026-07-28, client/elicitation, "Capabilities").
 */
export const supports = (declared: ClientCapabilities, capability: Capability): boolean => {
  switch (capability) {
    case "elicitation.form":
      return has(declared, "elicitation", "form") || bare(declared["elicitation"]);
    case "elicitation.url":
      return has(declared, "elicitation", "url");
    case "sampling":
      return has(declared, "sampling");
    case "sampling.tools":
      return has(declared, "sampling", "tools");
    case "sampling.context":
      return has(declared, "sampling", "context");
    case "roots":
      return has(declared, "roots");
  }
};

/** The smallest capabilities object that declares all of `missing`: `data.requiredCapabilities` of -32021. */
export const required = (missing: Iterable<Capability>): ClientCapabilities => {
  const object: Record<string, Record<string, JsonRecord>> = {};
  for (const capability of missing) {
    const [name, part] = capability.split(".") as [string, string | undefined];
    const parts = object[name] ??= {};
    if (part !== undefined) parts[part] = {};
  }
  return object;
};
