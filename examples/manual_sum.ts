/**
 * `sum.ts` in the returning style: state alone, and no question. The client comes back at once with how far the sum is.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/manual_sum.ts
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Manual, McpServer, type Need, RequestState, Tool } from "@needful/mcp";
import { serve } from "./serve.ts";

/** Numbers in one round. */
const slice = 5;

const Progress = RequestState.make({ schema: Schema.Struct({ done: Schema.Int, total: Schema.Finite }) });

export const sum: Tool.Tool<Need.Flow> = Tool.make("manual_sum", {
  description: `Adds up to ${8 * slice} numbers, ${slice} in a round, in the returning style`,
  input: Schema.Struct({ numbers: Schema.Array(Schema.Finite).check(Schema.isMaxLength(8 * slice)) }),
  handler: Effect.fn(function* ({ numbers }) {
    const { done, total } = Option.getOrElse(yield* Progress.open, () => ({ done: 0, total: 0 }));
    const now = numbers.slice(done, done + slice).reduce((sum, number) => sum + number, total);

    if (done + slice >= numbers.length) return `The sum is ${now}.`;
    return Manual.inputRequired({ requestState: yield* Progress.seal({ done: done + slice, total: now }) });
  }),
});

export const server: McpServer.McpServer = McpServer.make({ name: "manual_sum", version: "1.0.0", tools: [sum] });

if (import.meta.main) serve(server, Layer.empty);
