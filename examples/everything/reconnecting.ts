/** A tool that takes long, and does not hold its client's connection meanwhile. */
import * as Effect from "effect/Effect";
import { Call, Tool } from "@needful/mcp";

const reconnection = Tool.make("test_reconnection", {
  description: "Lets the client go, which comes back for the result where it knows how to",
  handler: Effect.fn(function* () {
    yield* Call.disconnect;
    yield* Effect.sleep("100 millis");
    return "You came back.";
  }),
});

/** The tools. */
export const tools: ReadonlyArray<Tool.Tool> = [reconnection];
