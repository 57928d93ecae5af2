/**
 * A wizard with a way back: three steps, one question after the other, and a review that can start over with the answers
 * so far as defaults. What was chosen lives in a state cell, which travels with the client.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/wizard.ts
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { serve } from "./serve.ts";

const sizes = ["small", "medium", "large"] as const;
const toppings = ["mushrooms", "olives", "onions", "peppers"] as const;

const draft = Need.state("draft", {
  schema: Schema.Struct({
    attempt: Schema.Int,
    size: Schema.Literals(sizes),
    toppings: Schema.Array(Schema.Literals(toppings)),
  }),
  initial: { attempt: 1, size: "medium", toppings: [] },
});

export const wizard: Tool.Tool<Need.Elicitation | Need.Flow> = Tool.make("wizard", {
  description: "Takes an order for a pizza, step by step",
  handler: Effect.fn(function* () {
    const last = yield* draft.get;
    // Keys are names: an answer belongs to its attempt, so each attempt asks under names of its own.
    const key = (step: string) => `${step}:${last.attempt}`;

    const size = yield* Need.choose(key("size"), { message: "Which size?", options: sizes, default: last.size });
    const chosen = yield* Need.choose(key("toppings"), {
      message: `What do you want on your ${size} pizza?`,
      options: toppings,
      multiple: true,
      max: 3,
      default: last.toppings,
    });
    const order = `${size} pizza with ${chosen.length === 0 ? "nothing" : chosen.join(", ")}`;
    const next = yield* Need.choose(key("review"), {
      message: `A ${order}: shall we bake it?`,
      options: [{ value: "bake", title: "Bake it" }, { value: "change", title: "Change something" }],
    });

    if (next === "bake") return `Baking a ${order}.`;
    yield* draft.set({ attempt: last.attempt + 1, size, toppings: chosen });
    return yield* Need.again;
  }),
});

export const server: McpServer.McpServer = McpServer.make({ name: "wizard", version: "1.0.0", tools: [wizard] });

if (import.meta.main) serve(server, Layer.empty);
