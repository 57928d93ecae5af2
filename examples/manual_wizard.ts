/**
 * `wizard.ts` in the returning style: a state machine, written out. Each round returns one question and the step that
 * comes next, with what was chosen so far, in a state of its own.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/manual_wizard.ts
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Manual, McpServer, Need, RequestState, Tool } from "@needful/mcp";
import { serve } from "./serve.ts";

const Size = Schema.Literals(["small", "medium", "large"]);
const Toppings = Schema.Array(Schema.Literals(["mushrooms", "olives", "onions", "peppers"])).check(
  Schema.isMaxLength(3),
);
const Decision = Schema.Union([
  Schema.Literal("bake").annotate({ title: "Bake it" }),
  Schema.Literal("change").annotate({ title: "Change something" }),
]);

interface Draft {
  readonly size: typeof Size.Type;
  readonly toppings: typeof Toppings.Type;
}

const Step = RequestState.make({
  schema: Schema.Struct({ step: Schema.Literals(["size", "toppings", "review"]), size: Size, toppings: Toppings }),
});

const orderOf = ({ size, toppings }: Draft): string =>
  `${size} pizza with ${toppings.length === 0 ? "nothing" : toppings.join(", ")}`;

/** The question of each step; the draft so far is what its form begins with. */
const requestsFor = ({ size, toppings }: Draft) => ({
  size: Manual.elicit({
    message: "Which size?",
    schema: Schema.Struct({ choice: Size.annotate({ default: size }) }),
  }),
  toppings: Manual.elicit({
    message: `What do you want on your ${size} pizza?`,
    schema: Schema.Struct({ choice: Toppings.annotate({ default: toppings }) }),
  }),
  review: Manual.elicit({
    message: `A ${orderOf({ size, toppings })}: shall we bake it?`,
    schema: Schema.Struct({ choice: Decision }),
  }),
});

/** Ends the round with the question of `step`. To return it again asks again, so that no key needs a number. */
const ask = (step: "size" | "toppings" | "review", draft: Draft) =>
  Effect.map(
    Step.seal({ ...draft, step }),
    (requestState) => Manual.inputRequired({ inputRequests: { [step]: requestsFor(draft)[step] }, requestState }),
  );

/** What was chosen; a no ends the call. */
const chosen = <A>(key: string, answer: Manual.FormResponse<{ readonly choice: A }>) => {
  if (answer.action === "accept") return Effect.succeed(answer.content.choice);
  return Effect.fail(answer.action === "decline" ? new Need.Declined({ key }) : new Need.Cancelled({ key }));
};

export const wizard: Tool.Tool<Need.Flow> = Tool.make("manual_wizard", {
  description: "Takes an order for a pizza, step by step, in the returning style",
  handler: Effect.fn(function* () {
    const { step, ...draft } = Option.getOrElse(yield* Step.open, () => ({
      step: "size" as const,
      size: "medium" as const,
      toppings: [],
    }));
    const answers = yield* Manual.responses(requestsFor(draft));

    switch (step) {
      case "size": {
        if (answers.size === undefined) return yield* ask("size", draft);
        return yield* ask("toppings", { ...draft, size: yield* chosen("size", answers.size) });
      }
      case "toppings": {
        if (answers.toppings === undefined) return yield* ask("toppings", draft);
        return yield* ask("review", { ...draft, toppings: yield* chosen("toppings", answers.toppings) });
      }
      case "review": {
        if (answers.review === undefined) return yield* ask("review", draft);
        const next = yield* chosen("review", answers.review);
        return next === "bake" ? `Baking a ${orderOf(draft)}.` : yield* ask("size", draft);
      }
    }
  }),
});

export const server: McpServer.McpServer = McpServer.make({ name: "manual_wizard", version: "1.0.0", tools: [wizard] });

if (import.meta.main) serve(server, Layer.empty);
