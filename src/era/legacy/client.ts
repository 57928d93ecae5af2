/** What a client says of itself in `initialize`. */
import type { Implementation } from "../../model/call.ts";
import { type ClientCapabilities, supports } from "../../model/capability.ts";
import { isRecord, type JsonRecord, own } from "../../model/json.ts";
import type { Revision } from "./revisions.ts";
import { pick, type Shape } from "./shape.ts";

/** Characters of JSON that are kept of what a client says of itself, for as long as its session lives. */
const maxKept = 2_048;

const implementation: Shape = { name: true, version: true, title: true, description: true, websiteUrl: true };

const small = (value: object): boolean => JSON.stringify(value).length <= maxKept;

/** Who the client is; undefined if it does not say. Its pictures are not kept, and the rest only if it is short. */
export const readInfo = (info: unknown): Implementation | undefined => {
  if (!isRecord(info)) return undefined;
  const name = own(info, "name"), version = own(info, "version");
  if (typeof name !== "string" || typeof version !== "string") return undefined;
  const texts = Object.entries(pick(implementation, info)).filter(([, text]) => typeof text === "string");
  const named = { name, version };
  return [{ ...Object.fromEntries(texts), ...named }, named].find(small);
};

const part = (capability: JsonRecord, name: string): JsonRecord =>
  isRecord(own(capability, name)) ? { [name]: {} } : {};

const elicitation = (revision: Revision, declared: JsonRecord): ClientCapabilities => {
  const form = supports(declared, "elicitation.form");
  const url = revision.elicitation?.url === true && supports(declared, "elicitation.url");
  if (revision.elicitation === undefined || !(form || url)) return {};
  return { elicitation: { ...(form ? { form: {} } : {}), ...(url ? { url: {} } : {}) } };
};

const sampling = (revision: Revision, declared: JsonRecord): ClientCapabilities => {
  const sampling = own(declared, "sampling");
  if (!isRecord(sampling)) return {};
  const { declaresContext, tools } = revision.sampling;
  return {
    sampling: {
      ...(tools ? part(sampling, "tools") : {}),
      ...(declaresContext ? part(sampling, "context") : { context: {} }),
    },
  };
};

const roots = (declared: JsonRecord): ClientCapabilities => {
  const roots = own(declared, "roots");
  if (!isRecord(roots)) return {};
  return { roots: own(roots, "listChanged") === true ? { listChanged: true } : {} };
};

const known = new Set(["elicitation", "sampling", "roots"]);

/**
 * What the client can be asked for in `revision`, in the words of the newest revision: a capability that is malformed is
 * not declared, one that the revision has no word for cannot be used, and where it has none for including context all
 * clients that sample can be asked to. Capabilities that are of no concern to asking are kept as they came, if they are
 * small.
 */
export const readCapabilities = (revision: Revision, capabilities: unknown): ClientCapabilities => {
  const declared = isRecord(capabilities) ? capabilities : {};
  const others = Object.fromEntries(Object.entries(declared).filter(([name]) => !known.has(name)));
  return {
    ...(small(others) ? others : {}),
    ...elicitation(revision, declared),
    ...sampling(revision, declared),
    ...roots(declared),
  };
};
