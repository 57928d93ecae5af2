/** The pieces of work that are timed. Each gives what the client saw, so that answers can be compared first. */
import { type Contestant, send, toolCall, type ToolResult } from "./contestant.ts";

/** A piece of work, as one client does it. */
export interface Work {
  readonly name: string;
  /** Does it once, and gives what the client saw without what is random in it. */
  readonly run: (contestant: Contestant) => Promise<unknown>;
}

/** What the result says, be it structured or not. */
const said = (result: ToolResult): unknown => result.structuredContent ?? result.content?.[0]?.text;

/** The questions, without what a peer adds to them: `mode: "form"` and `$schema` say nothing new. */
const asked = (result: ToolResult): unknown =>
  Object.entries(result.inputRequests ?? {}).map(([key, { method, params }]) => {
    const { message, requestedSchema: { properties, required, type } } = params;
    return { key, method, message, type, properties, required };
  });

/** One `tools/call` with one argument. */
export const echo: Work = {
  name: "echo tools/call",
  run: async (contestant) => {
    const result = await send(contestant, toolCall("echo", { text: "Hello, world" }));
    return { resultType: result.resultType, said: said(result) };
  },
};

/** A form, and the call again with its answer and the sealed state. */
export const flow: Work = {
  name: "sealed two-round elicitation",
  run: async (contestant) => {
    const args = { order: "A-1" };
    const first = await send(contestant, toolCall("greet", args));
    const { requestState } = first;
    if (typeof requestState !== "string") throw new Error(`${contestant.name}: no requestState`);
    const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
    const last = await send(contestant, toolCall("greet", args, { inputResponses, requestState }));
    return { first: first.resultType, asked: asked(first), last: last.resultType, said: said(last) };
  },
};
