/** Case B33: what a model says comes as one list, whatever the client sends. The legacy refusal is not here. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import { McpServer, Need, Tool } from "@needful/mcp";
import { counter } from "./fixtures.ts";
import { inProcess } from "./serve.ts";
import { again, ANY, asks, call, completes, type Json, send } from "./wire.ts";

const text = (text: string): Json => ({ type: "text", text });
const said = (content: unknown, more: Json = {}): Json => ({ role: "assistant", model: "m", content, ...more });
const prompt = { role: "user", content: { type: "text", text: "What is the weather?" } } as const;
const weather = { name: "weather", inputSchema: { type: "object", properties: { city: { type: "string" } } } } as const;

describe("B33: a model's answer", () => {
  const plain = Tool.make("plain", {
    description: "Asks the model",
    handler: () =>
      Effect.map(Need.sample("s", { messages: [prompt], maxTokens: 9 }), (sample) => JSON.stringify(sample)),
  });

  for (
    const [name, answer, expected] of [
      ["one block", said(text("Sun")), { role: "assistant", model: "m", content: [text("Sun")] }],
      ["a list of one", said([text("Sun")]), { role: "assistant", model: "m", content: [text("Sun")] }],
      ["several blocks", said([text("Sun"), text("Rain")], { stopReason: "endTurn" }), {
        role: "assistant",
        model: "m",
        stopReason: "endTurn",
        content: [text("Sun"), text("Rain")],
      }],
      ["an image", said({ type: "image", data: "AAAA", mimeType: "image/png" }), {
        role: "assistant",
        model: "m",
        content: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
      }],
      ["a reason to stop that nobody knows", said(text("Sun"), { stopReason: "vendor.x" }), {
        role: "assistant",
        model: "m",
        stopReason: "vendor.x",
        content: [text("Sun")],
      }],
    ] as const
  ) {
    test(`B33: ${name} is a list for the author`, () =>
      inProcess(McpServer.make({ name: "plain", version: "1", tools: [plain] }), async (target) => {
        const first = call("plain", {}, ANY);
        const { state } = asks(await send(target, first), "s");
        completes(
          await send(target, again(first, { inputResponses: { s: answer }, requestState: state })),
          JSON.stringify(expected),
        );
      }));
  }

  test("B33: each use of a tool can be answered in the next round", () => {
    const runs = counter();
    const agent = Tool.make("agent", {
      description: "Lets the model use a tool",
      handler: Effect.fnUntraced(function* () {
        yield* runs.count("agent");
        const first = yield* Need.sample("first", { messages: [prompt], maxTokens: 9, tools: [weather] });
        const uses = first.content.filter((block) => block.type === "tool_use");
        const results = uses.map(({ id, input }) => ({
          type: "tool_result" as const,
          toolUseId: id,
          content: [{ type: "text" as const, text: `Sun in ${input["city"]}` }],
        }));
        const second = yield* Need.sample("second", {
          messages: [prompt, { role: "assistant", content: first.content }, { role: "user", content: results }],
          maxTokens: 9,
          tools: [weather],
        });
        return second.content.map((block) => block.type === "text" ? block.text : "").join();
      }),
    });
    return inProcess(McpServer.make({ name: "agent", version: "1", tools: [agent] }), async (target) => {
      const first = call("agent", {}, ANY);
      const one = asks(await send(target, first), "first");
      assertEquals(one.requests["first"], {
        method: "sampling/createMessage",
        params: { messages: [prompt], maxTokens: 9, tools: [weather] },
      });
      const use = (id: string, city: string): Json => ({ type: "tool_use", id, name: "weather", input: { city } });
      const uses = [use("u1", "Bonn"), use("u2", "Köln")];
      const answer = { first: said(uses, { stopReason: "toolUse" }) };
      const two = asks(await send(target, again(first, { inputResponses: answer, requestState: one.state })), "second");
      assertEquals(two.requests["second"]?.params["messages"], [
        prompt,
        { role: "assistant", content: uses },
        {
          role: "user",
          content: [
            { type: "tool_result", toolUseId: "u1", content: [text("Sun in Bonn")] },
            { type: "tool_result", toolUseId: "u2", content: [text("Sun in Köln")] },
          ],
        },
      ]);
      const last = { inputResponses: { second: said(text("Sun everywhere")) }, requestState: two.state };
      completes(await send(target, again(first, last)), "Sun everywhere");
      assertEquals(runs.of("agent"), 3);
    });
  });

  test("B33: a client that never comes back leaves nothing that waits: the next call begins anew", () =>
    inProcess(McpServer.make({ name: "plain", version: "1", tools: [plain] }), async (target) => {
      const states = new Set<string>();
      for (let i = 0; i < 3; i++) states.add(asks(await send(target, call("plain", {}, ANY)), "s").state);
      assertEquals(states.size, 3);
    }));
});
