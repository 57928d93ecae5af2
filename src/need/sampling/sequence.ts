/** The order of messages to a model (2026-07-28, client/sampling, "Message Content Constraints"). */
import type { SamplingContent } from "../../model/content.ts";
import { isRecord } from "../../model/json.ts";
import type { SamplingMessage } from "../../model/question.ts";
import { blocksOf } from "./block.ts";

/** The ids of the tools that a message wishes to use. */
const uses = (blocks: ReadonlyArray<SamplingContent>): ReadonlyArray<string> =>
  blocks.flatMap((block) => block.type === "tool_use" ? [block.id] : []);

/** The ids of the tool uses that a message answers. */
const results = (blocks: ReadonlyArray<SamplingContent>): ReadonlyArray<string> =>
  blocks.flatMap((block) => block.type === "tool_result" ? [block.toolUseId] : []);

const twice = (ids: ReadonlyArray<string>): string | undefined => ids.find((id, i) => ids.indexOf(id) !== i);

/** What is wrong with one message, given the tool uses that the one before left open. */
const problem = (message: SamplingMessage, open: ReadonlyArray<string>): string | undefined => {
  if (!isRecord(message)) return "is not an object";
  const blocks = blocksOf(message.content);
  if (blocks === undefined) return "has malformed content";
  if (message.role !== "user" && message.role !== "assistant") return `has the role ${JSON.stringify(message.role)}`;
  const [used, answered] = [uses(blocks), results(blocks)];
  if (used.length > 0 && message.role !== "assistant") return "uses a tool, which only the assistant may";
  if (answered.length > 0 && message.role !== "user") return "has a tool result, which only the user may give";
  if (answered.length > 0 && answered.length < blocks.length) return "mixes tool results with other content";
  const repeated = twice(used) ?? twice(answered);
  if (repeated !== undefined) return `has the tool use "${repeated}" twice`;
  const missing = open.find((id) => !answered.includes(id));
  if (missing !== undefined) return `does not answer the tool use "${missing}"`;
  const stray = answered.find((id) => !open.includes(id));
  return stray === undefined ? undefined : `answers the tool use "${stray}", which the message before does not have`;
};

/** What is wrong with the order of `messages`; undefined if nothing is. */
export const sequenceProblem = (messages: ReadonlyArray<SamplingMessage>): string | undefined => {
  if (!Array.isArray(messages)) return "messages is not a list";
  let open: ReadonlyArray<string> = [];
  for (const [i, message] of messages.entries()) {
    const found = problem(message, open);
    if (found !== undefined) return `message ${i + 1} ${found}`;
    open = uses(blocksOf(message.content) ?? []);
  }
  return open.length === 0 ? undefined : `no message answers the tool use "${open[0]}"`;
};
