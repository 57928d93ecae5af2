/**
 * Work in slices: each pass adds a few numbers and ends with `again`. The client comes back with the state alone, and
 * no request takes long; any instance of the server can take the next slice.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/sum.ts
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { serve } from "./serve.ts";

/** Numbers in one pass. */
const slice = 5;

const progress = Need.state("progress", {
  schema: Schema.Struct({ done: Schema.Int, total: Schema.Finite }),
  initial: { done: 0, total: 0 },
});

export const sum: Tool.Tool<Need.Flow> = Tool.make("sum", {
  description: `Adds up to ${8 * slice} numbers, ${slice} in a round`,
  input: Schema.Struct({ numbers: Schema.Array(Schema.Finite).check(Schema.isMaxLength(8 * slice)) }),
  handler: Effect.fn(function* ({ numbers }) {
    const { done, total } = yield* progress.get;
    const now = numbers.slice(done, done + slice).reduce((sum, number) => sum + number, total);

    if (done + slice >= numbers.length) return `The sum is ${now}.`;
    yield* progress.set({ done: done + slice, total: now });
    return yield* Need.again;
  }),
});

export const server: McpServer.McpServer = McpServer.make({ name: "sum", version: "1.0.0", tools: [sum] });

if (import.meta.main) serve(server, Layer.empty);
