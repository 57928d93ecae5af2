/**
 * Both styles beside each other: each tool that asks, and its twin that returns. `returning.md` is the guide.
 *
 *     deno run --allow-net --allow-env=PORT,MCP_STATE_SECRET examples/returning.ts
 */
import * as Layer from "effect/Layer";
import { McpServer } from "@needful/mcp";
import { greet } from "./greet.ts";
import { greet as manualGreet } from "./manual_greet.ts";
import { sum as manualSum } from "./manual_sum.ts";
import { whoami as manualWhoami } from "./manual_whoami.ts";
import { wizard as manualWizard } from "./manual_wizard.ts";
import { serve } from "./serve.ts";
import { sum } from "./sum.ts";
import { whoami } from "./whoami.ts";
import { wizard } from "./wizard.ts";

export const server: McpServer.McpServer = McpServer.make({
  name: "needful-returning",
  title: "Asking and returning",
  version: "1.0.0",
  tools: [whoami, manualWhoami, greet, manualGreet, wizard, manualWizard, sum, manualSum],
});

if (import.meta.main) serve(server, Layer.empty);
