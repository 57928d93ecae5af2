/** The layer for Deno, over real sockets. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, test } from "node:test";
import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import type { Catalog, McpServer } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";
import { call, type Fixture, fixture, messages, meta, outcome, quiet, rpc, send } from "../transport/fixture.ts";

const run = <A>(effect: Effect.Effect<A>): Promise<A> => Effect.runPromise(effect);

interface Served {
  readonly listening: DenoServer.Listening;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly stop: () => Promise<void>;
}

/** Serves, and stops when `use` is over. */
const serving = async (
  server: McpServer.McpServer,
  use: (served: Served) => Promise<void>,
  options: DenoServer.Options = {},
): Promise<void> => {
  const scope = await run(Scope.make());
  const layer = DenoServer.layer(server, { port: 0, ...options }).pipe(Layer.provide(quiet));
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope));
  const listening = Context.get(context, DenoServer.Listening);
  const stop = () => run(Scope.close(scope, Exit.void));
  const there = ({ body, headers, method, signal }: Request): Request => {
    const sent = new Headers(headers);
    return new Request(listening.url, { method, headers: sent, body, signal, ...{ duplex: "half" } });
  };
  try {
    await use({ listening, fetch: (request) => fetch(there(request)), stop });
  } finally {
    await stop();
  }
};

/** A request byte for byte, on a connection of its own. */
const raw = (port: number, text: string): Socket => {
  const socket = connect(port, "127.0.0.1");
  socket.write(text.replaceAll("\n", "\r\n"));
  return socket;
};

const reply = async (socket: Socket): Promise<string> => {
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    if (/\r\n\r\n/.test(text)) socket.end();
  });
  await once(socket, "close");
  return text;
};

const inTheMiddle = ({ waiting }: Fixture): Promise<void> => run(Deferred.await(waiting));
const release = ({ release }: Fixture): Promise<boolean> => run(Deferred.succeed(release, undefined));

/** Waits for what happens on the other side of a socket. */
const eventually = async (done: () => boolean): Promise<void> => {
  for (let turns = 0; !done(); turns++) {
    if (turns > 2_000) throw new Error("It did not happen within about two seconds");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

describe("layer", () => {
  test("layer: gives the address it is bound to, and the catalog", () =>
    serving(fixture().server, async ({ fetch, listening }) => {
      assertMatch(listening.url, /^http:\/\/127\.0\.0\.1:[1-9][0-9]*\/mcp$/);
      assertEquals(listening.url, `http://127.0.0.1:${listening.port}/mcp`);
      assertEquals(await outcome(await fetch(call("echo", { text: "é" }))), "200/complete");
    }));

  test("layer: types say what is provided and what is needed", () => {
    const layer: Layer.Layer<DenoServer.Listening | Catalog.Catalog, DenoServer.ServeError> = DenoServer.layer(
      fixture().server,
    );
    assertEquals(Layer.isLayer(layer), true);
  });

  test("layer: a bind that others can reach needs the names it is reached by", async () => {
    const { server } = fixture();
    for (const hostname of ["0.0.0.0", "::", "mcp.example"]) {
      assertThrows(() => DenoServer.layer(server, { hostname }), `Cannot listen on ${hostname} without allowedHosts`);
    }
    await serving(server, async ({ fetch, listening }) => {
      assertEquals(listening.hostname, "0.0.0.0");
      assertEquals((await fetch(call("echo", { text: "" }))).status, 403);
    }, { hostname: "0.0.0.0", allowedHosts: ["mcp.example"] });
  });

  test("layer: a port that is taken is a ServeError that names it", () =>
    serving(fixture().server, async ({ listening }) => {
      const { port } = listening;
      const second = DenoServer.layer(fixture().server, { port }).pipe(Layer.provide(quiet));
      const error = await run(
        Effect.flip(Effect.scoped(Effect.asVoid(Layer.build(second)))) as Effect.Effect<DenoServer.ServeError>,
      );
      assertEquals(error._tag, "ServeError");
      assertStringIncludes(error.message, `Cannot listen on 127.0.0.1:${port}: `);
    }));

  test("layer: a key that is too weak is a ServeError", async () => {
    const layer = DenoServer.layer(fixture().server, { port: 0 });
    Deno.env.set("MCP_STATE_SECRET", "short");
    const exit = await run(Effect.exit(Effect.scoped(Layer.build(layer))));
    Deno.env.delete("MCP_STATE_SECRET");
    assertEquals(Exit.isFailure(exit), true);
    assertStringIncludes(String(Exit.isFailure(exit) && exit.cause), "Cannot seal states: ");
  });
});

describe("requests over sockets", () => {
  test("fetch: knows its own port, whatever the Host says (B52)", () =>
    serving(fixture().server, async ({ listening: { port } }) => {
      const status = async (host: string, origin?: string): Promise<string> => {
        const more = origin === undefined ? "" : `Origin: ${origin}\n`;
        const text = await reply(raw(port, `GET /mcp HTTP/1.1\nHost: ${host}\n${more}Connection: close\n\n`));
        return text.slice(9, 12);
      };
      // 405 is what those get that are let in
      assertEquals(await status(`127.0.0.1:${port}`), "405");
      assertEquals(await status("LOCALHOST"), "405");
      assertEquals(await status(`[::1]:${port}`), "405");
      assertEquals(await status(`evil.example:${port}`), "403");
      assertEquals(await status("localhost", `http://localhost:${port}`), "405");
      assertEquals(await status(`localhost:${port}`, `http://localhost:${port + 1}`), "403");
      assertEquals(await status("localhost", "http://localhost"), "403");
    }));

  test("fetch: raw bytes that are no ASCII are refused in mirrored headers (B45)", () =>
    serving(fixture().server, async ({ listening: { port } }) => {
      const body = JSON.stringify(rpc("resources/read", { uri: "note:///café/日本語" }));
      const text = await reply(raw(
        port,
        `POST /mcp HTTP/1.1\nHost: localhost\nContent-Type: application/json\nMCP-Protocol-Version: 2026-07-28\n` +
          `Mcp-Method: resources/read\nMcp-Name: note:///café/日本語\nContent-Length: ${
            new TextEncoder().encode(body).length
          }\n\n${body}`,
      ));
      assertEquals(text.slice(9, 12), "400");
      assertStringIncludes(text, "-32020");
    }));

  test("fetch: names of headers in any case are the same", () =>
    serving(fixture().server, async ({ listening: { port } }) => {
      const body = JSON.stringify(rpc("tools/list"));
      const text = await reply(raw(
        port,
        `POST /mcp HTTP/1.1\nhOsT: localhost\nCONTENT-TYPE: application/json\nmcp-PROTOCOL-version: 2026-07-28\n` +
          `MCP-METHOD: tools/list\nContent-Length: ${body.length}\n\n${body}`,
      ));
      assertEquals(text.slice(9, 12), "200");
    }));

  test("fetch: a socket that is destroyed interrupts the handler, stream or not (B57)", async () => {
    for (const params of [{}, { _meta: meta({}, { progressToken: 1 }) }]) {
      const made = fixture();
      await serving(made.server, async ({ fetch, listening: { port } }) => {
        const body = JSON.stringify(rpc("tools/call", { name: "progress", arguments: {}, ...params }));
        const socket = raw(
          port,
          `POST /mcp HTTP/1.1\nHost: localhost\nContent-Type: application/json\nMCP-Protocol-Version: 2026-07-28\n` +
            `Mcp-Method: tools/call\nMcp-Name: progress\nContent-Length: ${body.length}\n\n${body}`,
        );
        await inTheMiddle(made);
        socket.destroy();
        await eventually(() => made.events.length > 0);
        assertEquals(made.events, ["interrupted"]);
        assertEquals(await outcome(await fetch(call("echo", { text: "" }))), "200/complete");
      });
    }
  });

  test("fetch: an upload that breaks off does no harm (B57)", () =>
    serving(fixture().server, async ({ fetch, listening: { port } }) => {
      const socket = raw(
        port,
        "POST /mcp HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 100\n\n{",
      );
      await once(socket, "connect");
      socket.destroy();
      assertEquals(await outcome(await fetch(call("echo", { text: "" }))), "200/complete");
    }));

  test("fetch: a body over the limit gets a readable 413 (B73)", () =>
    serving(fixture().server, async ({ fetch }) => {
      const response = await fetch(call("echo", { text: "x".repeat(5 * 1_048_576) }));
      assertEquals(response.status, 413);
      assertStringIncludes(await response.text(), "larger than the limit of 4194304 bytes");
      assertEquals(await outcome(await fetch(call("echo", { text: "" }))), "200/complete");
    }));
});

describe("stop", () => {
  test("stop: lets a call in flight finish, and takes no more connections", async () => {
    const made = fixture();
    await serving(made.server, async ({ fetch, stop }) => {
      const responding = fetch(call("wait"));
      await inTheMiddle(made);
      const stopped = stop();
      await release(made);
      assertEquals(await outcome(await responding), "200/complete");
      await stopped;
      const late = await fetch(call("echo", { text: "" })).then(() => "served", () => "refused");
      assertEquals(late, "refused");
    });
  });

  test("stop: ends subscriptions with their result", async () => {
    await serving(fixture().server, async ({ fetch, stop }) => {
      const response = await fetch(send(rpc("subscriptions/listen", { notifications: { toolsListChanged: true } }, 0)));
      const [all] = await Promise.all([messages(response), stop()]);
      assertEquals(all.map((message) => message.method ?? message.result.resultType), [
        "notifications/subscriptions/acknowledged",
        "complete",
        "notifications/cancelled",
      ]);
    });
  });

  test("stop: interrupts what takes longer than it may", async () => {
    const made = fixture();
    await serving(made.server, async ({ fetch, stop }) => {
      const responding = fetch(call("wait")).then((response) => response.status, () => 0);
      await inTheMiddle(made);
      await stop();
      await responding;
      assertEquals(made.events, ["interrupted"]);
    }, { stopWithin: "10 millis" });
  });
});

describe("run", () => {
  // Not `node:child_process`: on Deno it reports the signal that was sent, whatever the process made of it
  const start = (port: number, ...permissions: ReadonlyArray<string>) => {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        "--allow-net=127.0.0.1",
        ...permissions,
        "--no-check",
        new URL("deno_run.ts", import.meta.url).href,
        String(port),
      ],
      env: { MCP_STATE_SECRET: "a key for tests that is long enough", NO_COLOR: "1" },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    return { child, lines: child.stdout.pipeThrough(new TextDecoderStream()).getReader() };
  };

  test("run: serves until it is told to stop, then releases everything and ends with 0", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const { child, lines } = start(0, "--allow-env=MCP_STATE_SECRET");
      const url = (await lines.read()).value!.trim();
      const response = await fetch(url);
      await response.body?.cancel();
      assertEquals(response.status, 405);
      child.kill(signal);
      assertEquals([(await lines.read()).value, (await child.status).code], ["released\n", 0]);
      await lines.cancel();
      await child.stderr.cancel();
    }
  });

  test("run: needs no more than the network, and warns where it may not read its secret", async () => {
    for (const permissions of [[], ["--allow-env=MCP_STATE_SECRET"]]) {
      const { child, lines } = start(0, ...permissions);
      assertMatch((await lines.read()).value!, /^http:/);
      child.kill("SIGTERM");
      const errors = await new Response(child.stderr).text();
      assertEquals([errors.includes("MCP_STATE_SECRET is not set"), (await child.status).code], [
        permissions.length === 0,
        0,
      ]);
      await lines.cancel();
    }
  });

  test("run: says why it cannot start, and ends with 1", () =>
    serving(fixture().server, async ({ listening: { port } }) => {
      const { child, lines } = start(port);
      const errors = await new Response(child.stderr).text();
      await lines.cancel();
      assertEquals((await child.status).code, 1);
      assertStringIncludes(errors, `Cannot listen on 127.0.0.1:${port}`);
    }));
});
