/** Every message of a conversation over lines is valid for its revision, by the official schemas. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { Catalog } from "@needful/mcp";
import { faultsOf } from "../messages.ts";
import type { Wire } from "./fixture.ts";
import { accept, all, answer, initialize, tool, withAsking } from "./stdio_asking.ts";
import { cancelled, legacy, notification } from "./stdio_kit.ts";

for (const revision of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
  const elicits = revision === "2025-11-25" || revision === "2025-06-18";

  describe(`a conversation in ${revision}`, () => {
    test("serve: initialize, lists, calls, asks, notices and cancellation are valid messages", () =>
      withAsking(async (line) => {
        /** The next message, which has to be valid; the reply to `method` if it is one. */
        const next = async (method?: string): Promise<Wire> => {
          const message = await line.next();
          assertEquals(faultsOf(revision, message, method), [], JSON.stringify(message));
          return message;
        };

        line.send(initialize(revision, all));
        assertEquals((await next("initialize")).result.protocolVersion, revision);
        line.send(notification("initialized"), legacy(1, "ping"));
        await next("ping");

        for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]) {
          line.send(legacy(method, method));
          assertEquals((await next(method)).id, method);
        }
        line.send(tool(2, "number"));
        const number = await next("tools/call");
        // A number is no structured content before 2026-07-28
        assertEquals(number.result, { content: [{ type: "text", text: "7" }] });
        line.send(
          legacy(3, "resources/read", { uri: "note://one" }),
          legacy(4, "resources/read", { uri: "note://no" }),
        );
        await next("resources/read");
        assertEquals((await next()).error.code, -32002);

        // The model is asked in all of them
        line.send(tool(5, "poem"));
        const poem = await next();
        assertEquals(poem.method, "sampling/createMessage");
        line.send(answer(poem, { role: "assistant", model: "m", content: { type: "text", text: "x" } }));
        await next("tools/call");

        line.send(
          legacy(6, "logging/setLevel", { level: "info" }),
          legacy(7, "resources/subscribe", { uri: "note://one" }),
        );
        await next("logging/setLevel");
        await next("resources/subscribe");
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
          assertEquals((await next("tools/call")).result.isError, true);
          line.send(tool(9, "poem"));
        }
        const question = await next();
        line.send(cancelled(elicits ? 8 : 9));
        assertEquals((await next()).params.requestId, question.id);
        if (elicits) {
          line.send(tool(10, "ask"));
          line.send(accept(await next(), { name: "Ada" }));
          await next("tools/call");
        }
        if (revision === "2025-11-25") {
          line.send(tool(11, "page"));
          line.send(answer(await next(), { action: "accept" }));
          assertEquals((await next()).method, "notifications/elicitation/complete");
          await next("tools/call");
        }
        line.send(legacy(12, "nope/nope"));
        assertEquals((await next()).error.code, -32601);
        assertEquals(line.rest(), []);
      }));
  });
}
