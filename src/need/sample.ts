/** `Need.sample`: a message from the client's model. */
import type { SamplingContent } from "../model/content.ts";
import { canonical, isRecord, own } from "../model/json.ts";
import type { SamplingParams, SamplingQuestion } from "../model/question.ts";
import { cannotBuild, named } from "./build.ts";
import type { Refused } from "./errors.ts";
import { invalid } from "./form/reason.ts";
import { make, type Need, type Reading, Sampling } from "./need.ts";
import { blocksOf } from "./sampling/block.ts";
import { paramsProblem } from "./sampling/params.ts";

/** What the model said. */
export interface Sample {
  /** Always the assistant: ready to stand in the messages of the next sample. */
  readonly role: "assistant";
  /** The model that said it. */
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or whatever else the client says. */
  readonly stopReason?: string;
  /** Always a list, also where the client sent one block. */
  readonly content: ReadonlyArray<SamplingContent>;
}

const read = (raw: unknown): Reading<Sample, never> => {
  if (!isRecord(raw)) return invalid("it is not an object");
  const [role, model, stopReason] = [own(raw, "role"), own(raw, "model"), own(raw, "stopReason")];
  // The schema knows both roles here; whatever the client calls it, what its model says is the assistant's.
  if (role !== "assistant" && role !== "user") return invalid("its role is neither assistant nor user");
  if (typeof model !== "string") return invalid("its model is not a text");
  if (stopReason !== undefined && typeof stopReason !== "string") return invalid("its stopReason is not a text");
  const content = blocksOf(own(raw, "content"));
  if (content === undefined) return invalid("its content is malformed");
  return {
    _tag: "Answer",
    value: { role: "assistant", model, ...(stopReason === undefined ? {} : { stopReason }), content },
  };
};

/**
 * Asks the client's model for a message. `params` are those of `sampling/createMessage`; with `tools`, the content may
 * hold `tool_use` blocks, which the handler answers in the messages of its next `sample`, under another key.
 *
 * A malformed result is asked again. Fails with `Refused` where a legacy client refuses; a modern one just does not
 * come back. Throws when the messages break the protocol's rules: a user message with tool results has nothing else,
 * and every tool use is answered in the next message. Spec: 2026-07-28, client/sampling (deprecated there).
 */
export const sample = (key: string, params: SamplingParams): Need<Sample, Refused, Sampling> => {
  const what = named("sample", key);
  const problem = paramsProblem(params);
  if (problem !== undefined) throw cannotBuild(what, problem);
  const question: SamplingQuestion = { method: "sampling/createMessage", params };
  return make<Sample, Refused, Sampling>({
    key,
    kind: "sampling",
    port: Sampling,
    request: () => question,
    identity: () => `sampling ${canonical(params)}`,
    read,
    volunteer: false,
  });
};
