/** Every message of a conversation over HTTP is valid for its revision; batches are of one revision alone. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import { Catalog } from "@needful/mcp";
import { faultsOf } from "../messages.ts";
import type { Wire } from "./fixture.ts";
import { Client, notification, outcome, request, settle, tool, withAsking } from "./legacy_kit.ts";

for (const revision of ["2025-11-25", "2025-06-18", "2025-03-26"]) {
  describe(`a conversation in ${revision}`, () => {
    test("messages: initialize, lists, calls, asks, notices, changes and cancellation are valid ones", () =>
      withAsking(async ({ change, fetch, pass }) => {
        /** The message, which has to be valid. */
        const valid = (message: Wire, method?: string): Wire => {
          assertEquals(faultsOf(revision, message, method), [], JSON.stringify(message));
          return message;
        };
        const client = await Client.open(fetch, { revision });
        assertEquals(client.revision, revision);
        valid({ jsonrpc: "2.0", id: 1, result: client.server }, "initialize");
        const one = async (message: Wire): Promise<Wire> => {
          const { last } = await client.send(message);
          assertEquals(last.id, message.id);
          return valid(last, message.method);
        };

        const lists = ["tools", "resources", "resources/templates", "prompts"].map((kind) => `${kind}/list`);
        for (const method of ["ping", ...lists]) await one(request(method));
        // A number is no structured content before 2026-07-28
        assertEquals((await one(tool("number"))).result, { content: [{ type: "text", text: "7" }] });
        await one(request("resources/read", { uri: "note://one" }));
        assertEquals((await one(request("resources/read", { uri: "note://no" }))).error.code, -32002);
        assertEquals((await one(request("nope/nope"))).error.code, -32601);
        await one(request("logging/setLevel", { level: "info" }));
        await one(request("resources/subscribe", { uri: "note://one" }));

        const get = await client.listen();
        await change(Catalog.resourceUpdated("note://one"));
        assertEquals(valid(await get.next()).method, "notifications/resources/updated");
        await change(Catalog.removeTool("again"));
        await pass("100 millis");
        assertEquals(valid(await get.next()).method, "notifications/tools/list_changed");

        // The model is asked in all of them
        const poem = await client.stream(tool("poem"));
        const asked = valid(await poem.next());
        assertEquals(asked.method, "sampling/createMessage");
        await client.answer(asked, { role: "assistant", model: "m", content: { type: "text", text: "x" } });
        valid(await poem.next(), "tools/call");

        const talk = await client.stream(tool("talk", { _meta: { progressToken: "p" } }));
        for (const level of ["info", "error"]) assertEquals(valid(await talk.next()).params.level, level);
        assertEquals(valid(await talk.next()).params.message, "half");
        const question = valid(await talk.next(), "tools/call");
        if (revision === "2025-03-26") {
          assertEquals(question.result.isError, true);
        } else {
          await pass("15 seconds");
          assertEquals(valid(await talk.next()).method, "notifications/progress");
          await client.accept(question, { name: "Ada" });
          assertEquals(valid(await talk.next()).params.progress, 1.5);
          valid(await talk.next(), "tools/call");
        }
        const page = await client.stream(tool("page"), { accept: "text/event-stream" });
        const url = valid(await page.next(), "tools/call");
        if (revision === "2025-11-25") {
          await client.answer(url, { action: "accept" });
          assertEquals(valid(await page.next()).method, "notifications/elicitation/complete");
          valid(await page.next(), "tools/call");
        } else {
          assertEquals(url.result.isError, true);
        }
        const cancelled = await client.stream(tool("poem", {}, "x"));
        const { id } = valid(await cancelled.next());
        await client.cancel("x");
        assertEquals(valid(await cancelled.next()).params.requestId, id);
        assertEquals(await cancelled.next(), undefined);
        await get.leave();
      }));
  });
}

describe("batches", () => {
  test("batch: of 2025-03-26 is answered by an array with the responses to its requests", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch, { revision: "2025-03-26" });
      const items = [
        tool("number", {}, 1),
        notification("nope"),
        { jsonrpc: "2.0", id: 2 },
        request("ping", {}, "3"),
        request("nope", {}, 4),
        { jsonrpc: "2.0", id: 99, result: {} },
      ];
      const { last, status, streamed } = await client.send(items);
      assertEquals([status, streamed], [200, false]);
      const replies = last.map(({ error, id }: Wire) => `${JSON.stringify(id)} ${error?.code ?? "ok"}`);
      assertEquals(replies.sort(), ['"3" ok', "1 ok", "2 -32600", "4 -32601"]);
    }));

  test("batch: a call in it asks on the one stream, one of it can be cancelled, the others are answered", () =>
    withAsking(async ({ fetch }, { ran }) => {
      const client = await Client.open(fetch, { revision: "2025-03-26" });
      const stream = await client.stream([tool("poem", {}, 1), tool("wait", {}, 2), tool("number", {}, 3)]);
      const poem = await stream.next();
      assertEquals(poem.method, "sampling/createMessage");
      assertEquals(await client.cancel(2), 202);
      assertEquals(ran, ["interrupted"]);
      await client.answer(poem, { role: "assistant", model: "m", content: { type: "text", text: "x" } });
      const replies = await stream.next();
      assertEquals(replies.map(({ id }: Wire) => id).sort(), [1, 3]);
      assertEquals(await stream.next(), undefined);
    }));

  test("batch: that asks for nothing is accepted; one of which all is cancelled ends without a word", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch, { revision: "2025-03-26", ready: false });
      assertEquals(
        outcome(await client.send([notification("initialized"), { jsonrpc: "2.0", id: 1, result: {} }])),
        "202/empty",
      );
      const reply = client.send([tool("wait", {}, 1)]);
      await settle();
      await client.send([notification("cancelled", { requestId: 1 })]);
      assertEquals((await reply).messages, []);
    }));

  test("batch: is refused where it is empty, has a modern message or initialize, or is too long", () =>
    withAsking(async ({ fetch }, { ran }) => {
      const client = await Client.open(fetch, { revision: "2025-03-26" });
      const modern = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
      const batches = [
        [],
        [tool("wait"), request("tools/list", modern)],
        [tool("wait"), request("initialize")],
        Array.from({ length: 1001 }, () => request("ping")),
      ];
      for (const batch of batches) {
        const refused = await client.send(batch);
        // Only this old one wants an id, which nobody has
        assertEquals([outcome(refused), refused.last.id, ran], ["400/-32600", null, []]);
      }
    }));

  test("batch: is refused in every other revision", () =>
    withAsking(async ({ fetch }) => {
      for (const revision of ["2025-11-25", "2025-06-18"]) {
        const client = await Client.open(fetch, { revision });
        assertEquals(outcome(await client.send([request("ping")])), "400/-32600");
      }
    }));
});
