/** Tools that change what the server serves while it runs. What they add stands last in its list. */
import * as Effect from "effect/Effect";
import { Catalog, Prompt, Tool } from "@needful/mcp";

const extraTool = Tool.make("test_extra_tool", {
  description: "Comes and goes",
  handler: () => Effect.succeed("Here at the moment."),
});

const extraPrompt = Prompt.make("test_extra_prompt", {
  description: "Comes and goes",
  handler: () => Effect.succeed("Here at the moment."),
});

const triggerToolChange = Tool.make("test_trigger_tool_change", {
  description: "Adds a tool, or removes it again",
  handler: Effect.fn(function* () {
    const catalog = yield* Catalog.Catalog;
    const removed = yield* catalog.remove("tools", extraTool.name);
    if (!removed) yield* catalog.put(extraTool, false);
    return "Changed.";
  }),
});

const triggerPromptChange = Tool.make("test_trigger_prompt_change", {
  description: "Adds a prompt, or removes it again",
  handler: Effect.fn(function* () {
    const catalog = yield* Catalog.Catalog;
    const removed = yield* catalog.remove("prompts", extraPrompt.name);
    if (!removed) yield* catalog.put(extraPrompt, false);
    return "Changed.";
  }),
});

const triggerResourceUpdate = Tool.make("test_trigger_resource_update", {
  description: "Says that test://watched-resource changed",
  handler: Effect.fn(function* () {
    const catalog = yield* Catalog.Catalog;
    yield* catalog.resourceUpdated("test://watched-resource");
    return "Updated.";
  }),
});

/** The tools. */
export const tools: ReadonlyArray<Tool.Tool<Catalog.Catalog>> = [
  triggerToolChange,
  triggerPromptChange,
  triggerResourceUpdate,
];
