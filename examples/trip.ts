/**
 * Several questions in one round trip: the user is asked for dates, the client's model for ideas and the client for its
 * folders, all at once. A client without folders is not asked for them.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/trip.ts
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { serve } from "./serve.ts";

const When = Schema.Struct({
  from: Schema.String.annotate({ title: "First day", format: "date" }),
  days: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 })),
  budget: Schema.optionalKey(Schema.Finite),
});

export const trip: Tool.Tool<Need.Elicitation | Need.Sampling | Need.Roots> = Tool.make("trip", {
  description: "Plans a trip to a city",
  input: Schema.Struct({ city: Schema.NonEmptyString }),
  handler: Effect.fn(function* ({ city }) {
    const { when, ideas, folders } = yield* Need.all({
      when: Need.elicit("when", { message: `When do you travel to ${city}?`, schema: When }),
      ideas: Need.sample("ideas", {
        messages: [{ role: "user", content: { type: "text", text: `Name one thing to see in ${city}, in one line.` } }],
        maxTokens: 100,
      }),
      folders: Need.optional(Need.roots()),
    });

    const idea = ideas.content.flatMap((block) => block.type === "text" ? [block.text] : []).join(" ");
    const folder = Option.flatMapNullishOr(folders, ([first]) => first);
    return [
      `${when.days} days in ${city}, from ${when.from}${
        when.budget === undefined ? "" : `, for at most ${when.budget}`
      }.`,
      `Do not miss: ${idea}`,
      Option.match(folder, {
        onNone: () => "There is no folder to keep the plan in.",
        onSome: ({ name, uri }) => `The plan belongs into ${name ?? uri}.`,
      }),
    ].join("\n");
  }),
});

export const server: McpServer.McpServer = McpServer.make({ name: "trip", version: "1.0.0", tools: [trip] });

if (import.meta.main) serve(server, Layer.empty);
