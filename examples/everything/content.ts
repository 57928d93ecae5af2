/** Tools that answer at once, with every kind of content. */
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Call, Content, Tool } from "@needful/mcp";
import { png, wav } from "./media.ts";

const simpleText = Tool.make("test_simple_text", {
  description: "Returns text",
  handler: () => Effect.succeed("This is a simple text response for testing."),
});

const imageContent = Tool.make("test_image_content", {
  description: "Returns an image",
  handler: () => Effect.succeed(Content.image(png, { mimeType: "image/png" })),
});

const audioContent = Tool.make("test_audio_content", {
  description: "Returns a sound",
  handler: () => Effect.succeed(Content.audio(wav, { mimeType: "audio/wav" })),
});

const embeddedResource = Tool.make("test_embedded_resource", {
  description: "Returns a resource inside of the result",
  handler: () =>
    Effect.succeed(
      Content.resource("test://embedded-resource", "This is an embedded resource content.", { mimeType: "text/plain" }),
    ),
});

const multipleContentTypes = Tool.make("test_multiple_content_types", {
  description: "Returns text, an image and a resource",
  handler: () =>
    Effect.succeed([
      Content.text("Multiple content types test:"),
      Content.image(png, { mimeType: "image/png" }),
      Content.resource("test://mixed-content-resource", JSON.stringify({ test: "data", value: 123 }), {
        mimeType: "application/json",
      }),
    ]),
});

const errorHandling = Tool.make("test_error_handling", {
  description: "Fails always",
  handler: () => Effect.fail(new Tool.Failure({ text: "This tool intentionally returns an error for testing" })),
});

const withProgress = Tool.make("test_tool_with_progress", {
  description: "Tells how far it is",
  handler: Effect.fn(function* () {
    yield* Call.progress({ progress: 0, total: 100 });
    yield* Effect.sleep("50 millis");
    yield* Call.progress({ progress: 50, total: 100 });
    yield* Effect.sleep("50 millis");
    yield* Call.progress({ progress: 100, total: 100 });
    return "All done.";
  }),
});

const withLogging = Tool.make("test_tool_with_logging", {
  description: "Logs what it does",
  handler: Effect.fn(function* () {
    yield* Call.log("info", "Tool execution started");
    yield* Effect.sleep("50 millis");
    yield* Call.log("info", "Tool processing data");
    yield* Effect.sleep("50 millis");
    yield* Call.log("info", "Tool execution completed");
    return "All logged.";
  }),
});

const loggingTool = Tool.make("test_logging_tool", {
  description: "Logs one line, which only reaches clients that asked for it",
  handler: Effect.fn(function* () {
    yield* Call.log("info", "Somebody called");
    return "Logged.";
  }),
});

const headers = Tool.make("test_headers", {
  description: "Has a parameter that the client mirrors into a header",
  input: Schema.Struct({ region: Schema.String.pipe(Tool.header("Region")) }),
  handler: ({ region }) => Effect.succeed(`Region: ${region}`),
});

const jsonSchema = Tool.make("json_schema_2020_12_tool", {
  description: "Tool with JSON Schema 2020-12 features",
  input: Tool.jsonSchema({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  }),
  handler: (contact) => Effect.succeed(`Contact: ${JSON.stringify(contact)}`),
});

/** The tools; the suite calls the first one without arguments. */
export const tools: ReadonlyArray<Tool.Tool> = [
  simpleText,
  imageContent,
  audioContent,
  embeddedResource,
  multipleContentTypes,
  errorHandling,
  withProgress,
  withLogging,
  loggingTool,
  headers,
  jsonSchema,
];
