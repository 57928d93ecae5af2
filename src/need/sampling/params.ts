/** What `sampling/createMessage` demands of its parameters beyond their types. */
import { jsonFault } from "../../model/json.ts";
import type { SamplingParams } from "../../model/question.ts";
import { sequenceProblem } from "./sequence.ts";

const finite = (value: number | undefined): boolean => value === undefined || Number.isFinite(value);
const share = (value: number | undefined): boolean => value === undefined || (value >= 0 && value <= 1);

const toolsProblem = ({ toolChoice, tools }: SamplingParams): string | undefined => {
  if (toolChoice !== undefined && (tools === undefined || tools.length === 0)) {
    return "toolChoice is given without tools";
  }
  if (toolChoice?.mode !== undefined && !["auto", "required", "none"].includes(toolChoice.mode)) {
    return `toolChoice has the mode ${JSON.stringify(toolChoice.mode)}`;
  }
  if (tools !== undefined && !Array.isArray(tools)) return "tools is not a list";
  const names = (tools ?? []).map((tool) => tool?.name);
  if (names.some((name) => typeof name !== "string" || name === "")) return "a tool has no name";
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) return `the tool "${repeated}" is given twice`;
  const shapeless = tools?.find((tool) => tool.inputSchema?.type !== "object");
  return shapeless === undefined
    ? undefined
    : `the inputSchema of the tool "${shapeless.name}" is not one of an object`;
};

/** What is wrong with `params`; undefined if nothing is. */
export const paramsProblem = (params: SamplingParams): string | undefined => {
  const { includeContext, maxTokens, messages, modelPreferences: wish = {}, temperature } = params;
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) return "maxTokens is not a positive whole number";
  if (!finite(temperature)) return "temperature is not a number";
  if (![wish.costPriority, wish.speedPriority, wish.intelligencePriority].every(share)) {
    return "a priority is not between 0 and 1";
  }
  if (includeContext !== undefined && !["none", "thisServer", "allServers"].includes(includeContext)) {
    return `includeContext is ${JSON.stringify(includeContext)}`;
  }
  return toolsProblem(params) ?? sequenceProblem(messages) ?? jsonFault(params);
};
