/** Case B05: answers to questions that this flow did not ask. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { askChain, askName, counter, Name, pay, saidText, who } from "./fixtures.ts";
import { inProcess } from "./serve.ts";
import { accept, again, ANY, asks, call, completes, decline, FORM, type Json, send } from "./wire.ts";

const serve = <E extends Tool.Errors, R extends Need.Elicitation | Need.Sampling | Need.Roots | Need.Flow>(
  handler: Effect.Effect<string, E, R>,
) =>
  McpServer.make({
    name: "asks",
    version: "1",
    tools: [Tool.make("asks", { description: "Asks", handler: () => handler })],
  });

describe("B05: volunteered answers", () => {
  test("B05: an answer that the handler does not ask for is ignored (MRTR, error handling)", () => {
    const runs = counter();
    return inProcess(McpServer.make({ name: "pay", version: "1", tools: [pay(runs)] }), async (target) => {
      completes(
        await send(target, call("pay", { amount: 50 }, FORM, { inputResponses: { confirm: decline } })),
        "Paid 50",
      );
      assertEquals([runs.of("pay"), runs.of("paid")], [1, 1]);
    });
  });

  test("B05: a confirmation cannot be given before it is asked for, nor by a key that only looks the same", () => {
    const runs = counter();
    return inProcess(McpServer.make({ name: "pay", version: "1", tools: [pay(runs)] }), async (target) => {
      const yes = accept({ ok: true });
      const first = call("pay", { amount: 500 }, FORM, { inputResponses: { confirm: yes } });
      const { requests, state } = asks(await send(target, first), "confirm");
      assertEquals(requests["confirm"]?.params["requestedSchema"], {
        type: "object",
        properties: { ok: { type: "boolean", title: "Yes" } },
        required: ["ok"],
      });
      for (const key of ["Confirm", "confirm ", "0", "__proto__"]) {
        const responses = JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(yes)}}`) as Json;
        asks(await send(target, again(first, { inputResponses: responses, requestState: state })), "confirm");
      }
      assertEquals(runs.of("paid"), 0);
      completes(
        await send(target, again(first, { inputResponses: { confirm: yes }, requestState: state })),
        "Paid 500",
      );
      assertEquals(runs.of("paid"), 1);
    });
  });

  test("B05: a valid volunteered form saves the round trip, unless the author demands an answer to his question", () => {
    const open = serve(Effect.map(who, ({ name }) => `Hello ${name}`));
    const strict = serve(
      Effect.map(
        Need.elicit("who", { message: "Who are you?", schema: Name, mustAsk: true }),
        ({ name }) => `Hello ${name}`,
      ),
    );
    const first = () => call("asks", {}, FORM, { inputResponses: { who: accept({ name: "Ada" }) } });
    return inProcess(open, async (target) => completes(await send(target, first()), "Hello Ada")).then(() =>
      inProcess(strict, async (target) => {
        const body = first();
        const { state } = asks(await send(target, body), "who");
        completes(await send(target, again(body, { requestState: state })), "Hello Ada");
      })
    );
  });

  test("B05: an invalid volunteered form is asked for", () =>
    inProcess(serve(Effect.map(who, ({ name }) => name)), async (target) => {
      for (const bad of [accept({ name: 7 }), accept({}), accept(), { name: "Ada" }, 1, null, [], "x"]) {
        asks(await send(target, call("asks", {}, FORM, { inputResponses: { who: bad } })), "who");
      }
    }));

  test("B05: a volunteered choice is used if it is one of the options", () => {
    const size = Need.choose("size", { message: "Which size?", options: ["s", "m"] });
    return inProcess(serve(size), async (target) => {
      const first = (choice: unknown) => call("asks", {}, FORM, { inputResponses: { size: accept({ choice }) } });
      completes(await send(target, first("m")), "m");
      for (const choice of ["xl", ["m"], "toString", null]) asks(await send(target, first(choice)), "size");
    });
  });

  const url = Need.elicitUrl("page", {
    message: "Go there",
    url: "https://example.com/there",
    done: Effect.succeed(Option.some("done")),
  });
  const sampled = Need.sample("poem", {
    messages: [{ role: "user", content: { type: "text", text: "A poem" } }],
    maxTokens: 10,
  });
  const cases: ReadonlyArray<readonly [string, ReturnType<typeof serve>, string, Json]> = [
    ["a page", serve(url), "page", accept()],
    ["a model's answer", serve(Effect.map(sampled, saidText)), "poem", {
      role: "assistant",
      model: "m",
      content: { type: "text", text: "Roses" },
    }],
    ["roots", serve(Effect.map(Need.roots(), (roots) => `${roots.length}`)), "roots", { roots: [] }],
  ];
  for (const [name, server, key, answer] of cases) {
    test(`B05: ${name} that nobody asked for does not count`, () =>
      inProcess(server, async (target) => {
        asks(await send(target, call("asks", {}, ANY, { inputResponses: { [key]: answer } })), key);
      }));
  }

  test("B05: with a state, an answer counts only for a question that this flow has put", () => {
    const runs = counter();
    return inProcess(McpServer.make({ name: "chain", version: "1", tools: [askChain(runs)] }), async (target) => {
      const first = call("ask_chain", undefined, FORM);
      const one = asks(await send(target, first), "a");
      const both = { a: accept({ v: "1" }), b: accept({ v: "early" }) };
      const two = asks(await send(target, again(first, { inputResponses: both, requestState: one.state })), "b");
      // The answer that was given stays: it is sealed, and steps may already depend on it
      const late = { a: accept({ v: "changed" }), b: accept({ v: "2" }) };
      completes(await send(target, again(first, { inputResponses: late, requestState: two.state })), "1 2");
    });
  });

  test("B05: a state of one flow does not make the answers of another count", () =>
    inProcess(McpServer.make({ name: "name", version: "1", tools: [askName(counter())] }), async (target) => {
      const first = call("ask_name", {}, FORM);
      const one = asks(await send(target, first), "who");
      const other = asks(await send(target, again(first, {})), "who");
      assertEquals(one.state === other.state, false);
      // Each flow has an id of its own, sealed: equal calls are not equal flows
      const responses = { inputResponses: { who: accept({ name: "Ada" }) } };
      completes(await send(target, again(first, { ...responses, requestState: one.state })), "Hello Ada");
      completes(await send(target, again(first, { ...responses, requestState: other.state })), "Hello Ada");
    }));

  test("B05: no server-computed value is replaced by a recorded answer", () => {
    const server = McpServer.make({
      name: "steps",
      version: "1",
      tools: [
        Tool.make("asks", {
          description: "Computes, then asks",
          handler: Effect.fnUntraced(function* () {
            const price = yield* Need.once("price", Effect.succeed(42), Schema.Finite);
            const { name } = yield* who;
            return `${name} pays ${price}`;
          }),
        }),
      ],
    });
    return inProcess(server, async (target) => {
      const first = call("asks", {}, FORM, { inputResponses: { price: accept({ value: 0 }) } });
      const { state } = asks(await send(target, first), "who");
      const responses = { price: 0, who: accept({ name: "Ada" }), steps: { price: 0 }, "once:price": 0 };
      completes(await send(target, again(first, { inputResponses: responses, requestState: state })), "Ada pays 42");
    });
  });
});
