/** Handlers that return their questions, on the modern wire: tools, prompts, resources, templates (B02, B03, B07, B15). */
import { describe, test } from "node:test";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Schema from "effect/Schema";
import { Auth, Manual, McpServer, Need, Prompt, RequestState, Resource, Tool } from "@needful/mcp";
import { type Counter, counter } from "../cases/fixtures.ts";
import { bothWays, inProcess, log } from "../cases/serve.ts";
import {
  accept,
  again,
  ANY,
  asks,
  type Body,
  call,
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
} from "../cases/wire.ts";

const requests = {
  who: Manual.elicit({ message: "Who are you?", schema: Schema.Struct({ name: Schema.NonEmptyString }) }),
};

/** Asks `who` by returning it, and greets whoever answers. */
const greeting = (runs: Counter, name: string) =>
  Effect.gen(function* () {
    yield* runs.count(name);
    const { who } = yield* Manual.responses(requests);
    if (who === undefined) return Manual.inputRequired({ inputRequests: requests });
    return who.action === "accept" ? `Hello ${who.content.name}` : `Hello stranger: ${who.action}`;
  });

interface Tenant {
  readonly name: string;
}
const Tenant: Context.Service<Tenant, Tenant> = Context.Service<Tenant>("test/Tenant");

/** What an author puts around handlers. */
const middleware = <I, A, E, R>(handler: (input: I) => Effect.Effect<A, E, R>) => (input: I) =>
  Effect.provideService(Effect.onExit(handler(input), () => Effect.void), Tenant, { name: "x" });

const server = (runs: Counter) =>
  McpServer.make({
    name: "manual",
    version: "1",
    tools: [
      Tool.make("tool", { handler: () => greeting(runs, "tool") }),
      Tool.make("output", {
        output: Schema.Struct({ text: Schema.String }),
        handler: () =>
          Effect.map(
            greeting(runs, "output"),
            (end) => typeof end === "string" ? { text: end } : end,
          ),
      }),
      Tool.make("wrapped", { handler: middleware(() => Effect.andThen(Tenant, greeting(runs, "wrapped"))) }),
    ],
    prompts: [Prompt.make("prompt", { handler: () => greeting(runs, "prompt") })],
    resources: [
      Resource.make("note:///static", {
        name: "static",
        cache: { ttl: "1 hour", scope: "public" },
        handler: () => greeting(runs, "static"),
      }),
      Resource.template("note:///by/{id}", { name: "template", handler: () => greeting(runs, "template") }),
    ],
  });

/** What a complete result says, of whatever kind. */
const said = ({ result }: Reply): unknown => {
  const first = (list: unknown) => (list as ReadonlyArray<Json> | undefined)?.[0];
  const block = first(result?.content) ?? first(result?.["contents"]) ??
    (first(result?.["messages"])?.["content"] as Json | undefined);
  return block?.["text"];
};

const kinds: ReadonlyArray<[string, Body]> = [
  ["tool", call("tool", {}, FORM)],
  ["output", call("output", {}, FORM)],
  ["wrapped", call("wrapped", {}, FORM)],
  ["prompt", prompt("prompt", undefined, FORM)],
  ["static", read("note:///static", FORM)],
  ["template", read("note:///by/1", FORM)],
];

describe("B02: every kind of handler returns its questions", () => {
  test("B02: the interim result has nothing of a complete one, and the answers reach the next round", () => {
    const runs = counter();
    return bothWays(() => server(runs), async (target) => {
      for (const [name, body] of kinds) {
        const before = runs.of(name);
        const first = await send(target, body);
        const { requests: asked, state } = asks(first, "who");
        assertEquals(Object.keys(first.result!).sort(), ["_meta", "inputRequests", "requestState", "resultType"], name);
        assertEquals(asked["who"], {
          method: "elicitation/create",
          params: {
            message: "Who are you?",
            requestedSchema: {
              type: "object",
              properties: { name: { type: "string", minLength: 1 } },
              required: ["name"],
            },
          },
        });
        const inputResponses = { who: accept({ name: "Ada" }) };
        const second = await send(target, again(body, { inputResponses, requestState: state }));
        assertEquals(second.result?.resultType, "complete", second.text);
        assertEquals(said(second), name === "output" ? '{"text":"Hello Ada"}' : "Hello Ada");
        assertEquals(runs.of(name) - before, 2);
      }
    });
  });

  test("B02: an output schema is for complete results alone", () =>
    inProcess(server(counter()), async (target) => {
      const body = call("output", {}, FORM);
      const { state } = asks(await send(target, body), "who");
      const reply = await send(target, again(body, { inputResponses: { who: decline }, requestState: state }));
      assertEquals(reply.result?.structuredContent, { text: "Hello stranger: decline" });
    }));

  test("B03: no cache hints on the interim result, and none but 0 and private after it", () =>
    inProcess(server(counter()), async (target) => {
      const body = read("note:///static", FORM);
      const first = await send(target, body);
      assertEquals([first.result?.["ttlMs"], first.result?.["cacheScope"]], [undefined, undefined]);
      const { state } = asks(first, "who");
      const inputResponses = { who: accept({ name: "Ada" }) };
      const second = await send(target, again(body, { inputResponses, requestState: state }));
      assertEquals([second.result?.["ttlMs"], second.result?.["cacheScope"]], [0, "private"]);
    }));

  test("a user who declines is asked once", () =>
    inProcess(server(counter()), async (target) => {
      for (const [name, body] of kinds) {
        const { state } = asks(await send(target, body), "who");
        const reply = await send(target, again(body, { inputResponses: { who: decline }, requestState: state }));
        assertEquals(reply.result?.resultType, "complete", name);
        assertStringIncludes(String(said(reply)), "stranger: decline");
      }
    }));
});

describe("what cannot be returned", () => {
  const returning = (value: unknown): Tool.Tool =>
    Tool.make("bad", { handler: () => Effect.succeed(value as Manual.InputRequired) });
  const returns = (options: unknown) => returning(Manual.inputRequired(options as Manual.InputRequiredOptions));

  const refuses = async (tool: Tool.Tool, message: string): Promise<void> => {
    const { layer, lines } = log();
    await inProcess(McpServer.make({ name: "bad", version: "1", tools: [tool] }), async (target) => {
      const error = fails(await send(target, call("bad", {}, ANY)), 200, -32603);
      assertStringIncludes(error.message, message);
    }, { layer });
    const errors = lines.filter(({ level }) => level === "Error");
    assertEquals(errors.length, 1);
    assertStringIncludes(errors[0]!.text, message.replaceAll('"', '\\"'));
  };

  test("B15: neither requests nor a state is -32603 and a line in the log, for every kind of handler", async () => {
    for (const options of [{}, { inputRequests: {} }]) {
      await refuses(returns(options), "it has neither requests nor a state");
    }
    const nothing = () => Effect.succeed(Manual.inputRequired({} as Manual.InputRequiredOptions));
    const all = McpServer.make({
      name: "all",
      version: "1",
      prompts: [Prompt.make("p", { handler: nothing })],
      resources: [
        Resource.make("x:///a", { name: "a", handler: nothing }),
        Resource.template("y:///{b}", { name: "b", handler: nothing }),
      ],
    });
    await inProcess(all, async (target) => {
      for (const body of [prompt("p", undefined, ANY), read("x:///a", ANY), read("y:///b", ANY)]) {
        assertStringIncludes(fails(await send(target, body), 200, -32603).message, "neither requests nor a state");
      }
    });
  });

  test("a method or a mode that the protocol does not have is -32603", async () => {
    const asking = (request: unknown) => returns({ inputRequests: { a: request } });
    await refuses(asking({ method: "tools/list" }), 'has the method "tools/list"');
    const params = { message: "?", mode: "voice" };
    await refuses(asking({ method: "elicitation/create", params }), 'has the mode "voice"');
  });

  test("the limit of 65,536 characters is that of the wire, and the error names it", async () => {
    await refuses(returns({ requestState: "x".repeat(65_537) }), "more than 65536");
    // Shorter than the limit, but not once it is sealed
    const { layer, lines } = log();
    const tools = [returns({ requestState: "x".repeat(60_000) })];
    await inProcess(McpServer.make({ name: "large", version: "1", tools }), async (target) => {
      assertStringIncludes(fails(await send(target, call("bad", {}, ANY)), 200, -32603).message, "limit of 65536");
    }, { layer });
    assertEquals(lines.length, 1);
    const fits = [returns({ requestState: "x".repeat(48_000) })];
    await inProcess(McpServer.make({ name: "fits", version: "1", tools: fits }), async (target) => {
      const { state } = asks(await send(target, call("bad", {}, ANY)));
      assert(state.length <= 65_536);
    });
  });

  test("B18: what the client did not declare is 400/-32021, and names all of it", async () => {
    const message = { role: "user", content: { type: "text", text: "Hi" } } as const;
    const tools = [{ name: "t", inputSchema: { type: "object" } }] as const;
    const all = {
      form: requests.who,
      page: Manual.elicitUrl({ message: "Pay", url: "https://shop.example" }),
      poem: Manual.createMessage({ messages: [message], maxTokens: 1, includeContext: "thisServer", tools }),
      roots: Manual.listRoots(),
    };
    const asking = (inputRequests: Manual.Requests) =>
      McpServer.make({ name: "gate", version: "1", tools: [returns({ inputRequests })] });
    const gate = (inputRequests: Manual.Requests, caps: Json) => {
      let found: unknown;
      return inProcess(asking(inputRequests), async (target) => {
        const reply = await send(target, call("bad", {}, caps));
        found = reply.error === undefined ? undefined : fails(reply, 400, -32021).data;
      }).then(() => found);
    };
    const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
    assertEquals(await gate(all, {}), { requiredCapabilities: everything });
    assertEquals(await gate(all, { elicitation: {}, sampling: {} }), {
      requiredCapabilities: { elicitation: { url: {} }, sampling: { tools: {}, context: {} }, roots: {} },
    });
    assertEquals(await gate({ form: all.form }, { elicitation: {} }), undefined);
    assertEquals(await gate({ form: all.form }, { elicitation: { url: {} } }), {
      requiredCapabilities: { elicitation: { form: {} } },
    });
    assertEquals(await gate(all, everything), undefined);
  });
});

describe("state", () => {
  const Count = RequestState.make({ schema: Schema.Int, key: "a key of the author's own, 32 bytes long" });
  const counting = (runs: Counter) =>
    Tool.make("count", {
      input: Schema.Struct({ to: Schema.Int }),
      handler: Effect.fnUntraced(function* ({ to }) {
        yield* runs.count("count");
        const n = Option.getOrElse(yield* Count.open, () => 0);
        return n < to ? Manual.inputRequired({ inputRequests: {}, requestState: yield* Count.seal(n + 1) }) : `${n}`;
      }),
    });
  const serving = (runs: Counter) => McpServer.make({ name: "state", version: "1", tools: [counting(runs)] });

  test("B15: state alone has no inputRequests member, and the client comes back with it", () => {
    const runs = counter();
    return bothWays(() => serving(runs), async (target) => {
      const body = call("count", { to: 2 });
      let reply = await send(target, body);
      for (let n = 1; n <= 2; n++) {
        assertEquals("inputRequests" in reply.result!, false);
        reply = await send(target, again(body, { requestState: asks(reply).state }));
      }
      completes(reply, "2");
    });
  });

  test("B07, B09, B10: a state that was changed, replayed or is no text is refused before the handler runs", () => {
    const runs = counter();
    return inProcess(serving(runs), async (target) => {
      const body = call("count", { to: 5 });
      const { state } = asks(await send(target, body));
      const before = runs.of("count");
      const bad: ReadonlyArray<[Body, unknown]> = [
        [body, `${state}A`],
        [body, state.slice(0, -1)],
        [body, ""],
        [body, 1],
        [body, null],
        [body, { state }],
        [call("count", { to: 6 }), state],
      ];
      for (const [request, requestState] of bad) {
        const error = fails(await send(target, again(request, { requestState })), 200, -32602);
        assertEquals(error.message, "Invalid request state");
      }
      assertEquals(runs.of("count"), before);
    });
  });

  test("B09: a plain text of the author's is bound to the caller too", async () => {
    const text = Tool.make("text", {
      handler: () =>
        Effect.map(
          Manual.rawState,
          Option.match({
            onNone: () => Manual.inputRequired({ requestState: "plain" }),
            onSome: (state) => `back: ${state}`,
          }),
        ),
    });
    const authenticate = ({ header }: Auth.AuthRequest) =>
      Effect.succeed(Auth.principal(header("authorization") ?? "nobody"));
    await inProcess(McpServer.make({ name: "text", version: "1", tools: [text] }), async (target) => {
      const body = call("text", {});
      const as = (who: string, more: Json = {}): Promise<Reply> =>
        send(target, again(body, more), { authorization: who });
      const { state } = asks(await as("ada"));
      assertEquals(fails(await as("bea", { requestState: state }), 200, -32602).message, "Invalid request state");
      completes(await as("ada", { requestState: state }), "back: plain");
    }, { authenticate });
  });

  test("refuseState: is -32602 with the same words, and the reason in the log only", async () => {
    const { layer, lines } = log();
    const once = new Set<string>();
    const redeem = Tool.make("redeem", {
      handler: Effect.fnUntraced(function* () {
        const state = yield* Manual.rawState;
        if (Option.isNone(state)) return Manual.inputRequired({ requestState: "ticket 1" });
        if (once.has(state.value)) return yield* Manual.refuseState("SECRET: this ticket was redeemed");
        once.add(state.value);
        return "redeemed";
      }),
    });
    await inProcess(McpServer.make({ name: "redeem", version: "1", tools: [redeem] }), async (target: Target) => {
      const body = call("redeem", {});
      const { state } = asks(await send(target, body));
      completes(await send(target, again(body, { requestState: state })), "redeemed");
      const reply = await send(target, again(body, { requestState: state }));
      assertEquals(fails(reply, 200, -32602), { code: -32602, message: "Invalid request state" });
      assert(!reply.text.includes("SECRET"));
    }, { layer });
    assert(lines.some(({ level, text }) => level === "Warn" && text.includes("this ticket was redeemed")));
  });
});

describe("loops and mixtures", () => {
  test("a handler that asks again whatever is said ends at the round limit, with an error that names the key", () => {
    // The trap of reading accepted content alone: a no looks like a first visit
    const loop = Tool.make("loop", {
      handler: Effect.fnUntraced(function* () {
        const who = yield* Manual.accepted(requests, "who").pipe(
          Effect.catchTag("InvalidAnswer", () => Effect.succeedNone),
        );
        return Option.isSome(who) ? who.value.name : Manual.inputRequired({ inputRequests: requests });
      }),
    });
    return inProcess(McpServer.make({ name: "loop", version: "1", tools: [loop] }), async (target) => {
      const body = call("loop", {}, FORM);
      let reply = await send(target, body);
      let asked = 0;
      while (reply.error === undefined) {
        asked++;
        const { state } = asks(reply, "who");
        reply = await send(target, again(body, { inputResponses: { who: decline }, requestState: state }));
      }
      assertEquals(asked, 15);
      assertEquals(
        fails(reply, 200, -32603).message,
        'The call reached its limit of 16 rounds; still asked: "who"',
      );
    });
  });

  test("asking with Need and returning in one call is refused with a message that says so", () => {
    const rule = "A call either asks with Need or returns Manual.inputRequired, not both";
    const mixed = Tool.make("mixed", {
      handler: Effect.fnUntraced(function* () {
        yield* Need.confirm("sure", "Sure?");
        return Manual.inputRequired({ inputRequests: requests });
      }),
    });
    return inProcess(McpServer.make({ name: "mixed", version: "1", tools: [mixed] }), async (target) => {
      const body = call("mixed", {}, FORM);
      const { state } = asks(await send(target, body), "sure");
      const inputResponses = { sure: accept({ ok: true }) };
      const reply = await send(target, again(body, { inputResponses, requestState: state }));
      assertEquals(fails(reply, 200, -32603).message, `${rule}: the handler also asked "sure"`);
    });
  });
});
