/** URL mode beside cases B22 and B33: consent is not completion, and no question is put twice. Legacy ids are not here. */
import { describe, test } from "node:test";
import { assert, assertEquals, assertThrows } from "@std/assert";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { McpServer, Need, Tool } from "@needful/mcp";
import { type Counter, counter } from "./fixtures.ts";
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
  type Json,
  type Reply,
  send,
  type Target,
} from "./wire.ts";

/** A page that is finished when it was visited; `ids` are the interactions that were asked for. */
const page = () => {
  const ids: Array<string> = [];
  let visited = false;
  return {
    ids,
    visit: () => visited = true,
    need: Need.elicitUrl("page", {
      message: "Please enter your key there",
      url: (id) => `https://example.com/keys/${id}`,
      done: (id) =>
        Effect.sync(() => {
          ids.push(id);
          return visited ? Option.some("key-7") : Option.none();
        }),
      wait: "30 millis",
    }),
  };
};

const server = (made: ReturnType<typeof page>, runs: Counter) =>
  McpServer.make({
    name: "pages",
    version: "1",
    tools: [
      Tool.make("connect", {
        description: "Needs a key that must not pass through the client",
        handler: () => Effect.andThen(runs.count("connect"), made.need),
      }),
    ],
  });

/** Fails unless the round ended with state alone; gives the state. */
const stateOnly = (reply: Reply): string => {
  assertEquals(Object.keys(reply.result ?? {}).sort(), ["_meta", "requestState", "resultType"], reply.text);
  assertEquals(reply.result?.resultType, "input_required");
  return reply.result!.requestState!;
};

const back = (target: Target, first: Body, state: string, more: Json = {}): Promise<Reply> =>
  send(target, again(first, { ...more, requestState: state }));

describe("URL mode", () => {
  test("the question has mode, message and a URL that stays the same, and no id of its own (2026-07-28)", async () => {
    await bothWays(() => server(page(), counter()), async (target) => {
      const first = call("connect", {}, ANY);
      const one = asks(await send(target, first), "page");
      const { params } = one.requests["page"]!;
      assertEquals(Object.keys(params).sort(), ["message", "mode", "url"]);
      assertEquals([params["mode"], params["message"]], ["url", "Please enter your key there"]);
      assert(/^https:\/\/example\.com\/keys\/[A-Za-z0-9_-]{16,}$/.test(String(params["url"])), String(params["url"]));
      const two = asks(await back(target, first, one.state), "page");
      assertEquals(two.requests["page"]?.params["url"], params["url"]);
      const other = asks(await send(target, call("connect", {}, ANY)), "page");
      assert(other.requests["page"]?.params["url"] !== params["url"]);
    });
  });

  test("an accept is consent only: rounds end with state alone until the page is finished", () => {
    const made = page();
    return inProcess(server(made, counter()), async (target) => {
      const first = call("connect", {}, ANY);
      const { requests, state } = asks(await send(target, first), "page");
      assertEquals(made.ids, []);
      const waiting = stateOnly(await back(target, first, state, { inputResponses: { page: accept() } }));
      const still = stateOnly(await back(target, first, waiting));
      made.visit();
      completes(await back(target, first, still), "key-7");
      const id = String(requests["page"]?.params["url"]).split("/").at(-1);
      assert(made.ids.length > 1 && made.ids.every((asked) => asked === id), made.ids.join());
    });
  });

  test("a page that is finished already completes the round of the accept", () => {
    const made = page();
    made.visit();
    return inProcess(server(made, counter()), async (target) => {
      const first = call("connect", {}, ANY);
      const { state } = asks(await send(target, first), "page");
      completes(await back(target, first, state, { inputResponses: { page: accept() } }), "key-7");
    });
  });

  test("content in an accept is no answer to the question, whatever it holds", () => {
    const made = page();
    return inProcess(server(made, counter()), async (target) => {
      const first = call("connect", {}, ANY);
      const { state } = asks(await send(target, first), "page");
      stateOnly(
        await back(target, first, state, { inputResponses: { page: accept({ key: "forged", value: "key-7" }) } }),
      );
    });
  });

  test("no is a no, even on a page that is finished, and what is no answer is asked again", () => {
    const made = page();
    made.visit();
    return inProcess(server(made, counter()), async (target) => {
      const first = call("connect", {}, ANY);
      const { state } = asks(await send(target, first), "page");
      for (const answer of [decline, cancel]) {
        const reply = await back(target, first, state, { inputResponses: { page: answer } });
        assertEquals([reply.result?.resultType, reply.result?.isError], ["complete", true], reply.text);
      }
      for (const answer of [{}, null, 1, "accept", [], { action: "done" }]) {
        asks(await back(target, first, state, { inputResponses: { page: answer } }), "page");
      }
    });
  });

  test("URLs that are no http(s) ones, or that carry credentials, are refused when the need is built", () => {
    for (
      const url of [
        "",
        "/relative",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "ftp://example.com",
        "https://user:pw@example.com",
      ]
    ) {
      assertThrows(() => Need.elicitUrl("page", { message: "Go", url, done: Effect.succeed(Option.none()) }), "page");
    }
  });
});
