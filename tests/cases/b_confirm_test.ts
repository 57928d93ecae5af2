/**
 * Cases B22 and B26: a yes is a yes to this question, and everything else is none. The parts about legacy clients
 * (time-outs, closed streams, refusals with -32601) are not here.
 */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { counter, drop, pay } from "./fixtures.ts";
import { bothWays, inProcess } from "./serve.ts";
import {
  accept,
  again,
  ANY,
  asks,
  call,
  cancel,
  completes,
  decline,
  fails,
  FORM,
  type Json,
  type Reply,
  send,
} from "./wire.ts";

describe("B22: a confirmation fails closed", () => {
  const outcomes: ReadonlyArray<readonly [string, unknown, "dropped" | "kept" | "asked again"]> = [
    ["accept with ok true", accept({ ok: true }), "dropped"],
    ["accept with ok false", accept({ ok: false }), "kept"],
    ["decline", decline, "kept"],
    ["decline that says ok", { action: "decline", content: { ok: true } }, "kept"],
    ["cancel", cancel, "kept"],
    ["cancel that says ok", { action: "cancel", content: { ok: true } }, "kept"],
    ["accept without content", accept(), "asked again"],
    ["accept with empty content", accept({}), "asked again"],
    ["accept with another field", accept({ yes: true }), "asked again"],
    ["accept with ok as a text", accept({ ok: "true" }), "asked again"],
    ["accept with ok as a number", accept({ ok: 1 }), "asked again"],
    ["accept with ok null", accept({ ok: null }), "asked again"],
    ["accept with ok a list", accept({ ok: [true] }), "asked again"],
    [
      "accept with ok on a prototype",
      JSON.parse('{"action":"accept","content":{"__proto__":{"ok":true}}}'),
      "asked again",
    ],
    ["content without an action", { content: { ok: true } }, "asked again"],
    ["another action", { action: "submit", content: { ok: true } }, "asked again"],
    ["an action of another case", { action: "ACCEPT", content: { ok: true } }, "asked again"],
    ["true", true, "asked again"],
    ["the bare content", { ok: true }, "asked again"],
    ["null", null, "asked again"],
  ];
  for (const [name, answer, outcome] of outcomes) {
    test(`B22: ${name}: ${outcome}`, () => {
      const runs = counter();
      return inProcess(McpServer.make({ name: "drop", version: "1", tools: [drop(runs)] }), async (target) => {
        const first = call("drop", {}, FORM);
        const { state } = asks(await send(target, first), "sure");
        const reply = await send(target, again(first, { inputResponses: { sure: answer }, requestState: state }));
        if (outcome === "asked again") asks(reply, "sure");
        else completes(reply, outcome === "dropped" ? "Dropped" : "Kept");
        assertEquals(runs.of("dropped"), outcome === "dropped" ? 1 : 0);
      });
    });
  }

  test("B22: a client that cannot be asked is refused, however it lacks the capability, and nothing happens", async () => {
    const runs = counter();
    await bothWays(() => McpServer.make({ name: "drop", version: "1", tools: [drop(runs)] }), async (target) => {
      for (
        const caps of [{}, { elicitation: { url: {} } }, { sampling: {}, roots: {} }, {
          experimental: { elicitation: {} },
        }]
      ) {
        fails(await send(target, call("drop", {}, caps)), 400, -32021);
        fails(
          await send(target, call("drop", {}, caps, { inputResponses: { sure: accept({ ok: true }) } })),
          400,
          -32021,
        );
      }
      assertEquals(runs.of("dropped"), 0);
    });
  });

  test("B22: a yes with a state that was tampered with, or with one of another call, counts for nothing", () => {
    const runs = counter();
    const server = McpServer.make({ name: "drop", version: "1", tools: [drop(runs), pay(runs)] });
    return inProcess(server, async (target) => {
      const yes = { sure: accept({ ok: true }), confirm: accept({ ok: true }) };
      const first = call("drop", {}, FORM);
      const { state } = asks(await send(target, first), "sure");
      const other = asks(await send(target, call("pay", { amount: 500 }, FORM)), "confirm");
      for (const bad of [`${state}A`, state.slice(0, -1), other.state, "", 1, null]) {
        fails(await send(target, again(first, { inputResponses: yes, requestState: bad })), 200, -32602);
      }
      const dear = call("pay", { amount: 5_000_000 }, FORM);
      fails(await send(target, again(dear, { inputResponses: yes, requestState: other.state })), 200, -32602);
      assertEquals([runs.of("dropped"), runs.of("paid")], [0, 0]);
    });
  });

  test("B22: what an author catches around a confirmation is never the lack of it", () => {
    const runs = counter();
    const careless = Tool.make("careless", {
      description: "Takes every failure for a client that cannot be asked",
      handler: () =>
        Need.confirm("sure", "Drop everything?").pipe(
          Effect.catchCause(() => Effect.succeed(true)),
          Effect.orElseSucceed(() => true),
          Effect.flatMap((ok) => ok ? Effect.as(runs.count("dropped"), "Dropped") : Effect.succeed("Kept")),
        ),
    });
    return inProcess(McpServer.make({ name: "careless", version: "1", tools: [careless] }), async (target) => {
      fails(await send(target, call("careless")), 400, -32021);
      const first = call("careless", {}, FORM);
      const { state } = asks(await send(target, first), "sure");
      const no = (answer: Json) =>
        send(target, again(first, { inputResponses: { sure: answer }, requestState: state }));
      for (const answer of [decline, cancel, accept({ ok: false })]) completes(await no(answer), "Kept");
      assertEquals(runs.of("dropped"), 0);
    });
  });

  test("B22: a refusal left unhandled ends the call in an error result that says what was declined", () => {
    const strict = Tool.make("strict", {
      description: "Asks for consent",
      handler: () => Effect.as(Need.elicit("consent", { message: "Agreed?", schema: Schema.Struct({}) }), "agreed"),
    });
    return inProcess(McpServer.make({ name: "strict", version: "1", tools: [strict] }), async (target) => {
      const first = call("strict", {}, FORM);
      const { state } = asks(await send(target, first), "consent");
      const said: Array<string> = [];
      for (const answer of [decline, cancel]) {
        const reply = await send(target, again(first, { inputResponses: { consent: answer }, requestState: state }));
        assertEquals(
          [reply.status, reply.result?.resultType, reply.result?.isError],
          [200, "complete", true],
          reply.text,
        );
        said.push(reply.result?.content?.[0]?.text ?? "");
      }
      assert(said.every((text) => text.includes("consent")) && said[0] !== said[1], said.join());
    });
  });
});

describe("B26: forms without fields", () => {
  for (
    const [name, schema] of [
      ["an empty Effect struct", Schema.Struct({})],
      ["an empty JSON Schema", { type: "object", properties: {} }],
    ] as const
  ) {
    test(`B26: ${name} is an empty object on the wire, and both kinds of accept are a yes`, () => {
      const tool = Tool.make("agree", {
        description: "Asks for a bare yes",
        handler: () =>
          Effect.map(Need.elicit("agree", { message: "Agreed?", schema }), (content) => JSON.stringify(content)),
      });
      return inProcess(McpServer.make({ name: "agree", version: "1", tools: [tool] }), async (target) => {
        const first = call("agree", {}, FORM);
        const { requests, state } = asks(await send(target, first), "agree");
        assertEquals(requests["agree"]?.params, {
          message: "Agreed?",
          requestedSchema: { type: "object", properties: {} },
        });
        const answer = (answer: unknown): Promise<Reply> =>
          send(target, again(first, { inputResponses: { agree: answer }, requestState: state }));
        completes(await answer(accept()), "{}");
        completes(await answer(accept({})), "{}");
        for (const bad of [accept(null), accept([]), accept("x"), {}]) asks(await answer(bad), "agree");
      });
    });
  }

  test("B26: a client that may render no empty form can be asked with one boolean", () => {
    const tool = Tool.make("agree", {
      description: "Asks for a yes",
      handler: () => Effect.map(Need.confirm("agree", "Agreed?"), (yes) => `${yes}`),
    });
    return inProcess(McpServer.make({ name: "agree", version: "1", tools: [tool] }), async (target) => {
      const { requests } = asks(await send(target, call("agree", {}, ANY)), "agree");
      const schema = requests["agree"]?.params["requestedSchema"] as Json;
      assertEquals([schema["required"], Object.keys(schema["properties"] as Json)], [["ok"], ["ok"]]);
    });
  });
});
