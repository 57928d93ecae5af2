/** Every message of a conversation over lines is valid for its revision, by the official schemas. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import { Catalog } from "@needful/mcp";
import { faults } from "../era/legacy/schema.ts";
import type { Wire } from "./fixture.ts";
import { accept, all, answer, initialize, tool, withAsking } from "./stdio_asking.ts";
import { cancelled, legacy, notification } from "./stdio_kit.ts";

const requests: { readonly [method: string]: string } = {
  "elicitation/create": "ElicitRequest",
  "sampling/createMessage": "CreateMessageRequest",
  "roots/list": "ListRootsRequest",
};

const notifications: { readonly [method: string]: string } = {
  "notifications/progress": "ProgressNotification",
  "notifications/message": "LoggingMessageNotification",
  "notifications/cancelled": "CancelledNotification",
  "notifications/tools/list_changed": "ToolListChangedNotification",
  "notifications/resources/updated": "ResourceUpdatedNotification",
  "notifications/elicitation/complete": "ElicitationCompleteNotification",
};

/** Members that came with 2026-07-28. */
const modernMembers = [
  "resultType",
  "ttlMs",
  "cacheScope",
  "inputRequests",
  "requestState",
  "io.modelcontextprotocol/",
];

for (const revision of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
  const elicits = revision === "2025-11-25" || revision === "2025-06-18";

  describe(`a conversation in ${revision}`, () => {
    test("serve: initialize, lists, calls, asks, notices and cancellation are valid messages", () =>
      withAsking(async (line) => {
        /** The next message, which has to be valid; its result as `definition` if it is one. */
        const next = async (definition?: string): Promise<Wire> => {
          const message = await line.next();
          const kind = message.method === undefined
            ? "JSONRPCResponse"
            : message.id === undefined
            ? "JSONRPCNotification"
            : "JSONRPCRequest";
          const text = JSON.stringify(message);
          assertEquals(faults(revision, message.error === undefined ? kind : "JSONRPCError", message), [], text);
          const name = requests[message.method] ?? notifications[message.method];
          if (name !== undefined) assertEquals(faults(revision, name, message), [], text);
          if (definition !== undefined) assertEquals(faults(revision, definition, message.result), [], text);
          for (const member of modernMembers) assert(!text.includes(`"${member}`), text);
          return message;
        };

        line.send(initialize(revision, all));
        assertEquals((await next("InitializeResult")).result.protocolVersion, revision);
        line.send(notification("initialized"), legacy(1, "ping"));
        await next("EmptyResult");

        const lists = [
          ["tools/list", "ListToolsResult"],
          ["resources/list", "ListResourcesResult"],
          ["resources/templates/list", "ListResourceTemplatesResult"],
          ["prompts/list", "ListPromptsResult"],
        ] as const;
        for (const [method, definition] of lists) {
          line.send(legacy(method, method));
          assertEquals((await next(definition)).id, method);
        }
        line.send(tool(2, "number"));
        const number = await next("CallToolResult");
        // A number is no structured content before 2026-07-28
        assertEquals(number.result, { content: [{ type: "text", text: "7" }] });
        line.send(
          legacy(3, "resources/read", { uri: "note://one" }),
          legacy(4, "resources/read", { uri: "note://no" }),
        );
        await next("ReadResourceResult");
        assertEquals((await next()).error.code, -32002);

        // The model is asked in all of them
        line.send(tool(5, "poem"));
        const poem = await next();
        assertEquals(poem.method, "sampling/createMessage");
        line.send(answer(poem, { role: "assistant", model: "m", content: { type: "text", text: "x" } }));
        await next("CallToolResult");

        line.send(
          legacy(6, "logging/setLevel", { level: "info" }),
          legacy(7, "resources/subscribe", { uri: "note://one" }),
        );
        await next("EmptyResult");
        await next("EmptyResult");
        await line.change(Catalog.resourceUpdated("note://one"));
        assertEquals((await next()).method, "notifications/resources/updated");
        await line.change(Catalog.removeTool("again"));
        await line.pass("100 millis");
        assertEquals((await next()).method, "notifications/tools/list_changed");

        line.send(tool(8, "talk", { _meta: { progressToken: "p" } }));
        assertEquals([(await next()).params.level, (await next()).params.level], ["info", "error"]);
        const { params } = await next();
        assertEquals(Object.hasOwn(params, "message"), revision !== "2024-11-05");
        if (!elicits) {
          assertEquals((await next("CallToolResult")).result.isError, true);
          line.send(tool(9, "poem"));
        }
        const question = await next();
        line.send(cancelled(elicits ? 8 : 9));
        assertEquals((await next()).params.requestId, question.id);
        if (elicits) {
          line.send(tool(10, "ask"));
          line.send(accept(await next(), { name: "Ada" }));
          await next("CallToolResult");
        }
        if (revision === "2025-11-25") {
          line.send(tool(11, "page"));
          line.send(answer(await next(), { action: "accept" }));
          assertEquals((await next()).method, "notifications/elicitation/complete");
          await next("CallToolResult");
        }
        line.send(legacy(12, "nope/nope"));
        assertEquals((await next()).error.code, -32601);
        assertEquals(line.rest(), []);
      }));
  });
}
