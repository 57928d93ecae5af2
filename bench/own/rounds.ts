/** What a round costs as a flow grows: its time, and the size of the state that travels. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { type Contestant, send, toolCall } from "../contestant.ts";
import { services } from "../contestants/needful.ts";
import { inTurns } from "../measure.ts";
import { compared, type Table } from "../figures.ts";

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

/** Plays a flow of `rounds` rounds, and gives the longest state. */
const play = async (contestant: Contestant, rounds: number): Promise<number> => {
  let retry = {};
  let longest = 0;
  for (let round = 1; round <= rounds; round++) {
    const { inputRequests = {}, requestState } = await send(
      contestant,
      toolCall("invite", { guests: rounds - 1 }, retry),
    );
    longest = Math.max(longest, requestState?.length ?? 0);
    const answers = Object.keys(inputRequests).map((key) => [key, { action: "accept", content: { name: "Ada" } }]);
    retry = { requestState, inputResponses: Object.fromEntries(answers) };
  }
  return longest;
};

const lengths: ReadonlyArray<number> = [2, 8, 32];

/** Microseconds of one round in flows of 2, 8 and 32, and characters of their longest state. */
export const measureRounds = async (repeats: number): Promise<ReadonlyArray<Table>> => {
  const { dispose, fetch } = McpServer.toWebHandler(server, services, { framed: true, limits: { maxRounds: 40 } });
  const contestant: Contestant = { name: "needful", fetch, close: dispose };
  const flows = lengths.map((rounds) => ({ name: `${rounds} rounds`, rounds }));
  for (let i = 0; i < 50; i++) await play(contestant, 32);
  const time = await inTurns(flows, repeats, async ({ rounds }) => {
    const start = performance.now();
    const flows = Math.ceil(64 / rounds);
    for (let i = 0; i < flows; i++) await play(contestant, rounds);
    return (performance.now() - start) * 1000 / (flows * rounds);
  });
  const size = await inTurns(flows, 1, ({ rounds }) => play(contestant, rounds));
  await contestant.close();
  return [
    compared("h", "one round of a flow with", "µs", time),
    compared("h", "longest state of a flow with", "characters", size),
  ];
};
