/** Requests as questions: those of the builders, and those that are written by hand in the words of the protocol. */
import * as Result from "effect/Result";
import { isRecord, own } from "../model/json.ts";
import type { FormSchema, SamplingParams } from "../model/question.ts";
import type { ManualSpec } from "../need/manual.ts";
import { createMessage, elicit, elicitUrl, listRoots } from "./build.ts";
import { originalOf, type Request, type RequestImpl } from "./request.ts";

const methods = "elicitation/create, sampling/createMessage and roots/list";

/** Throws what is wrong with it. */
const rebuilt = (value: unknown): Request<unknown> => {
  if (!isRecord(value)) throw new TypeError("is no request");
  const params = isRecord(value["params"]) ? value["params"] : {};
  switch (own(value, "method")) {
    case "elicitation/create": {
      const mode = own(params, "mode");
      const message = own(params, "message");
      if (typeof message !== "string") throw new TypeError("has no message");
      if (mode === "url") return elicitUrl({ message, url: String(own(params, "url")) });
      if (mode !== undefined && mode !== "form") {
        throw new TypeError(`has the mode ${JSON.stringify(mode)}, which is neither form nor url`);
      }
      return elicit({ message, schema: own(params, "requestedSchema") as FormSchema });
    }
    case "sampling/createMessage":
      return createMessage(params as unknown as SamplingParams);
    case "roots/list":
      return listRoots();
  }
  throw new TypeError(`has the method ${JSON.stringify(own(value, "method"))}, which is none of ${methods}`);
};

/** The question that `value` is under `key`; or a sentence that says why it is none. */
export const question = (key: string, value: unknown): ManualSpec | string =>
  Result.getOrElse(
    Result.try(() => (originalOf(value) ?? rebuilt(value) as RequestImpl<unknown>).at(key)),
    (error) => `"${key}": ${error instanceof Error ? error.message : error}`,
  );

/** The question that `request` is under `key`. Throws where it is none. */
export const specAt = <A>(request: Request<A>, key: string): ManualSpec<A> => {
  const found = question(key, request);
  if (typeof found === "string") throw new TypeError(`Cannot read the answer to ${found}`);
  return found as ManualSpec<A>;
};
