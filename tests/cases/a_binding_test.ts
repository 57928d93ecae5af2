/** Cases B09, B10 and B11: a state is good for its caller, its call, its server and its time, and for nothing else. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Clock from "effect/Clock";
import * as ConfigProvider from "effect/ConfigProvider";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import { Auth, McpServer, Resource, Sealer } from "@needful/mcp";
import { askChain, askName, askNameBare, askPrompt, type Counter, counter, who } from "./fixtures.ts";
import { inProcess, log, sealer, secret } from "./serve.ts";
import {
  accept,
  again,
  asks,
  type Body,
  call,
  type Changes,
  completes,
  fails,
  FORM,
  type Json,
  prompt,
  read,
  type Reply,
  send,
  type Target,
  text,
} from "./wire.ts";

const server = (runs: Counter, name = "bound") =>
  McpServer.make({
    name,
    version: "1",
    tools: [askName(runs), askName(runs, "other_tool"), askNameBare(runs), askChain(runs)],
    prompts: [askPrompt(runs)],
    resources: [
      Resource.make("note:///ask_name", {
        name: "ask_name",
        handler: () => Effect.andThen(runs.count("resource"), Effect.map(who, ({ name }) => `Hello ${name}`)),
      }),
      Resource.template("note:///of/{id}", {
        name: "template",
        handler: ({ id }) =>
          Effect.andThen(runs.count("template"), Effect.map(who, ({ name }) => `Hello ${name} at ${id}`)),
      }),
    ],
  });

/** `Bearer <subject>:<whatever>`; without one the caller is anonymous. */
const authenticate = (request: Auth.AuthRequest) => {
  const [, subject] = /^Bearer ([^:]+):/.exec(request.header("authorization") ?? "") ?? [];
  return Effect.succeed(subject === undefined ? Auth.anonymous : Auth.principal(subject));
};

const as = (subject: string, token = "1"): Changes => ({ authorization: `Bearer ${subject}:${token}` });

const answers = { inputResponses: { who: accept({ name: "Ada" }) } };

const refusal = (reply: Reply): void => {
  assertEquals(fails(reply, 200, -32602), { code: -32602, message: "Invalid request state" });
};

/** Sends `body` with the state that `first` gave to the caller `who`. */
const replay = async (target: Target, first: Body, from: Changes, body: Body, to: Changes): Promise<Reply> => {
  const { state } = asks(await send(target, first, from), "who");
  return await send(target, again(body, { ...answers, requestState: state }), to);
};

const args = { a: 1, b: 2, deep: { x: [1, { p: 1, q: 2 }], y: 2 } };

describe("B09: whose state, and for which request", () => {
  const cases: ReadonlyArray<readonly [string, Body, Changes, Body, Changes, "refused" | "accepted"]> = [
    ["another user", call("ask_name", args, FORM), as("A"), call("ask_name", args, FORM), as("B"), "refused"],
    ["nobody in particular", call("ask_name", args, FORM), as("A"), call("ask_name", args, FORM), {}, "refused"],
    ["a user, of nobody's", call("ask_name", args, FORM), {}, call("ask_name", args, FORM), as("A"), "refused"],
    [
      "a user named anonymous",
      call("ask_name", args, FORM),
      {},
      call("ask_name", args, FORM),
      as("anonymous"),
      "refused",
    ],
    [
      "the same user's new token",
      call("ask_name", args, FORM),
      as("A"),
      call("ask_name", args, FORM),
      as("A", "2"),
      "accepted",
    ],
    ["another tool", call("ask_name", args, FORM), as("A"), call("other_tool", args, FORM), as("A"), "refused"],
    [
      "other arguments",
      call("ask_name", args, FORM),
      as("A"),
      call("ask_name", { ...args, b: 3 }, FORM),
      as("A"),
      "refused",
    ],
    [
      "an argument more",
      call("ask_name", args, FORM),
      as("A"),
      call("ask_name", { ...args, c: null }, FORM),
      as("A"),
      "refused",
    ],
    [
      "an argument of another type",
      call("ask_name", { a: 1 }, FORM),
      as("A"),
      call("ask_name", { a: "1" }, FORM),
      as("A"),
      "refused",
    ],
    [
      "the same arguments in another order, also inside",
      call("ask_name", args, FORM),
      as("A"),
      call("ask_name", { deep: { y: 2, x: [1, { q: 2, p: 1 }] }, b: 2, a: 1 }, FORM),
      as("A"),
      "accepted",
    ],
    [
      "a list in another order",
      call("ask_name", { l: [1, 2] }, FORM),
      as("A"),
      call("ask_name", { l: [2, 1] }, FORM),
      as("A"),
      "refused",
    ],
    [
      "empty arguments for none",
      call("ask_bare", undefined, FORM),
      as("A"),
      call("ask_bare", {}, FORM),
      as("A"),
      "accepted",
    ],
    [
      "no arguments for empty ones",
      call("ask_bare", {}, FORM),
      as("A"),
      call("ask_bare", undefined, FORM),
      as("A"),
      "accepted",
    ],
    [
      "a prompt of the same name",
      call("ask_name", {}, FORM),
      as("A"),
      prompt("ask_name", {}, FORM),
      as("A"),
      "refused",
    ],
    [
      "a tool, from a prompt of the same name",
      prompt("ask_name", {}, FORM),
      as("A"),
      call("ask_name", {}, FORM),
      as("A"),
      "refused",
    ],
    ["a resource", call("ask_name", {}, FORM), as("A"), read("note:///ask_name", FORM), as("A"), "refused"],
    [
      "another resource of a template",
      read("note:///of/1", FORM),
      as("A"),
      read("note:///of/2", FORM),
      as("A"),
      "refused",
    ],
    [
      "the same resource of a template",
      read("note:///of/1", FORM),
      as("A"),
      read("note:///of/1", FORM),
      as("A"),
      "accepted",
    ],
    [
      "a number written differently",
      call("ask_name", JSON.parse(`{"n":10}`), FORM),
      as("A"),
      call("ask_name", JSON.parse(`{"n":1e1}`), FORM),
      as("A"),
      "accepted",
    ],
    [
      "an argument named like a prototype",
      call("ask_name", JSON.parse(`{"__proto__":{"admin":false}}`), FORM),
      as("A"),
      call("ask_name", JSON.parse(`{"__proto__":{"admin":true}}`), FORM),
      as("A"),
      "refused",
    ],
    [
      "no argument named like a prototype",
      call("ask_name", JSON.parse(`{"__proto__":{"admin":false}}`), FORM),
      as("A"),
      call("ask_name", {}, FORM),
      as("A"),
      "refused",
    ],
  ];
  for (const [name, first, from, body, to, verdict] of cases) {
    test(`B09: a state presented for ${name} is ${verdict}`, () => {
      const runs = counter();
      return inProcess(server(runs), async (target) => {
        const reply = await replay(target, first, from, body, to);
        const before = ["ask_name", "other_tool", "ask_bare", "prompt ask_name", "resource", "template"].map(runs.of);
        if (verdict === "accepted") {
          assertEquals([reply.error, reply.result?.resultType], [undefined, "complete"], reply.text);
        } else {
          refusal(reply);
          assertEquals(before.reduce((sum, count) => sum + count, 0), 1);
        }
      }, { authenticate });
    });
  }

  test("B09: a state of another server is refused, of another version of the same accepted", async () => {
    let state = "";
    const first = call("ask_name", args, FORM);
    await inProcess(server(counter(), "one"), async (target) => {
      state = asks(await send(target, first), "who").state;
    });
    const retry = again(first, { ...answers, requestState: state });
    await inProcess(server(counter(), "two"), async (target) => refusal(await send(target, retry)));
    await inProcess(server(counter(), "one"), async (target) => completes(await send(target, retry), "Hello Ada"));
  });

  test("B09: the capabilities and the client's name are no part of what a state is bound to", () =>
    inProcess(server(counter()), async (target) => {
      const first = call("ask_name", args, FORM);
      const { state } = asks(await send(target, first), "who");
      // The question is answered, so that nothing is left to ask: capabilities gate what is sent (section 3, rule 6)
      const later = call("ask_name", args, {}, { ...answers, requestState: state });
      completes(await send(target, later), "Hello Ada");
    }));
});

/** A clock that stands where it is put. */
const clock = (start: number) => {
  let now = start;
  const stands: Clock.Clock = {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    sleep: () => Effect.never,
  };
  return { layer: Layer.succeed(Clock.Clock, stands), put: (time: number) => now = time };
};

describe("B10: the time of a state", () => {
  const start = Date.UTC(2026, 10, 30);
  const minutes = (n: number) => n * 60_000;

  test("B10: a state is good for 10 minutes less a second, and refused a second after them", () => {
    const time = clock(start);
    return inProcess(server(counter()), async (target) => {
      const first = call("ask_name", args, FORM);
      const { state } = asks(await send(target, first), "who");
      const retry = again(first, { ...answers, requestState: state });
      time.put(start + minutes(10) - 1000);
      completes(await send(target, retry), "Hello Ada");
      time.put(start + minutes(10) + 1000);
      refusal(await send(target, retry));
      time.put(start + minutes(60 * 24 * 365));
      refusal(await send(target, retry));
    }, { layer: time.layer });
  });

  test("B10: each round has its own 10 minutes", () => {
    const time = clock(start);
    return inProcess(server(counter()), async (target) => {
      const first = call("ask_chain", undefined, FORM);
      const one = asks(await send(target, first), "a");
      time.put(start + minutes(9));
      const second = again(first, { inputResponses: { a: accept({ v: "1" }) }, requestState: one.state });
      const two = asks(await send(target, second), "b");
      time.put(start + minutes(18));
      const third = again(first, { inputResponses: { b: accept({ v: "2" }) }, requestState: two.state });
      completes(await send(target, third), "1 2");
      refusal(await send(target, second));
    }, { layer: time.layer });
  });

  test("B10: a state from the future is refused", () => {
    const time = clock(start);
    return inProcess(server(counter()), async (target) => {
      const first = call("ask_name", args, FORM);
      const { state } = asks(await send(target, first), "who");
      time.put(start - minutes(60));
      refusal(await send(target, again(first, { ...answers, requestState: state })));
    }, { layer: time.layer });
  });
});

describe("B11: keys", () => {
  const [older, newer] = [
    "the older secret of the cases, 32 bytes",
    "the newer secret of the cases, 32 bytes",
  ] as const;
  const first = call("ask_chain", undefined, FORM);
  const steps: ReadonlyArray<Json> = [{}, { a: accept({ v: "1" }) }, { b: accept({ v: "2" }) }];

  /** Runs one round of `first` on a server of its own with these keys. */
  const round = async (keys: ReadonlyArray<string>, step: number, state: string | undefined): Promise<Reply> => {
    let reply: Reply | undefined;
    const more = { inputResponses: steps[step]!, ...(state === undefined ? {} : { requestState: state }) };
    await inProcess(server(counter()), async (target) => {
      reply = await send(target, again(first, more));
    }, { layer: sealer(keys) });
    return reply!;
  };

  test("B11: every round on another instance that shares nothing but the key (also B44)", async () => {
    const one = asks(await round([secret], 0, undefined), "a");
    const two = asks(await round([secret], 1, one.state), "b");
    assertEquals(text(await round([secret], 2, two.state)), "1 2");
  });

  test("B11: a state of the old key opens with both, and the next one is sealed with the new key", async () => {
    const one = asks(await round([older], 0, undefined), "a");
    const two = asks(await round([newer, older], 1, one.state), "b");
    assertEquals(text(await round([newer], 2, two.state)), "1 2");
    refusal(await round([older], 2, two.state));
    refusal(await round([newer], 1, one.state));
  });

  test("B11: keys under 32 bytes are refused when the sealer is made", async () => {
    for (const keys of [[], [""], ["short"], ["x".repeat(31)], [secret, "x".repeat(31)]]) {
      const made = Sealer.layer({ keys: keys.map((key) => Redacted.make(key)) }).pipe(
        Layer.provide(Sealer.layerWebCrypto),
        Layer.build,
        Effect.scoped,
        Effect.flip,
      );
      const error = await Effect.runPromise(made);
      assertEquals(error._tag, "WeakKey");
      assert(!error.message.includes("x".repeat(31)));
    }
  });

  test("B11: without a key, one warning when the server starts, and a clean error on another instance", async () => {
    const kept = log();
    const environment = ConfigProvider.layer(ConfigProvider.fromUnknown({}));
    const layer = Layer.merge(kept.layer, environment) as Layer.Layer<never>;
    const states: Array<string> = [];
    for (let instance = 0; instance < 2; instance++) {
      const web = McpServer.toWebHandler(server(counter()), layer);
      const target: Target = { url: "http://localhost/mcp", fetch: web.fetch };
      for (const state of states) {
        refusal(await send(target, again(first, { inputResponses: steps[1]!, requestState: state })));
      }
      states.push(asks(await send(target, first), "a").state);
      await web.dispose();
    }
    const warnings = kept.lines.filter(({ text }) => text.includes("MCP_STATE_SECRET"));
    assertEquals(warnings.map(({ level }) => level), ["Warn", "Warn"]);
  });
});
