/** Cases B60 and B61 over real connections: subscriptions and quiet streams. The parts about stdio and other runtimes are not here. */
import { describe, test } from "node:test";
import { assert, assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import { Auth, Catalog, McpServer, Prompt, Resource, Tool } from "@needful/mcp";
import { type Listening, overHttp } from "./serve.ts";
import { bytesOf, connect, type Socket } from "./socket.ts";
import { type Body, call, type Changes, completes, events, headers, type Json, META, rpc, send } from "./wire.ts";

const extra = Tool.make("extra", { description: "Comes later", handler: () => Effect.succeed("extra") });

const server = () =>
  McpServer.make({
    name: "listen",
    version: "1",
    tools: [
      Tool.make("add", { description: "Adds a tool", handler: () => Effect.as(Catalog.replaceTool(extra), "added") }),
      Tool.make("touch", {
        description: "Tells that resources changed",
        handler: () =>
          Effect.as(
            Effect.forEach(["note:///a", "note:///b", "note:///secret"], Catalog.resourceUpdated, { discard: true }),
            "touched",
          ),
      }),
    ],
    prompts: [Prompt.make("p", { description: "A prompt", handler: () => Effect.succeed("p") })],
    resources: [
      ...["a", "b"].map((name) => Resource.make(`note:///${name}`, { name, handler: () => Effect.succeed(name) })),
      Resource.make("note:///secret", {
        name: "secret",
        visible: ({ subject }) => subject === "ada",
        handler: () => Effect.succeed("secret"),
      }),
    ],
  });

const listen = (notifications: Json, id: string | number = 1): Body =>
  rpc("subscriptions/listen", { ...META(), notifications }, id);

const open = async ({ port }: Listening, body: Body, changes: Changes = {}): Promise<Socket> => {
  const socket = await connect(port);
  const list = Object.entries(headers(body as unknown as Json, changes));
  await socket.write(bytesOf(port, { headers: list, body: JSON.stringify(body) }));
  return socket;
};

/** The messages in the raw text of a chunked stream: chunk sizes stand on lines of their own. */
const messagesIn = (text: string): ReadonlyArray<Json> => {
  const at = text.indexOf("data: ");
  return at < 0 ? [] : events(text.slice(at).replaceAll(/\r\n[0-9a-f]*\r\n/g, "").replaceAll(/^[0-9a-f]+\r\n/gm, ""));
};

const key = "io.modelcontextprotocol/subscriptionId";

const idOf = (message: Json): unknown =>
  (((message["params"] ?? message["result"]) as Json | undefined)?.["_meta"] as Json | undefined)?.[key];

describe("B60: subscriptions over HTTP", () => {
  for (const id of [0, -1, "s", "0", ""]) {
    test(`B60: every message of a subscription carries its id ${JSON.stringify(id)} as it is`, () =>
      overHttp(server(), async (target) => {
        const wanted = {
          toolsListChanged: true,
          promptsListChanged: true,
          resourceSubscriptions: ["note:///a", "note:///none"],
        };
        const socket = await open(target, listen(wanted, id));
        let seen = await socket.until("acknowledged") + await socket.until("\n\n");
        completes(await send(target, call("add")), "added");
        completes(await send(target, call("touch")), "touched");
        seen += await socket.until("list_changed") + await socket.until("\n\n");
        if (!seen.includes("resources/updated")) {
          seen += await socket.until("resources/updated") + await socket.until("\n\n");
        }
        socket.close();
        const messages = messagesIn(seen);
        assertEquals(messages[0]?.["method"], "notifications/subscriptions/acknowledged");
        assertEquals(
          messages.map(({ method }) => method).sort(),
          [
            "notifications/resources/updated",
            "notifications/subscriptions/acknowledged",
            "notifications/tools/list_changed",
          ],
        );
        for (const message of messages) assertEquals(idOf(message), id);
        const updated = messages.find(({ method }) => method === "notifications/resources/updated");
        assertEquals((updated?.["params"] as Json)["uri"], "note:///a");
      }));
  }

  test("B60: a filter that asks for nothing, or for nothing that is served, is acknowledged and ended at once", () =>
    overHttp(McpServer.make({ name: "tools", version: "1", tools: [extra] }), async (target) => {
      for (
        const filter of [{}, { toolsListChanged: false }, { promptsListChanged: true }, {
          resourceSubscriptions: ["x:y"],
        }, { vendor: true }]
      ) {
        const reply = await send(target, listen(filter, "q"));
        assertEquals(reply.streamed, true);
        assertEquals(reply.notifications[0]?.method, "notifications/subscriptions/acknowledged");
        assertEquals(reply.notifications[0]?.params["notifications"], {});
        assertEquals([reply.id, reply.result?.resultType, (reply.result?.["_meta"] as Json)[key]], [
          "q",
          "complete",
          "q",
        ]);
      }
    }));

  test("B60: what a caller may not see is not honoured for him, and nothing tells of it", () => {
    const authenticate = (request: Auth.AuthRequest) =>
      Effect.succeed(Auth.principal(request.header("authorization") ?? "nobody"));
    return overHttp(server(), async (target) => {
      const wanted = { resourceSubscriptions: ["note:///a", "note:///secret"] };
      const [ada, bob] = await Promise.all(
        ["ada", "bob"].map((authorization) => open(target, listen(wanted), { authorization })),
      );
      const acknowledged = async (socket: Socket): Promise<unknown> => {
        const seen = await socket.until("acknowledged") + await socket.until("\n\n");
        return (messagesIn(seen)[0]?.["params"] as Json)["notifications"];
      };
      assertEquals(await acknowledged(ada!), { resourceSubscriptions: ["note:///a", "note:///secret"] });
      assertEquals(await acknowledged(bob!), { resourceSubscriptions: ["note:///a"] });
      completes(await send(target, call("touch")), "touched");
      assert((await ada!.until("note:///secret")).includes("note:///a"));
      assert(!(await bob!.until("note:///a") + await bob!.rest(200)).includes("secret"));
      ada!.close();
    }, { authenticate });
  });

  test("B60: 500 clients come and go, more than may listen at a time, and each leaves its place", () =>
    overHttp(server(), async (target) => {
      for (let batch = 0; batch < 10; batch++) {
        const sockets = await Promise.all(
          Array.from({ length: 50 }, (_, id) => open(target, listen({ toolsListChanged: true }, id))),
        );
        for (const socket of sockets) assert((await socket.until("\n\n")).includes("200 OK"));
        for (const socket of sockets) socket.close();
        for (let i = 0; i < 100; i++) {
          const probe = await open(target, listen({ toolsListChanged: true }));
          const head = await probe.until("\r\n\r\n");
          probe.close();
          if (head.includes("200 OK")) break;
          await new Promise((resolve) => setTimeout(resolve, 10));
          assert(i < 99, "No place became free within a second");
        }
      }
      completes(await send(target, call("add")), "added");
    }, { subscriptions: { max: 60 } }));

  test("B60: one over the maximum is refused with an error, not with a stream", () =>
    overHttp(server(), async (target) => {
      const sockets = await Promise.all([1, 2].map((id) => open(target, listen({ toolsListChanged: true }, id))));
      for (const socket of sockets) await socket.until("acknowledged");
      const reply = await send(target, listen({ toolsListChanged: true }));
      assertEquals([reply.streamed, reply.result, typeof reply.error?.code], [false, undefined, "number"]);
      for (const socket of sockets) socket.close();
    }, { subscriptions: { max: 2 } }));

  test("B60: malformed filters are refused with -32602", () =>
    overHttp(server(), async (target) => {
      for (
        const wrong of [null, [], "x", 1, { toolsListChanged: 1 }, { resourceSubscriptions: "x" }, {
          resourceSubscriptions: [1],
        }]
      ) {
        const reply = await send(target, rpc("subscriptions/listen", { ...META(), notifications: wrong }));
        assertEquals([reply.status, reply.error?.code], [200, -32602], JSON.stringify(wrong));
      }
      assertEquals((await send(target, rpc("subscriptions/listen", META()))).error?.code, -32602);
    }));

  test("B60: a server that stops ends them with a result, then the notice of it, then the stream", async () => {
    let seen: Promise<string> | undefined;
    await overHttp(server(), async (target) => {
      const socket = await open(target, listen({ toolsListChanged: true }, "bye"));
      const head = await socket.until("acknowledged");
      seen = socket.rest().then((rest) => head + rest);
    });
    const messages = messagesIn(await seen!);
    assertEquals(messages.map((message) => message["method"] ?? (message["result"] as Json)["resultType"]), [
      "notifications/subscriptions/acknowledged",
      "complete",
      "notifications/cancelled",
    ]);
    for (const message of messages) assertEquals(idOf(message), "bye");
    assertEquals([messages[1]?.["id"], (messages[2]?.["params"] as Json)["requestId"]], ["bye", "bye"]);
  });
});

describe("B61: quiet streams", () => {
  test("B61: comments keep a quiet stream alive, and no proxy is to buffer or keep it", () =>
    overHttp(server(), async (target) => {
      const socket = await open(target, listen({ toolsListChanged: true }));
      const head = (await socket.until("\r\n\r\n")).toLowerCase();
      for (const field of ["content-type: text/event-stream", "x-accel-buffering: no"]) {
        assert(head.includes(field), head);
      }
      assert(/cache-control: [^\r]*no-(cache|store)/.test(head), head);
      let seen = await socket.until("acknowledged");
      for (let i = 0; i < 3; i++) seen += await socket.until("\n:") + await socket.until("\n\n");
      assertEquals(messagesIn(seen).length, 1);
      completes(await send(target, call("add")), "added");
      assert((await socket.until("list_changed")).length > 0);
      socket.close();
    }, { keepAlive: "20 millis" }));

  test("B61: a slow reply becomes a stream of comments and its result", () => {
    const slow = Tool.make("slow", { description: "Slow", handler: () => Effect.as(Effect.sleep(150), "Awake") });
    return overHttp(McpServer.make({ name: "slow", version: "1", tools: [slow] }), async (target) => {
      const reply = await send(target, call("slow"));
      completes(reply, "Awake");
      assertEquals([reply.streamed, reply.notifications.length], [true, 0]);
      assert(reply.text.startsWith(":"), reply.text);
    }, { keepAlive: "20 millis" });
  });
});
