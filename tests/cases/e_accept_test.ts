/** Case B48: a client gets what it accepts, and never a stream that it refused. */
import { describe, test } from "node:test";
import { assertEquals } from "@std/assert";
import * as Effect from "effect/Effect";
import { Call, McpServer, Tool } from "@needful/mcp";
import { counter, echo } from "./fixtures.ts";
import { bothWays, overHttp } from "./serve.ts";
import { raw } from "./socket.ts";
import { call, headers, type Json, META, rpc, send } from "./wire.ts";

const server = () =>
  McpServer.make({
    name: "accept",
    version: "1",
    tools: [
      echo(counter()),
      Tool.make("loud", {
        description: "Tells how far it is",
        handler: () => Effect.as(Effect.andThen(Call.progress({ progress: 1 }), Call.log("error", "x")), "loud"),
      }),
    ],
  });

const loud = () =>
  rpc("tools/call", { name: "loud", ...META({}, { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" }) });

type Kind = "json" | "sse" | 406;

/** Accept, the kind of a reply without notifications, and of one with them. */
const table: ReadonlyArray<readonly [string | null, Kind, Kind]> = [
  ["application/json, text/event-stream", "json", "sse"],
  ["*/*", "json", "sse"],
  [null, "json", "sse"],
  ["application/*, text/*", "json", "sse"],
  ["application/json", "json", "json"],
  ["application/json;q=0.1, text/event-stream", "json", "sse"],
  ["text/event-stream", "sse", "sse"],
  ["application/json;q=0, text/event-stream", "sse", "sse"],
  ["application/json; q=0.0, */*", "sse", "sse"],
  ["text/event-stream;q=0, */*;q=0.5", "json", "json"],
  ["text/*;q=0, */*", "json", "json"],
  ["APPLICATION/JSON, Text/Event-Stream", "json", "sse"],
  ["application/json;charset=utf-8, text/event-stream;charset=utf-8", "json", "sse"],
  ["text/html, application/xhtml+xml, */*;q=0.8", "json", "sse"],
  ["text/plain", 406, 406],
  ["application/json-patch+json", 406, 406],
  ["application/json;q=0", 406, 406],
  ["image/*", 406, 406],
  ["*/*;q=0", 406, 406],
];

describe("B48: Accept", () => {
  for (const [accept, quiet, noisy] of table) {
    test(`B48: ${accept ?? "no Accept"}: ${quiet} for a plain result, ${noisy} where the handler tells something first`, () =>
      bothWays(server, async (target, way) => {
        // Over HTTP, Deno's fetch puts */* where there is none
        if (accept === null && way === "over HTTP") return;
        for (const [body, kind, notices] of [[call("echo"), quiet, 0], [loud(), noisy, 2]] as const) {
          const reply = await send(target, body, { accept });
          if (kind === 406) {
            assertEquals([reply.status, reply.headers.get("content-type")], [406, "application/json"]);
            continue;
          }
          assertEquals([reply.status, reply.streamed], [200, kind === "sse"], reply.text);
          assertEquals(reply.result?.resultType, "complete");
          // Notifications to a client that takes no streams are dropped
          assertEquals(reply.notifications.length, kind === "sse" ? notices : 0);
        }
      }));
  }

  test("B48: errors are JSON, whatever is accepted", () =>
    bothWays(server, async (target) => {
      for (const accept of ["text/event-stream", "application/json;q=0, text/event-stream"]) {
        const reply = await send(target, rpc("nope/nope", META()), { accept });
        assertEquals([reply.status, reply.headers.get("content-type"), reply.error?.code], [
          404,
          "application/json",
          -32601,
        ]);
      }
    }));

  test("B48: a subscription without streams is refused with 406", () =>
    bothWays(server, async (target) => {
      const body = rpc("subscriptions/listen", { ...META(), notifications: { toolsListChanged: true } });
      for (const accept of ["application/json", "text/event-stream;q=0, */*", "text/plain"]) {
        assertEquals((await send(target, body, { accept })).status, 406);
      }
    }));

  test("B48: Accept may stand in two lines", () =>
    overHttp(server(), async ({ port }) => {
      const lines = (...accepts: ReadonlyArray<string>) => ({
        headers: [
          ...Object.entries(headers(call("echo") as unknown as Json, { accept: null })),
          ...accepts.map((accept) => ["Accept", accept] as const),
        ],
        body: JSON.stringify(call("echo")),
      });
      assertEquals(
        (await raw(port, lines("text/event-stream", "application/json"))).headers.get("content-type"),
        "application/json",
      );
      assertEquals((await raw(port, lines("text/plain", "application/json;q=0"))).status, 406);
    }));

  test("B48: what is said in events is one line of data each, whatever it contains", () =>
    overHttp(server(), async ({ port }) => {
      const args = { a: "\r\n\r\ndata: {}\n\nevent: x\rid: 1\n: c\u2028\u2029\u0085 \u0000" };
      const { body } = await raw(port, {
        headers: Object.entries(headers(call("echo") as unknown as Json, { accept: "text/event-stream" })),
        body: JSON.stringify(call("echo", args)),
      });
      // WHATWG HTML, 9.2.6: lines end at CR, LF or both
      const lines = body.split(/\r\n|\n|\r/).filter((line) => line !== "");
      assertEquals([lines.length, lines[0]?.startsWith("data: ")], [1, true], body);
      const { result } = JSON.parse(lines[0]!.slice(6)) as {
        readonly result: { readonly content: ReadonlyArray<{ readonly text: string }> };
      };
      assertEquals(result.content[0]?.text, JSON.stringify(args));
    }));
});
