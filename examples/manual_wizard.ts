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

type Step = "size" | "toppings" | "review";

interface Draft {
  readonly attempt: number;
  readonly size: typeof Size.Type;
  readonly toppings: typeof Toppings.Type;
}

const Progress = RequestState.make({
  schema: Schema.Struct({
    step: Schema.Literals(["size", "toppings", "review"]),
    attempt: Schema.Int,
    size: Size,
    toppings: Toppings,
  }),
});

const orderOf = ({ size, toppings }: Pick<Draft, "size" | "toppings">): string =>
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

// An answer stays for the whole call, so each attempt asks under names of its own.
const keyOf = (step: Step, { attempt }: Draft): string => `${step}:${attempt}`;

/** Ends the round with the question of `step`. */
const ask = (step: Step, draft: Draft) =>
  Effect.map(
    Progress.seal({ ...draft, step }),
    (requestState) =>
      Manual.inputRequired({ inputRequests: { [keyOf(step, draft)]: requestsFor(draft)[step] }, requestState }),
  );

/** What was chosen; undefined where there is no answer yet. A no ends the call. */
const chosen = Effect.fn(function* <A>(
  key: string,
  request: Manual.Request<Manual.FormResponse<{ readonly choice: A }>>,
) {
  const { [key]: answer } = yield* Manual.responses({ [key]: request });
  switch (answer?.action) {
    case undefined:
      return undefined;
    case "accept":
      return answer.content.choice;
    case "decline":
      return yield* new Need.Declined({ key });
    case "cancel":
      return yield* new Need.Cancelled({ key });
  }
});

export const wizard: Tool.Tool<Need.Flow> = Tool.make("manual_wizard", {
  description: "Takes an order for a pizza, step by step, in the returning style",
  handler: Effect.fn(function* () {
    const { step, ...draft } = Option.getOrElse(yield* Progress.open, () => ({
      step: "size" as const,
      attempt: 1,
      size: "medium" as const,
      toppings: [],
    }));
    const requests = requestsFor(draft);

    switch (step) {
      case "size": {
        const size = yield* chosen(keyOf(step, draft), requests.size);
        return yield* size === undefined ? ask("size", draft) : ask("toppings", { ...draft, size });
      }
      case "toppings": {
        const toppings = yield* chosen(keyOf(step, draft), requests.toppings);
        return yield* toppings === undefined ? ask("toppings", draft) : ask("review", { ...draft, toppings });
      }
      case "review": {
        const next = yield* chosen(keyOf(step, draft), requests.review);
        if (next === "bake") return `Baking a ${orderOf(draft)}.`;
        return yield* next === undefined ? ask("review", draft) : ask("size", { ...draft, attempt: draft.attempt + 1 });
      }
    }
  }),
});

export const server: McpServer.McpServer = McpServer.make({ name: "manual_wizard", version: "1.0.0", tools: [wizard] });

if (import.meta.main) serve(server, Layer.empty);
