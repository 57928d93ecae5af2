/** Case B59 and its kind: what a handler tells goes to the caller that asked for it, and to nobody else. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { Auth, Call, Catalog, McpServer, Need, Prompt, Resource, Tool } from "@needful/mcp";
import { bothWays, overHttp } from "./serve.ts";
import {
  accept,
  again,
  asks,
  type Body,
  call,
  events,
  FORM,
  headers,
  type Json,
  META,
  type Reply,
  rpc,
  send,
  type Target,
} from "./wire.ts";

const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

const says = (who: unknown) =>
  Effect.forEach(levels, (level) => Call.log(level, { who }, "fixture"), { discard: true });

const server = () =>
  McpServer.make({
    name: "notify",
    version: "1",
    tools: [
      Tool.make("logs", {
        description: "Logs at all levels",
        input: Schema.Struct({ who: Schema.Int }),
        handler: Effect.fnUntraced(function* ({ who }) {
          yield* says(who);
          yield* Effect.sleep(5);
          yield* says(who);
          return `${who}`;
        }),
      }),
      Tool.make("asks", {
        description: "Logs, asks, logs",
        handler: Effect.fnUntraced(function* () {
          yield* Call.log("error", "before");
          yield* Call.progress({ progress: 1 });
          const ok = yield* Need.confirm("ok", "Ok?");
          yield* Call.log("error", "after");
          yield* Call.progress({ progress: 2, total: 2, message: "done" });
          return `${ok}`;
        }),
      }),
      Tool.make("changes", {
        description: "Logs, and tells that a resource changed",
        handler: () => Effect.as(Effect.andThen(says(0), Catalog.resourceUpdated("note:///r")), "changed"),
      }),
      Tool.make("effect", {
        description: "Logs the author's way",
        handler: () => Effect.as(Effect.logError("for the operator"), "done"),
      }),
    ],
    prompts: [Prompt.make("p", { description: "Logs", handler: () => Effect.as(says(1), "p") })],
    resources: [Resource.make("note:///r", { name: "r", handler: () => Effect.as(says(2), "r") })],
  });

const withLevel = (level: string | undefined, more: Json = {}): { readonly _meta: Json } =>
  META(FORM, { ...(level === undefined ? {} : { "io.modelcontextprotocol/logLevel": level }), ...more });

const levelsIn = (reply: Reply): ReadonlyArray<unknown> =>
  reply.notifications.filter(({ method }) => method === "notifications/message").map(({ params }) => params["level"]);

describe("B59: log messages", () => {
  const kinds: ReadonlyArray<readonly [string, (meta: Json) => Body, number]> = [
    ["tools/call", (meta) => rpc("tools/call", { name: "logs", arguments: { who: 3 }, ...meta }), 2],
    ["prompts/get", (meta) => rpc("prompts/get", { name: "p", ...meta }), 1],
    ["resources/read", (meta) => rpc("resources/read", { uri: "note:///r", ...meta }), 1],
  ];
  for (const [method, body, times] of kinds) {
    test(`B59: ${method} sends what reaches the level of the request, and nothing without one`, () =>
      bothWays(server, async (target) => {
        assertEquals((await send(target, body(withLevel(undefined)))).streamed, false);
        for (const [i, level] of levels.entries()) {
          const reply = await send(target, body(withLevel(level)));
          const once = levels.slice(i);
          assertEquals(levelsIn(reply), Array.from({ length: times }, () => once).flat(), level);
          assertEquals(reply.result?.resultType, "complete");
          const [first] = reply.notifications;
          assertEquals(first?.params["logger"], "fixture");
        }
      }));
  }

  test("B59: requests in parallel get their own messages at their own levels", () =>
    bothWays(server, async (target) => {
      const replies = await Promise.all(Array.from({ length: 32 }, (_, who) => {
        const level = who % 4 === 3 ? undefined : levels[who % 8];
        return send(target, rpc("tools/call", { name: "logs", arguments: { who }, ...withLevel(level) }, 1));
      }));
      replies.forEach((reply, who) => {
        const expected = who % 4 === 3 ? 0 : 2 * (8 - who % 8);
        assertEquals([reply.notifications.length, reply.result?.content?.[0]?.text], [expected, `${who}`]);
        for (const { params } of reply.notifications) assertEquals(params["data"], { who });
      });
    }));

  test("B59: none of them reaches a subscription, nor does progress", () =>
    overHttp(server(), async (target) => {
      const listen = rpc("subscriptions/listen", {
        ...withLevel("debug", { progressToken: "l" }),
        notifications: { toolsListChanged: true, resourceSubscriptions: ["note:///r"] },
      });
      const response = await openStream(target, listen);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let seen = "";
      const until = async (marker: string): Promise<void> => {
        while (!seen.includes(marker)) seen += (await reader.read()).value ?? "";
      };
      await until("acknowledged");
      await send(target, rpc("tools/call", { name: "changes", ...withLevel("debug", { progressToken: 1 }) }));
      await until("resources/updated");
      assertEquals(events(seen).map(({ method }) => method), [
        "notifications/subscriptions/acknowledged",
        "notifications/resources/updated",
      ]);
      await reader.cancel();
    }));

  test("B59: an author's own log never reaches the client", () =>
    bothWays(server, async (target) => {
      const reply = await send(target, rpc("tools/call", { name: "effect", ...withLevel("debug") }));
      assertEquals([reply.notifications.length, reply.text.includes("operator")], [0, false]);
    }));

  test("B59: each round tells on its own stream, before its interim result or its end", () =>
    bothWays(server, async (target) => {
      const first = rpc("tools/call", { name: "asks", ...withLevel("error", { progressToken: 0 }) });
      const one = await send(target, first);
      const { state } = asks(one, "ok");
      const told = (reply: Reply) =>
        reply.notifications.map(({ method, params }) => [method, params["data"] ?? params["progress"]]);
      assertEquals(told(one), [["notifications/message", "before"], ["notifications/progress", 1]]);
      const two = await send(
        target,
        again(first, { inputResponses: { ok: accept({ ok: true }) }, requestState: state }),
      );
      // A round runs the handler anew: what it tells before the ask is told again
      assertEquals(told(two), [
        ["notifications/message", "before"],
        ["notifications/progress", 1],
        ["notifications/message", "after"],
        ["notifications/progress", 2],
      ]);
      assertEquals(two.notifications.at(-1)?.params, { progressToken: 0, progress: 2, total: 2, message: "done" });
    }));
});

const openStream = (target: Target, body: Body): Promise<Response> =>
  target.fetch(
    new Request(target.url, { method: "POST", headers: headers(body as unknown as Json), body: JSON.stringify(body) }),
  );

describe("B39: callers of one server do not cross", () => {
  test("B39: fifty callers at once get what is theirs: subject, progress, questions, all ids being 1", () => {
    const whoami = Tool.make("whoami", {
      description: "Says who calls",
      handler: Effect.fnUntraced(function* () {
        const { principal } = yield* Need.flow;
        yield* Call.progress({ progress: 1, message: principal.subject });
        yield* Effect.sleep(principal.subject.length * 7 % 13);
        const { subject } = yield* Auth.Principal;
        yield* Call.progress({ progress: 2, message: subject });
        const answer = yield* Need.elicit("k", {
          message: `For ${subject}?`,
          schema: { type: "object", properties: { v: { type: "string" } }, required: ["v"] },
        });
        return `${principal.subject} ${subject} ${answer.v}`;
      }),
    });
    const authenticate = (request: Auth.AuthRequest) =>
      Effect.succeed(Auth.principal(request.header("authorization") ?? ""));
    return bothWays(() => McpServer.make({ name: "crossing", version: "1", tools: [whoami] }), async (target) => {
      await Promise.all(Array.from({ length: 50 }, async (_, i) => {
        const subject = `user-${"x".repeat(i % 11)}-${i}`;
        const first = {
          ...call("whoami", {}, FORM),
          id: 1,
          params: { name: "whoami", ...META(FORM, { progressToken: i }) },
        };
        const one = await send(target, first, { authorization: subject });
        const { requests, state } = asks(one, "k");
        assertEquals(requests["k"]?.params["message"], `For ${subject}?`);
        const retry = {
          ...again(first, { inputResponses: { k: accept({ v: subject }) }, requestState: state }),
          id: 1,
        };
        const two = await send(target, retry, { authorization: subject });
        assertEquals(two.result?.content?.[0]?.text, `${subject} ${subject} ${subject}`);
        for (const { params } of [...one.notifications, ...two.notifications]) {
          assertEquals([params["progressToken"], params["message"]], [i, subject]);
        }
      }));
    }, { authenticate });
  });
});
