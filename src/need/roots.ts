/** `Need.roots`: the places in the user's file system that the client works on. */
import { isRecord, own } from "../model/json.ts";
import { named } from "./build.ts";
import { invalid } from "./form/reason.ts";
import { make, type Need, type Reading, Roots } from "./need.ts";

/** A directory or file that the client considers relevant. It guides; it is no permission. */
export interface Root {
  /** Begins with `file://`. */
  readonly uri: string;
  /** For people to read. */
  readonly name?: string;
}

const rootOf = (raw: unknown): Root | string => {
  if (!isRecord(raw)) return "a root is not an object";
  const [uri, name] = [own(raw, "uri"), own(raw, "name")];
  if (typeof uri !== "string" || !/^file:\/\//i.test(uri)) return "the URI of a root does not begin with file://";
  if (name === undefined) return { uri };
  return typeof name === "string" ? { uri, name } : "the name of a root is not a text";
};

const read = (raw: unknown): Reading<ReadonlyArray<Root>, never> => {
  const list = isRecord(raw) ? own(raw, "roots") : undefined;
  if (!Array.isArray(list)) return invalid("it has no list of roots");
  const roots: Array<Root> = [];
  for (const item of list) {
    const root = rootOf(item);
    if (typeof root === "string") return invalid(root);
    roots.push(root);
  }
  return { _tag: "Answer", value: roots };
};

/**
 * Asks the client for its roots. A list that is malformed, or whose URIs are not `file://` ones, is asked again. Spec:
 * 2026-07-28, client/roots (deprecated there).
 */
export const roots = (key: string = "roots"): Need<ReadonlyArray<Root>, never, Roots> => {
  named("roots request", key);
  return make({
    key,
    kind: "roots",
    port: Roots,
    request: () => ({ method: "roots/list" }),
    identity: () => "roots",
    read,
    volunteer: false,
  });
};
