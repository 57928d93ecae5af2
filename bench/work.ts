/** The pieces of work that are timed. Each gives what the client saw, so that answers can be compared first. */
import { type Contestant, send, toolCall, toolList, type ToolResult } from "./contestant.ts";

/** A piece of work, as one client does it. */
export interface Work {
  readonly name: string;
  /** Takes milliseconds, not microseconds. */
  readonly long?: boolean;
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

/** One `tools/call` with one argument, `text`. */
const saying = (name: string, text: string, long: boolean): Work => ({
  name,
  long,
  run: async (contestant) => {
    const result = await send(contestant, toolCall("echo", { text }));
    return { resultType: result.resultType, said: said(result) };
  },
});

/** The shortest call. */
export const echo: Work = saying("echo tools/call, in process", "Hello, world", false);

/** Calls with long arguments. */
export const long: ReadonlyArray<Work> = [
  saying("echo of 1 KiB, in process", "x".repeat(1_024), false),
  saying("echo of 100 KiB, in process", "x".repeat(102_400), true),
  saying("echo of nearly 4 MiB, the most that is taken, in process", "x".repeat(4 * 1_048_576 - 1_024), true),
];

/** All tools, page after page. */
export const list: Work = {
  name: "tools/list of 1,000 tools and more, in process",
  long: true,
  run: async (contestant) => {
    const names: Array<string> = [];
    let cursor: string | undefined;
    do {
      const { nextCursor, tools = [] } = await send(contestant, toolList(cursor));
      names.push(...tools.map(({ name }) => name));
      cursor = nextCursor;
    } while (cursor !== undefined);
    return names.filter((name) => name.startsWith("tool_"));
  },
};

/** A form, and the call again with its answer and the sealed state. */
export const flow: Work = {
  name: "sealed two-round elicitation, in process",
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
