/** Prompts, with completion and with a question. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Content, Need, Prompt } from "@needful/mcp";
import { png } from "./media.ts";

const simple = Prompt.make("test_simple_prompt", {
  description: "One message",
  handler: () => Effect.succeed("This is a simple prompt for testing."),
});

const withArguments = Prompt.make("test_prompt_with_arguments", {
  description: "Puts its arguments into the message",
  args: Schema.Struct({
    arg1: Schema.String.annotate({ description: "First test argument" }),
    arg2: Schema.String.annotate({ description: "Second test argument" }),
  }),
  complete: { arg1: ["paris", "park", "party", "testing"] },
  handler: ({ arg1, arg2 }) => Effect.succeed(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
});

const withEmbeddedResource = Prompt.make("test_prompt_with_embedded_resource", {
  description: "Embeds a resource",
  args: Schema.Struct({ resourceUri: Schema.String.annotate({ description: "URI of the resource to embed" }) }),
  handler: ({ resourceUri }) =>
    Effect.succeed([
      Prompt.user(
        Content.resource(resourceUri, "Embedded resource content for testing.", { mimeType: "text/plain" }),
      ),
      Prompt.user("Please process the embedded resource above."),
    ]),
});

const withImage = Prompt.make("test_prompt_with_image", {
  description: "Shows an image",
  handler: () =>
    Effect.succeed([
      Prompt.user(Content.image(png, { mimeType: "image/png" })),
      Prompt.user("Please analyze the image above."),
    ]),
});

const Context = Schema.Struct({ context: Schema.String });

const asking = Prompt.make("test_input_required_result_prompt", {
  description: "Asks for what it is about",
  handler: Effect.fn(function* () {
    const { context } = yield* Need.elicit("user_context", {
      message: "What context should the prompt use?",
      schema: Context,
    });
    return `Use this context: ${context}`;
  }),
});

/** The prompts. */
export const prompts: ReadonlyArray<Prompt.Prompt<Need.Elicitation>> = [
  simple,
  withArguments,
  withEmbeddedResource,
  withImage,
  asking,
];
