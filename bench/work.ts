/**
 * The pieces of work that are timed in one process. Each gives what the server said, so that answers can be compared first.
 *
 * What is timed is the server and what any host of it has to do: a new `Request`, `fetch`, and the reply read to its end.
 * What a client does is done before, or not at all: messages are texts already, and of a reply no more is looked at than the
 * next message needs. All contestants get the same, and one that says again what was said before (see `constant.ts`) shows
 * how much of the time is not the server's.
 */
import { awaiting, type Contestant, exchange, pool, resultOf, said, textOf, toolCall, toolList } from "./contestant.ts";

/** A piece of work, as one client has it done. */
export interface Work {
  readonly name: string;
  /** Takes milliseconds, not microseconds. */
  readonly long?: boolean;
  /** How many messages it takes. */
  readonly messages: number;
  /** Does it once, and gives the replies. */
  readonly run: (contestant: Contestant) => Promise<ReadonlyArray<string>>;
  /** What the replies say, without what is random in them. */
  readonly saw: (replies: ReadonlyArray<string>) => unknown;
}

/** One `tools/call` with one argument, `text`. */
const saying = (name: string, text: string, long: boolean): Work => {
  const next = pool(long ? 2 : 256, () => toolCall("echo", { text }));
  return {
    name,
    long,
    messages: 1,
    run: async (contestant) => [await exchange(contestant, next())],
    saw: ([reply = ""]) => {
      const result = resultOf(reply);
      return { resultType: result.resultType, said: said(result) };
    },
  };
};

/** The shortest call. */
const echo: Work = saying("echo tools/call, in process", "Hello, world", false);

const firstPage = pool(16, () => toolList(undefined));

/** All tools, page after page. */
export const list: Work = {
  name: "tools/list of 1,000 tools and more, in process",
  long: true,
  messages: 1,
  run: async (contestant) => {
    const replies = [await exchange(contestant, firstPage())];
    while (true) {
      const cursor = textOf(replies.at(-1)!, "nextCursor");
      if (cursor === undefined) return replies;
      replies.push(await exchange(contestant, toolList(cursor)));
    }
  },
  saw: (replies) =>
    replies.flatMap((reply) => resultOf(reply).tools ?? [])
      .map(({ name }) => name)
      .filter((name) => name.startsWith("tool_")),
};

const order = { order: "A-1" };
const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
const firstRound = pool(256, () => toolCall("greet", order));
const lastRound = pool(
  256,
  () => awaiting((requestState) => toolCall("greet", order, { inputResponses, requestState })),
);

/** A form, and the call again with its answer and the sealed state. */
const flow: Work = {
  name: "sealed two-round elicitation, in process",
  messages: 2,
  run: async (contestant) => {
    const first = await exchange(contestant, firstRound());
    const state = textOf(first, "requestState");
    if (state === undefined) throw new Error(`${contestant.name}: no requestState`);
    return [first, await exchange(contestant, lastRound()(state))];
  },
  // Without what a peer adds to its questions: `mode: "form"` and `$schema` say nothing new
  saw: (replies) =>
    replies.map(resultOf).map((result) => ({
      resultType: result.resultType,
      asked: Object.entries(result.inputRequests ?? {}).map(([key, { method, params }]) => {
        const { message, requestedSchema: { properties, required, type } } = params;
        return { key, method, message, type, properties, required };
      }),
      said: said(result),
    })),
};

/** One of them. */
export type WorkName = "echo" | "flow" | "list" | "long1KiB" | "long100KiB" | "long4MiB";

/** All of them. Long texts are made where they are needed. */
export const works: { readonly [K in WorkName]: () => Work } = {
  echo: () => echo,
  flow: () => flow,
  list: () => list,
  long1KiB: () => saying("echo of 1 KiB, in process", "x".repeat(1_024), false),
  long100KiB: () => saying("echo of 100 KiB, in process", "x".repeat(102_400), true),
  long4MiB: () =>
    saying("echo of nearly 4 MiB, the most that is taken, in process", "x".repeat(4 * 1_048_576 - 1_024), true),
};
