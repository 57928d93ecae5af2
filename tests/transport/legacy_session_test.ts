/** Sessions over HTTP: whose they are, how they begin and end, and what their headers have to be. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { Auth, Call, McpServer, Tool } from "@needful/mcp";
import { rpc, send as sendModern } from "./fixture.ts";
import {
  bare,
  Client,
  initialize,
  notification,
  outcome,
  post,
  read,
  request,
  settle,
  tool,
  withAsking,
  withHost,
} from "./legacy_kit.ts";

const list = () => request("tools/list");

describe("initialize", () => {
  test("initialize: begins a session with an id that nobody can guess, in a revision that is spoken (B20)", () =>
    withAsking(async ({ fetch }) => {
      const ids = new Set<string>();
      const revisions: ReadonlyArray<readonly [asked: string, answered: string]> = [
        ["2025-11-25", "2025-11-25"],
        ["2025-06-18", "2025-06-18"],
        ["2025-03-26", "2025-03-26"],
        // Its transport was another one
        ["2024-11-05", "2025-03-26"],
        ["2026-07-28", "2025-11-25"],
        ["1900-01-01", "2025-11-25"],
        ["DRAFT", "2025-11-25"],
      ];
      for (const [asked, answered] of revisions) {
        const client = await Client.open(fetch, { revision: asked });
        assertEquals(client.server.protocolVersion, answered);
        assertEquals(client.server.serverInfo, { name: "asking", version: "1" });
        assert(/^[\w-]{24,}$/.test(client.session), client.session);
        ids.add(client.session);
        assertEquals(outcome(await client.send(list())), "200/ok");
      }
      assertEquals(ids.size, revisions.length);
    }));

  test("initialize: comes as a stream to a client that takes no JSON, with the session's id", () =>
    withAsking(async ({ fetch }) => {
      const reply = await read(await fetch(post(initialize(), { accept: "text/event-stream" })));
      assertEquals([reply.streamed, reply.messages.length], [true, 1]);
      assert(reply.headers.get("mcp-session-id") !== null);
    }));

  test("initialize: ignores the id of an old session, and is refused with a header of 2026-07-28 or a wrong version", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      const again = await read(await client.post(initialize()));
      assertNotEquals(again.headers.get("mcp-session-id"), client.session);
      assertEquals(outcome(await client.send(list())), "200/ok");
      for (const version of ["2026-07-28", "2027-01-01"]) {
        const refused = await read(await fetch(post(initialize(), { "mcp-protocol-version": version })));
        assertEquals([outcome(refused), refused.headers.get("mcp-session-id")], ["400/-32020", null]);
      }
      assertEquals(outcome(await read(await fetch(post(initialize(7))))), "200/-32602");
    }));
});

describe("the headers of a session", () => {
  test("session: 400 without an id, 404 for one that is not there, whatever the message (B37)", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      const outcomes = async (id: string | null) => [
        outcome(await client.send(list(), { "mcp-session-id": id })),
        outcome(await client.send(notification("initialized"), { "mcp-session-id": id })),
        outcome(await client.send({ jsonrpc: "2.0", id: 1, result: {} }, { "mcp-session-id": id })),
        outcome(await client.send([list()], { "mcp-session-id": id })),
        outcome(await read(await client.get({ "mcp-session-id": id }))),
        outcome(await read(await client.delete({ "mcp-session-id": id }))),
      ];
      assertEquals(await outcomes("nope"), Array(6).fill("404/-32600"));
      // A notification that belongs to nothing is accepted, as any other (section 9)
      assertEquals((await outcomes(null)).toSpliced(1, 1), Array(5).fill("400/-32600"));
      assertEquals((await outcomes(""))[0], "400/-32600");
      assertEquals((await client.send(notification("initialized"), { "mcp-session-id": null })).status, 202);
      // There is just one session, and it is not fallen back to (B43)
      assertEquals(outcome(await client.send(list())), "200/ok");
    }));

  test("session: a revision in the header has to be its own; none needs to be there", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch, { revision: "2025-06-18" });
      for (const [version, expected] of [["2025-06-18", "200/ok"], [null, "200/ok"]] as const) {
        assertEquals(outcome(await client.send(list(), { "mcp-protocol-version": version })), expected);
      }
      for (const version of ["2025-11-25", "2025-03-26", "2024-11-05"]) {
        const refused = await client.send(list(), { "mcp-protocol-version": version });
        assertEquals(outcome(refused), "400/-32600");
        assertStringIncludes(refused.last.error.message, "2025-06-18");
        assertEquals((await client.delete({ "mcp-protocol-version": version })).status, 400);
      }
      // These do not speak of sessions: they are modern, and lack their envelope
      const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
      assertEquals(outcome(await client.send(list(), modern)), "400/-32602");
      assertEquals(outcome(await client.send(list(), { "mcp-protocol-version": "1900-01-01" })), "400/-32022");
    }));

  test("session: modern traffic neither needs nor makes one, nor is it answered with anything older (B20, B37)", () =>
    withAsking(async ({ fetch }) => {
      const client = await Client.open(fetch);
      for (const id of [client.session, "nope", ""]) {
        const response = await fetch(sendModern(rpc("tools/list"), { "mcp-session-id": id }));
        assertEquals([response.status, response.headers.get("mcp-session-id")], [200, null]);
        assertEquals((await response.json()).result.resultType, "complete");
      }
      const refused = await read(await fetch(sendModern(rpc("ping"), { "mcp-session-id": client.session })));
      assertEquals(outcome(refused), "404/-32601");
      assertEquals(outcome(await client.send(request("ping"))), "200/ok");
      assertEquals((await client.send(request("ping"))).last.result, {});
    }));
});

test("session: headers that mirror arguments are not of its revisions, and are not looked at", () => {
  const region = Tool.make("region", {
    description: "Has a mirrored parameter",
    input: Schema.Struct({ region: Schema.String.pipe(Tool.header("Region")) }),
    handler: Effect.fn(function* ({ region }) {
      const info = Option.getOrThrow(yield* Call.info);
      return `${region} ${info.revision} ${info.header("Mcp-Param-Region")} ${info.client?.name}`;
    }),
  });
  return withHost(McpServer.make({ name: "x", version: "1", tools: [region] }), async ({ fetch }) => {
    const client = await Client.open(fetch);
    for (const [header, seen] of [[null, "undefined"], ["elsewhere", "elsewhere"]] as const) {
      const call = tool("region", { arguments: { region: "here" } });
      const { last } = await client.send(call, { "mcp-param-region": header, "mcp-method": "tools/list" });
      assertEquals(last.result.content[0].text, `here 2025-11-25 ${seen} t`);
    }
  });
});

describe("whose a session is", () => {
  const authenticate: Auth.Authenticate = ({ header }) => {
    const user = header("authorization");
    return user === undefined
      ? Effect.succeed(Auth.anonymous)
      : user === "nobody"
      ? Effect.fail(new Auth.Unauthorized({ challenge: "Bearer" }))
      : Effect.delay(Effect.succeed(Auth.principal(user.split(" ")[0]!, { token: user })), 0);
  };
  const as = (authorization: string | null) => ({ authorization });

  test("session: does not exist for another principal, whatever they send, and its questions are not theirs (B43)", () =>
    withAsking(async ({ fetch, pass }) => {
      const go = async <A>(promise: Promise<A>): Promise<A> => {
        await settle(2);
        await pass("0 millis");
        return promise;
      };
      const ada = await go(Client.open(fetch, { headers: as("ada"), ready: false }));
      await go(ada.send(notification("initialized")));
      const stream = await go(ada.stream(tool("ask")));
      const who = await stream.next();
      for (const other of [as("bob"), as(null), as("Ada")]) {
        const refused = [
          await go(ada.send(list(), other)),
          await go(
            ada.send({ jsonrpc: "2.0", id: who.id, result: { action: "accept", content: { name: "x" } } }, other),
          ),
          await go(ada.send(notification("cancelled", { requestId: 1 }), other)),
          await read(await go(ada.get(other))),
          await read(await go(ada.delete(other))),
        ];
        for (const reply of refused) assertEquals(outcome(reply), "404/-32600");
      }
      assertEquals(outcome(await go(ada.send(list(), as("nobody")))), "401/-32600");
      assertEquals(outcome(await read(await go(ada.get(as("nobody"))))), "401/-32600");
      assertEquals(outcome(await read(await go(ada.delete(as("nobody"))))), "401/-32600");
      // The same subject with a new token
      await go(
        ada.send({ jsonrpc: "2.0", id: who.id, result: { action: "accept", content: { name: "Ada" } } }, as("ada 2")),
      );
      assertEquals((await stream.next()).result.content[0].text, "Hello Ada");
      assertEquals((await go(ada.delete())).status, 204);
    }, { authenticate }));
});

describe("how a session ends", () => {
  test("DELETE: ends it for good (B37, B38)", () =>
    withAsking(async ({ fetch }) => {
      const [client, other] = [await Client.open(fetch), await Client.open(fetch)];
      assertEquals((await client.delete()).status, 204);
      assertEquals(outcome(await client.send(list())), "404/-32600");
      assertEquals((await client.delete()).status, 404);
      assertEquals(outcome(await read(await client.get())), "404/-32600");
      assertEquals(outcome(await other.send(list())), "200/ok");
    }));

  test("idle: ends it after a while without use; each use begins the while anew (B38)", () =>
    withAsking(async ({ fetch, pass }) => {
      const client = await Client.open(fetch);
      for (let turn = 0; turn < 3; turn++) {
        await pass("29 minutes");
        assertEquals(outcome(await client.send(request("ping"))), "200/ok");
      }
      await pass("30 minutes");
      assertEquals(outcome(await client.send(request("ping"))), "404/-32600");
    }));

  test("idle: not while a stream is open or a person thinks (B38)", () =>
    withAsking(async ({ fetch, pass }) => {
      const [listening, asking] = [await Client.open(fetch), await Client.open(fetch)];
      const get = await listening.listen();
      const stream = await asking.stream(tool("ask"));
      const who = await stream.next();
      await pass("5 minutes");
      assertEquals(outcome(await listening.send(request("ping"))), "200/ok");
      await asking.accept(who, { name: "Ada" });
      assertEquals((await stream.rest()).at(-1).result.content[0].text, "Hello Ada");
      await get.leave();
      await settle();
      await pass("1 minutes");
      assertEquals(outcome(await listening.send(request("ping"))), "404/-32600");
      assertEquals(outcome(await asking.send(request("ping"))), "404/-32600");
    }, { legacy: { idle: "1 minute" } }));

  test("max: the oldest that never was ready makes room, then the one that is idle longest, else 503 (B38)", () =>
    withAsking(async ({ fetch }) => {
      const [first, fresh] = [await Client.open(fetch), await Client.open(fetch, { ready: false })];
      const second = await Client.open(fetch);
      const there = async (client: Client) => outcome(await client.send(request("ping"))) === "200/ok";
      const third = await Client.open(fetch);
      assertEquals([await there(fresh), await there(first), await there(second)], [false, true, true]);
      const fourth = await Client.open(fetch);
      assertEquals([await there(third), await there(first), await there(second)], [false, true, true]);
      const streams = await Promise.all([first, second, fourth].map((client) => client.stream(tool("ask"))));
      await Promise.all(streams.map((stream) => stream.next()));
      const full = await read(await fetch(post(initialize())));
      assertEquals([outcome(full), full.headers.get("retry-after")], ["503/-32603", "1"]);
      assertEquals(await there(first), true);
      await Promise.all(streams.map((stream) => stream.leave()));
    }, { legacy: { max: 3 } }));

  test("another instance does not know it: 404 at once, so that the client begins anew (B44)", () =>
    withAsking(({ fetch }) =>
      withAsking(async (other) => {
        const client = await Client.open(fetch);
        const answers = await Promise.all([
          other.fetch(post(list(), client.headers())),
          other.fetch(bare("GET", client.headers({ accept: "text/event-stream" }))),
          other.fetch(bare("DELETE", client.headers())),
        ]);
        assertEquals(answers.map(({ status }) => status), [404, 404, 404]);
      })
    ));
});

describe("what a session remembers", () => {
  test("logging/setLevel: holds for its session alone (B59)", () =>
    withAsking(async ({ fetch }) => {
      const levels = ["info", "error", undefined] as const;
      const clients = await Promise.all(levels.map(() => Client.open(fetch)));
      for (const [index, level] of levels.entries()) {
        if (level !== undefined) await clients[index]!.send(request("logging/setLevel", { level }));
      }
      assertEquals(outcome(await clients[0]!.send(request("logging/setLevel", { level: "bogus" }))), "200/-32602");
      const heard = await Promise.all(clients.map(async (client) => {
        const stream = await client.stream(tool("talk"));
        const logs: Array<string> = [];
        for (
          let message = await stream.next();
          message.method !== "elicitation/create";
          message = await stream.next()
        ) {
          logs.push(message.params.level);
        }
        await stream.leave();
        return logs;
      }));
      assertEquals(heard, [["info", "error"], ["error"], []]);
    }));
});

test("options: limits of sessions have to be positive, and times to be times", () => {
  const wrong = [
    { max: 0 },
    { max: -1 },
    { max: Number.NaN },
    { maxRounds: 0 },
    { maxSubscriptions: 0 },
    { idle: "soon" },
    { roundTimeout: "later" },
  ];
  for (const legacy of wrong) {
    const made = Result.try(() =>
      McpServer.toWebHandler(McpServer.make({ name: "x", version: "1" }), {
        legacy: legacy as NonNullable<McpServer.HttpOptions["legacy"]>,
      })
    );
    assert(Result.isFailure(made), JSON.stringify(legacy));
  }
});
