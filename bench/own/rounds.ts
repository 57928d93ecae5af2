/** What a round costs as a flow grows: its time, and the size of the state that travels. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { type Contestant, exchange, type Post, resultOf, textOf, toolCall } from "../contestant.ts";
import { services } from "../contestants/needful.ts";
import { inTurns } from "../measure.ts";
import { alone, spread, type Table } from "../figures.ts";

const Name = Schema.Struct({ name: Schema.String });

const server = McpServer.make({
  name: "bench",
  version: "1.0.0",
  tools: [
    Tool.make("invite", {
      description: "Asks for guests, one after the other",
      input: Schema.Struct({ guests: Schema.Int }),
      handler: Effect.fnUntraced(function* ({ guests }) {
        for (let guest = 1; guest <= guests; guest++) {
          yield* Need.elicit(`guest ${guest}`, { message: `Who is guest ${guest}?`, schema: Name });
        }
        return "All are invited";
      }),
    }),
  ],
});

const longest = 32;

/** The messages of a flow of `rounds` rounds, and the states that the server gave for them. */
interface Flow {
  readonly name: string;
  readonly rounds: number;
  readonly posts: ReadonlyArray<Post>;
  readonly states: ReadonlyArray<string>;
}

/** Plays a flow once. Any of its messages may be sent again: a round is a function of its message. */
const play = async (contestant: Contestant, rounds: number): Promise<Flow> => {
  const args = { guests: rounds - 1 };
  const posts = [toolCall("invite", args)];
  const states: Array<string> = [];
  while (true) {
    const reply = await exchange(contestant, posts.at(-1)!);
    const requestState = textOf(reply, "requestState");
    if (requestState === undefined) break;
    const keys = Object.keys(resultOf(reply).inputRequests ?? {});
    const accepted = { action: "accept", content: { name: "Ada" } };
    const inputResponses = Object.fromEntries(keys.map((key) => [key, accepted]));
    posts.push(toolCall("invite", args, { requestState, inputResponses }));
    states.push(requestState);
  }
  if (posts.length !== rounds) throw new Error(`The flow had ${posts.length} rounds instead of ${rounds}`);
  return { name: `needful, flow of ${rounds} rounds`, rounds, posts, states };
};

/** Mean microseconds of one of the messages. */
const timed = async (contestant: Contestant, posts: ReadonlyArray<Post>, times: number): Promise<number> => {
  const start = performance.now();
  for (let i = 0; i < times; i++) for (const post of posts) await exchange(contestant, post);
  return (performance.now() - start) * 1_000 / (times * posts.length);
};

/** By name, each value of a list of lists that were taken round by round. */
type Values = ReadonlyMap<string, ReadonlyArray<number>>;

const medianOf = (values: Values, name: string): number => spread(values.get(name)!).median;

/** What flows of 2, 8 and 32 rounds cost in the mean, what each round costs, and how large the state is by then. */
export const measureRounds = async (repeats: number): Promise<ReadonlyArray<Table>> => {
  const { dispose, fetch } = McpServer.toWebHandler(server, services, { framed: true, limits: { maxRounds: 40 } });
  const contestant: Contestant = { name: "needful", fetch, close: dispose };
  const flows = await Promise.all([2, 8, longest].map((rounds) => play(contestant, rounds)));
  const last = flows.at(-1)!;
  const rounds = [1, 2, 8, 16, longest - 1].map((round) => ({
    name: `needful, round ${round}`,
    post: last.posts[round - 1]!,
    state: last.states[round - 1]!.length,
  }));
  await timed(contestant, last.posts, 50);
  const mean = await inTurns(flows, repeats, ({ posts }) => timed(contestant, posts, Math.ceil(64 / posts.length)));
  const each = await inTurns(rounds, repeats, ({ post }) => timed(contestant, [post], 100));
  await contestant.close();
  // Linear, if an answer more costs the same wherever in the flow it is
  const growth = rounds.slice(2).map(({ name, state }, index) => {
    const before = rounds[index + 1]!;
    const kibibytes = (state - before.state) / 1_024;
    return [`from ${before.name.replace("needful, ", "")} to ${name.replace("needful, ", "")}`, [
      (medianOf(each, name) - medianOf(each, before.name)) / kibibytes,
    ]] as const;
  });
  const sizes = rounds.map(({ name, state }) => [name, [state]] as const);
  return [
    alone("h", "flows of several rounds, each round in the mean", "µs", mean),
    alone("h", `single rounds of a flow of ${longest}`, "µs", each),
    alone("h", "the state that they end with", "characters", new Map(sizes)),
    alone("h", "what a KiB more of state costs", "µs", new Map(growth)),
  ];
};
