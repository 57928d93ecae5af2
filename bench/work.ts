/** The pieces of work that are timed. Each gives what the client saw, so that answers can be compared first. */
import { type Contestant, send, toolCall } from "./contestant.ts";

/** A piece of work, as one client does it. */
export interface Work {
  readonly name: string;
  /** Does it once, and gives what the client saw without what is random in it. */
  readonly run: (contestant: Contestant) => Promise<unknown>;
}

/** One `tools/call` with one argument. */
export const echo: Work = {
  name: "echo tools/call",
  run: async (contestant) => {
    const { content, resultType } = await send(contestant, toolCall("echo", { text: "Hello, world" }));
    return { content, resultType };
  },
};

/** A form, and the call again with its answer and the sealed state. */
export const flow: Work = {
  name: "sealed two-round elicitation",
  run: async (contestant) => {
    const args = { order: "A-1" };
    const first = await send(contestant, toolCall("greet", args));
    const { inputRequests, requestState } = first;
    if (typeof requestState !== "string") throw new Error(`${contestant.name}: no requestState`);
    const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
    const last = await send(contestant, toolCall("greet", args, { inputResponses, requestState }));
    return { first: first.resultType, inputRequests, last: last.resultType, content: last.content };
  },
};
