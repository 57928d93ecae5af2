/** What a call is for: the feature that it names, and the shape of its params. */
import { type Fault, invalidParams, isFault } from "../model/fault.ts";
import { isRecord, type JsonRecord } from "../model/json.ts";
import type { Principal } from "../model/principal.ts";
import type { CallRequest } from "../model/request.ts";
import type { Catalog } from "./catalog_service.ts";
import type { AnyFeature } from "./feature.ts";

/** A call whose params have the right shape. */
export interface Target {
  readonly _tag: "Target";
  readonly feature: AnyFeature;
  /** Name of the tool or prompt, or URI of the resource. */
  readonly name: string;
  /** For `decode`. */
  readonly args: JsonRecord;
  /** As the client sent them, for the binding of a state. */
  readonly sent: JsonRecord;
  readonly responses: JsonRecord | undefined;
}

const find = (catalog: Catalog, request: CallRequest, name: string, sent: JsonRecord, principal: Principal) => {
  switch (request.method) {
    case "tools/call": {
      const feature = catalog.tool(name, principal);
      return feature === undefined ? invalidParams(`Unknown tool: ${name}`) : { feature, args: sent };
    }
    case "prompts/get": {
      const feature = catalog.prompt(name, principal);
      return feature === undefined ? invalidParams(`Unknown prompt: ${name}`) : { feature, args: sent };
    }
    case "resources/read":
      return catalog.resource(name, principal) ?? invalidParams("Resource not found", 200, { uri: name });
  }
};

/** Finds what a call is for; a fault for a shape that is wrong and for a name that this caller does not know. */
export const resolve = (catalog: Catalog, request: CallRequest, principal: Principal): Target | Fault => {
  const { arguments: sent = {}, inputResponses, method, target: name } = request;
  if (typeof name !== "string") {
    return invalidParams(`params.${method === "resources/read" ? "uri" : "name"} must be a string`);
  }
  if (!isRecord(sent)) return invalidParams("params.arguments must be an object");
  const found = find(catalog, request, name, sent, principal);
  if (isFault(found)) return found;
  if (inputResponses !== undefined && !isRecord(inputResponses)) {
    return invalidParams("params.inputResponses must be an object");
  }
  return { _tag: "Target", feature: found.feature, name, args: found.args, sent, responses: inputResponses };
};
