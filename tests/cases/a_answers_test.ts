/**
 * Cases B12, B13 and B15: what counts as an answer. What does not is asked again, with the reason before the message
 * (section 3, rule 5 of the design); it never reaches the handler.
 */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Need, Tool } from "@needful/mcp";
import { alike, askChain, askName, askTwo, type Counter, counter, saidText, who } from "./fixtures.ts";
import { bothWays, inProcess } from "./serve.ts";
import {
  accept,
  again,
  ANY,
  asks,
  type Body,
  call,
  cancel,
  completes,
  decline,
  fails,
  FORM,
  type Json,
  prompt,
  read,
  type Reply,
  send,
  type Target,
} from "./wire.ts";

type Asks = Need.Elicitation | Need.Sampling | Need.Roots | Need.Flow;

/** A server whose one tool gives what `handler` gives as JSON; counts how often it got past its needs. */
const serve = <A, R extends Asks>(
  past: Counter,
  handler: Effect.Effect<A, Need.Declined | Need.Cancelled | Need.Refused, R>,
) =>
  McpServer.make({
    name: "answers",
    version: "1",
    tools: [
      Tool.make("asks", {
        description: "Asks",
        handler: () =>
          Effect.tap(handler, () => past.count("past")).pipe(
            Effect.map((value) => JSON.stringify(value)),
            Effect.catchTags({
              Declined: ({ key }) => Effect.succeed(`declined ${key}`),
              Cancelled: ({ key }) => Effect.succeed(`cancelled ${key}`),
            }),
          ),
      }),
    ],
  });

/** Asks, and comes back with `responses`. */
const comeBack = async (
  target: Target,
  responses: unknown,
  caps: Json = FORM,
  first: Body = call("asks", {}, caps),
): Promise<Reply> => {
  const { state } = asks(await send(target, first), ...Object.keys((await send(target, first)).result!.inputRequests!));
  return await send(target, again(first, { inputResponses: responses, requestState: state }));
};

/** Fails unless the question of `key` came again, with a reason before its `message`. */
const askedAgain = (reply: Reply, key: string, message: string): void => {
  const { requests } = asks(reply, key);
  const said = String(requests[key]!.params["message"]);
  assert(said.endsWith(message) && said.length > message.length, said);
};

describe("B12: the envelope of a form's answer", () => {
  test("B12: action and content together are an answer, content alone is none", async () => {
    const runs = counter();
    await bothWays(() => McpServer.make({ name: "name", version: "1", tools: [askName(runs)] }), async (target) => {
      const first = () => call("ask_name", {}, FORM);
      completes(await comeBack(target, { who: accept({ name: "Ada" }) }, FORM, first()), "Hello Ada");
      for (
        const bad of [{ name: "Ada" }, accept({ name: 7 }), accept(), accept({}), accept({ who: { name: "Ada" } })]
      ) {
        askedAgain(await comeBack(target, { who: bad }, FORM, first()), "who", "Who are you?");
      }
    });
  });

  test("B12: an answer asked again counts once it is valid, and the reason is that of the last try", () =>
    inProcess(McpServer.make({ name: "name", version: "1", tools: [askName(counter())] }), async (target) => {
      const first = call("ask_name", {}, FORM);
      let { state } = asks(await send(target, first), "who");
      const tries: ReadonlyArray<unknown> = [accept({ name: 7 }), accept(), accept({ name: null })];
      for (const bad of tries) {
        const reply = await send(target, again(first, { inputResponses: { who: bad }, requestState: state }));
        askedAgain(reply, "who", "Who are you?");
        const said = String(reply.result!.inputRequests!["who"]!.params["message"]);
        assertEquals(said.split("\n\n").length, 2, said);
        state = reply.result!.requestState!;
      }
      const last = again(first, { inputResponses: { who: accept({ name: "Ada" }) }, requestState: state });
      completes(await send(target, last), "Hello Ada");
    }));

  test("B12: prompts and resources read the envelope alike", () => {
    const greet = Effect.map(who, ({ name }) => `Hello ${name}`);
    return inProcess(alike(greet), async (target) => {
      for (const first of [prompt("p", {}, FORM), read("note:///r", FORM)]) {
        askedAgain(await comeBack(target, { who: { name: "Ada" } }, FORM, first), "who", "Who are you?");
        const reply = await comeBack(target, { who: accept({ name: "Ada" }) }, FORM, first);
        assertEquals(reply.result?.resultType, "complete");
        // Declines have no result of their own here (section 3, rule 2)
        for (const [no, action] of [[decline, "decline"], [cancel, "cancel"]] as const) {
          const error = fails(await comeBack(target, { who: no }, FORM, first), 200, -32603);
          assertEquals(error.data, { key: "who", action });
        }
      }
    });
  });
});

const sampled = Need.sample("poem", {
  messages: [{ role: "user", content: { type: "text", text: "A poem" } }],
  maxTokens: 10,
});
const block = { type: "text", text: "Roses" };
const message = { role: "assistant", model: "m", stopReason: "endTurn" };

describe("B13: the shape of an answer", () => {
  const good: ReadonlyArray<readonly [string, ReturnType<typeof serve>, Json, unknown, string]> = [
    ["a decline", serve(counter(), who), { who: decline }, FORM, "declined who"],
    ["a cancel", serve(counter(), who), { who: cancel }, FORM, "cancelled who"],
    [
      "a decline with content",
      serve(counter(), who),
      { who: { ...decline, content: { name: 1 } } },
      FORM,
      "declined who",
    ],
    [
      "an unknown field beside",
      serve(counter(), who),
      { who: { ...accept({ name: "A" }), zzz: 1, _meta: {} } },
      FORM,
      '{"name":"A"}',
    ],
    [
      "resultType beside",
      serve(counter(), who),
      { who: { ...accept({ name: "A" }), resultType: "complete" } },
      FORM,
      '{"name":"A"}',
    ],
    ["no roots", serve(counter(), Need.roots("r")), { r: { roots: [] } }, ANY, "[]"],
    [
      "a root and an unknown field",
      serve(counter(), Need.roots("r")),
      { r: { roots: [{ uri: "file:///a", z: 1 }], z: 1 } },
      ANY,
      '[{"uri":"file:///a"}]',
    ],
    [
      "one block",
      serve(counter(), Effect.map(sampled, saidText)),
      { poem: { ...message, content: block } },
      ANY,
      '"Roses"',
    ],
    [
      "a list of blocks",
      serve(counter(), Effect.map(sampled, saidText)),
      { poem: { ...message, content: [block], z: 1 } },
      ANY,
      '"Roses"',
    ],
  ];
  for (const [name, server, responses, caps, expected] of good) {
    test(`B13: ${name} is an answer`, () =>
      inProcess(server, async (target) => completes(await comeBack(target, responses, caps as Json), expected)));
  }

  const bad: ReadonlyArray<unknown> = [1, "x", null, true, [], {}, { action: "reject" }, { action: "Accept" }, {
    action: ["accept"],
  }, { content: {} }];
  const kinds: ReadonlyArray<
    readonly [string, string, (past: Counter) => ReturnType<typeof serve>, ReadonlyArray<unknown>]
  > = [
    ["a form", "who", (past) => serve(past, who), [...bad, accept([]), accept("x"), accept(null), { roots: [] }, {
      ...message,
      content: block,
    }]],
    ["a confirmation", "ok", (past) => serve(past, Need.confirm("ok", "Ok?")), [
      ...bad,
      accept(),
      accept({}),
      accept({ ok: "true" }),
      accept({ ok: 1 }),
      accept({ ok: null }),
      accept(true),
    ]],
    ["roots", "r", (past) => serve(past, Need.roots("r")), [
      ...bad,
      { roots: {} },
      { roots: null },
      { roots: "x" },
      { roots: [1] },
      { roots: [{}] },
      { roots: [{ uri: 1 }] },
      accept({ roots: [] }),
    ]],
    ["a model's answer", "poem", (past) => serve(past, sampled), [
      ...bad,
      { ...message, content: {} },
      { ...message, content: null },
      { ...message, content: [{}] },
      { ...message, content: "Roses" },
      { ...message, content: { type: "nothing known" } },
      { ...message, content: { type: "text" } },
      { ...message, content: { type: "text", text: 1 } },
      { ...message, content: { type: "image", data: "x" } },
      { ...message, role: "system", content: block },
    ]],
  ];
  for (const [name, key, server, answers] of kinds) {
    test(`B13: what is no answer to ${name} is asked again, and the handler never sees it`, () => {
      const past = counter();
      return inProcess(server(past), async (target) => {
        for (const answer of answers) asks(await comeBack(target, { [key]: answer }, ANY), key);
        assertEquals(past.of("past"), 0);
      });
    });
  }

  test("B13: inputResponses that is no object is refused, with and without a state, for every kind of handler", () => {
    const runs = counter();
    const greet = Effect.andThen(runs.count("ran"), Effect.map(who, ({ name }) => `Hello ${name}`));
    return inProcess(alike(greet), async (target) => {
      for (const first of [call("t", {}, FORM), prompt("p", {}, FORM), read("note:///r", FORM)]) {
        const { state } = asks(await send(target, first), "who");
        const before = runs.of("ran");
        for (const inputResponses of [null, [], "x", 1, true, [{ who: accept({ name: "Ada" }) }]]) {
          fails(await send(target, again(first, { inputResponses })), 200, -32602);
          fails(await send(target, again(first, { inputResponses, requestState: state })), 200, -32602);
        }
        assertEquals(runs.of("ran"), before);
      }
    });
  });
});

describe("B15: partial, extra, empty and state-only rounds", () => {
  const two = (runs: Counter) => McpServer.make({ name: "two", version: "1", tools: [askTwo(runs), askChain(runs)] });
  const a = accept({ v: "1" });
  const b = accept({ v: "2" });

  test("B15: what is missing is asked for again, what was answered is not", async () => {
    const runs = counter();
    await bothWays(() => two(runs), async (target) => {
      const first = call("ask_two", {}, FORM);
      const one = asks(await send(target, first), "a", "b");
      for (const inputResponses of [{ a }, { a, z: accept({ v: "9" }) }, { a, b: 1 }]) {
        const next = asks(await send(target, again(first, { inputResponses, requestState: one.state })), "b");
        completes(await send(target, again(first, { inputResponses: { b }, requestState: next.state })), "1 2");
      }
      for (const more of [{ inputResponses: {} }, {}, { inputResponses: { z: a } }]) {
        asks(await send(target, again(first, { ...more, requestState: one.state })), "a", "b");
      }
      asks(await send(target, again(first, { inputResponses: { a } })), "b");
    });
  });

  test("B15: answers to the last round's state do not survive in an earlier one", () =>
    inProcess(two(counter()), async (target) => {
      const first = call("ask_chain", {}, FORM);
      const one = asks(await send(target, first), "a");
      const next = asks(await send(target, again(first, { inputResponses: { a }, requestState: one.state })), "b");
      asks(await send(target, again(first, { inputResponses: { b }, requestState: one.state })), "a");
      completes(await send(target, again(first, { inputResponses: { b }, requestState: next.state })), "1 2");
    }));

  test("B15: a round that ends with state alone has no inputRequests", () => {
    const cell = Need.state("passes", { schema: Schema.Int, initial: 1 });
    const passes = Effect.gen(function* () {
      const n = yield* cell.get;
      if (n === 3) return n;
      yield* cell.set(n + 1);
      return yield* Need.again;
    });
    return inProcess(serve(counter(), passes), async (target) => {
      const first = call("asks", {});
      let reply = await send(target, first);
      for (let round = 1; round < 3; round++) {
        assertEquals(Object.keys(reply.result!).sort(), ["_meta", "requestState", "resultType"], reply.text);
        assertEquals(reply.result?.resultType, "input_required");
        reply = await send(target, again(first, { requestState: reply.result!.requestState }));
      }
      completes(reply, "3");
    });
  });
});
