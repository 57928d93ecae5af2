/** Cases B19 and B20, as far as they concern modern clients: the halves about earlier revisions are not here. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { counter, echo, pay } from "./fixtures.ts";
import { bothWays, inProcess } from "./serve.ts";
import {
  accept,
  again,
  asks,
  type Body,
  call,
  completes,
  fails,
  FORM,
  META,
  prompt,
  read,
  revision,
  rpc,
  send,
} from "./wire.ts";

const server = () =>
  McpServer.make({
    name: "eras",
    version: "1",
    tools: [echo(counter()), pay(counter())],
    prompts: [
      Prompt.make("p", {
        description: "A prompt",
        args: Schema.Struct({ a: Schema.optionalKey(Schema.String) }),
        complete: { a: ["x"] },
        handler: () => Effect.succeed("p"),
      }),
    ],
    resources: [Resource.make("note:///r", { name: "r", handler: () => Effect.succeed("r") })],
  });

describe("B19: a dialogue over many rounds", () => {
  test("B19: a handler that is never satisfied ends at 16 rounds, in an error that names what it still asks", () => {
    const never = Tool.make("never", {
      description: "Wants ever more",
      handler: Effect.fnUntraced(function* () {
        for (let i = 1;; i++) yield* Need.confirm(`row:${i}`, `Row ${i}?`);
      }),
    });
    return inProcess(McpServer.make({ name: "never", version: "1", tools: [never] }), async (target) => {
      const first = call("never", {}, FORM);
      let reply = await send(target, first);
      for (let round = 1; round < 16; round++) {
        const { state } = asks(reply, `row:${round}`);
        const inputResponses = { [`row:${round}`]: accept({ ok: true }) };
        reply = await send(target, again(first, { inputResponses, requestState: state }));
      }
      const error = fails(reply, 200, -32603);
      assert(error.message.includes("16") && error.message.includes("row:16"), error.message);
    });
  });

  test("B19: ten asks in a row complete within what official clients allow, ten retries", () => {
    const ten = Tool.make("ten", {
      description: "Asks ten times",
      handler: Effect.fnUntraced(function* () {
        let yes = 0;
        for (let i = 1; i <= 10; i++) if (yield* Need.confirm(`row:${i}`, `Row ${i}?`)) yes++;
        return `${yes}`;
      }),
    });
    return inProcess(McpServer.make({ name: "ten", version: "1", tools: [ten] }), async (target) => {
      const first = call("ten", {}, FORM);
      let reply = await send(target, first);
      for (let round = 1; round <= 10; round++) {
        const { state } = asks(reply, `row:${round}`);
        const inputResponses = { [`row:${round}`]: accept({ ok: round % 2 === 0 }) };
        reply = await send(target, again(first, { inputResponses, requestState: state }));
      }
      completes(reply, "5");
    });
  });
});

describe("B20: eras do not leak", () => {
  const bodies: ReadonlyArray<readonly [Body, boolean]> = [
    [rpc("server/discover", META()), true],
    [rpc("tools/list", META()), true],
    [rpc("prompts/list", META()), true],
    [rpc("resources/list", META()), true],
    [rpc("resources/templates/list", META()), true],
    [read("note:///r"), true],
    [call("echo"), false],
    [call("pay", { amount: "x" }), false],
    [prompt("p"), false],
    [
      rpc("completion/complete", {
        ...META(),
        ref: { type: "ref/prompt", name: "p" },
        argument: { name: "a", value: "" },
      }),
      false,
    ],
  ];
  for (const [body, cached] of bodies) {
    test(`B20: the result of ${body.method} has its kind and its server, and hints if it may be kept`, () =>
      bothWays(server, async (target) => {
        const { result, status } = await send(target, body);
        assertEquals([status, result?.resultType], [200, "complete"]);
        assertEquals(result?.["_meta"], { "io.modelcontextprotocol/serverInfo": { name: "eras", version: "1" } });
        assertEquals(["ttlMs" in result!, "cacheScope" in result!], [cached, cached]);
        assert(!("sessionId" in result!) && !("protocolVersion" in result!));
      }));
  }

  test("B20: a modern envelope that declares an earlier revision is not served as one (section 9)", () =>
    bothWays(server, async (target) => {
      for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
        const meta = META(FORM, { "io.modelcontextprotocol/protocolVersion": version });
        for (const method of ["tools/list", "initialize", "ping", "server/discover"]) {
          const error = fails(await send(target, rpc(method, meta), { "mcp-protocol-version": version }), 400, -32022);
          assertEquals(error.data, { supported: [revision], requested: version });
        }
      }
    }));

  test("B20: codes of earlier revisions are never sent (basic, error codes)", () =>
    bothWays(server, async (target) => {
      const errors = [
        await send(target, read("note:///none")),
        await send(target, call("pay", { amount: 500 })),
        await send(target, call("none")),
        await send(target, rpc("resources/subscribe", { ...META(), uri: "note:///r" })),
      ].map(({ error }) => error?.code);
      assertEquals(errors, [-32602, -32021, -32602, -32601]);
    }));
});
