/** A server inside of other people's applications: a bare handler, Hono, a router of `effect/http`. */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { Hono } from "hono";
import { Auth, Call, McpServer, Need, Tool } from "@needful/mcp";
import * as Mcp from "@needful/mcp/http";
import { asks, call, completes, fails, FORM, M, META, post, reply, rpc, send, type Target } from "../cases/wire.ts";
import { quiet } from "../transport/fixture.ts";
import { launch, stop } from "./suite/launch.ts";
import { runtimes } from "./suite/runtimes.ts";

type Fetch = (request: Request) => Promise<Response>;

/** A server whose tools ask, wait and say who calls; `ended` says how the waiting ones ended. */
const shop = () => {
  const ended: Array<string> = [];
  const ask = Tool.make("ask", {
    description: "Asks for a name",
    handler: () =>
      Effect.map(
        Need.elicit("who", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) }),
        ({ name }) => `Hello ${name}`,
      ),
  });
  const me = Tool.make("me", {
    description: "Says who calls",
    handler: () => Effect.map(Auth.Principal, ({ subject }) => subject),
  });
  const wait = Tool.make("wait", {
    description: "Reports progress, and does not end",
    handler: () =>
      Effect.as(
        Effect.andThen(
          Call.progress({ progress: 1 }),
          Effect.onInterrupt(Effect.never, () => Effect.sync(() => void ended.push("interrupted"))),
        ),
        "",
      ),
  });
  return { ended, server: McpServer.make({ name: "shop", version: "1", tools: [ask, me, wait] }) };
};

const url = "http://localhost/mcp";
const at = (fetch: Fetch): Target => ({ url, fetch });

const answered = (state: string, name: string) => ({
  inputResponses: { who: { action: "accept", content: { name } } },
  requestState: state,
});

const flow = async (target: Target, changes: Record<string, string> = {}): Promise<void> => {
  const { state } = asks(await send(target, call("ask", {}, FORM), changes), "who");
  completes(await send(target, call("ask", {}, FORM, answered(state, "Ada")), changes), "Hello Ada");
};

const token = { _meta: { ...META()._meta, progressToken: 1 } };

/** Reads the first event of a stream, and leaves. */
const peek = async (fetch: Fetch, changes: Record<string, string> = {}): Promise<string> => {
  const { body, headers } = M(call("wait", {}, {}, token), changes);
  const response = await fetch(new Request(url, { method: "POST", headers, body }));
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
};

const eventually = async (done: () => boolean): Promise<void> => {
  for (let turns = 0; !done(); turns++) {
    if (turns > 2_000) throw new Error("It did not happen within about two seconds");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
};

describe("toWebHandler in a bare host", () => {
  test("fetch: serves as the handler of a host, over its sockets", async () => {
    const { ended, server } = shop();
    const { dispose, fetch: handler } = McpServer.toWebHandler(server, quiet);
    const host = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
    const there: Fetch = (request) =>
      fetch(`http://127.0.0.1:${host.addr.port}/mcp`, {
        method: "POST",
        headers: request.headers,
        body: request.body,
      });
    await flow(at(there));
    assertStringIncludes(await peek(there), "notifications/progress");
    await eventually(() => ended.length > 0);
    await dispose();
    await host.shutdown();
  });
});

describe("toWebHandler in a Hono app", () => {
  test("fetch: lives beside other routes, behind their middleware", async () => {
    const { ended, server } = shop();
    const authenticate: Auth.Authenticate = ({ header }) => Effect.succeed(Auth.principal(header("authorization")!));
    const mcp = McpServer.toWebHandler(server, quiet, { authenticate });
    const app = new Hono();
    app.use(
      "/mcp",
      async ({ req, text }, next) =>
        req.header("authorization")?.startsWith("Bearer ") === true ? await next() : text("Who are you?", 401),
    );
    app.all("/mcp", ({ req }) => mcp.fetch(req.raw));
    app.get("/health", ({ text }) => text("ready"));
    const fetch: Fetch = async (request) => await app.fetch(request);

    const ada = { authorization: "Bearer ada" };
    assertEquals(await (await fetch(new Request("http://localhost/health"))).text(), "ready");
    assertEquals((await send(at(fetch), call("me"))).status, 401);
    completes(await send(at(fetch), call("me"), ada), "Bearer ada");
    await flow(at(fetch), ada);
    assertStringIncludes(await peek(fetch, ada), "notifications/progress");
    await eventually(() => ended.length > 0);
    await mcp.dispose();
  });
});

interface User {
  readonly name: string;
}
const User: Context.Service<User, User> = Context.Service<User>("tests/User");

/** Middleware of an application: who has no token gets no further, and others are known to what comes behind. */
const auth =
  HttpRouter.middleware<{ provides: User }>()((httpEffect) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const [, name] = /^Bearer (\w+)$/.exec(headers["authorization"] ?? "") ?? [];
      return name === undefined
        ? Effect.succeed(HttpServerResponse.text("Who are you?", { status: 401 }))
        : Effect.provideService(httpEffect, User, { name });
    })
  ).layer;

describe("layer of @needful/mcp/http", () => {
  const authenticate: Auth.Authenticate<User> = () => Effect.map(User, ({ name }) => Auth.principal(name));

  const routing = async (use: (fetch: Fetch, ended: ReadonlyArray<string>) => Promise<void>): Promise<void> => {
    const { ended, server } = shop();
    const mounted = Mcp.layer(server, { authenticate, keepAlive: "100 millis" }).pipe(
      Layer.provide(auth),
      Layer.provide(quiet),
    );
    const health = HttpRouter.add("GET", "/health", HttpServerResponse.text("ready"));
    const { dispose, handler } = HttpRouter.toWebHandler(Layer.merge(mounted, health), { disableLogger: true });
    try {
      await use(handler, ended);
    } finally {
      await dispose();
    }
  };
  const ada = { authorization: "Bearer ada" };

  test("layer: lives beside other routes, behind the router's middleware", () =>
    routing(async (fetch) => {
      assertEquals(await (await fetch(new Request("http://localhost/health"))).text(), "ready");
      const refused = await send(at(fetch), call("me"));
      assertEquals([refused.status, refused.text], [401, "Who are you?"]);
      const served = await send(at(fetch), call("me"), ada);
      completes(served, "ada");
      assertEquals(served.headers.get("content-type"), "application/json");
      assertEquals(served.headers.get("cache-control"), "no-store");
    }));

  test("layer: binds states to whom the middleware knows", () =>
    routing(async (fetch) => {
      await flow(at(fetch), ada);
      const { state } = asks(await send(at(fetch), call("ask", {}, FORM), ada), "who");
      const bob = { authorization: "Bearer bob" };
      fails(await send(at(fetch), call("ask", {}, FORM, answered(state, "Bob")), bob), 200, -32602);
    }));

  test("layer: has all checks of the door", () =>
    routing(async (fetch) => {
      const status = async (method: string, changes: Record<string, string>): Promise<number> => {
        const { body, headers } = M(call("me"), { ...ada, ...changes });
        return (await fetch(new Request(url, { method, headers, ...(method === "POST" ? { body } : {}) }))).status;
      };
      assertEquals(await status("POST", { origin: "https://evil.example" }), 403);
      assertEquals(await status("POST", { host: "evil.example" }), 403);
      assertEquals(await status("POST", { "content-type": "text/plain" }), 415);
      assertEquals(await status("POST", { accept: "text/html" }), 406);
      assertEquals(await status("PUT", {}), 405);
    }));

  test("layer: streams, and interrupts the handlers of clients that leave", () =>
    routing(async (fetch, ended) => {
      assertStringIncludes(await peek(fetch, ada), "notifications/progress");
      await eventually(() => ended.length === 1);
      // Before anything was sent: the router gives the request up
      const { body, headers } = M(call("wait"), { ...ada, accept: "application/json" });
      const leaving = new AbortController();
      const left = fetch(new Request(url, { method: "POST", headers, body, signal: leaving.signal })).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
      leaving.abort();
      await left;
      await eventually(() => ended.length === 2);
    }));

  test("layer: ends subscriptions with their result when the router ends", async () => {
    let all = Promise.resolve("");
    await routing(async (fetch) => {
      const listen = rpc("subscriptions/listen", { notifications: { toolsListChanged: true }, ...META() });
      const { body, headers } = M(listen, ada);
      const response = await fetch(new Request(url, { method: "POST", headers, body }));
      all = reply(response).then(({ result }) => String(result?.resultType));
    });
    assertEquals(await all, "complete");
  });

  test("layer: types say that the hook needs what middleware provides", () => {
    const mounted = Mcp.layer(shop().server, { authenticate });
    // @ts-expect-error -- nothing provides `User`
    const open: Layer.Layer<never, Mcp.ServeError, HttpRouter.HttpRouter> = mounted;
    const closed: Layer.Layer<never, Mcp.ServeError, HttpRouter.HttpRouter> = Layer.provide(mounted, auth);
    assertEquals([Layer.isLayer(open), Layer.isLayer(closed)], [true, true]);
  });

  test("layer: serves bodies up to the limit, and refuses more", () =>
    routing(async (fetch) => {
      const large = await post(at(fetch), M(call("me", { filler: "x".repeat(3_000_000) }), ada));
      completes(large, "ada");
      const larger = await post(at(fetch), M(call("me", { filler: "x".repeat(5_000_000) }), ada));
      assertEquals(larger.status, 413);
    }));
});

describe("layer of @needful/mcp/http over node:http", () => {
  for (const runtime of runtimes.filter(({ entry }) => entry === "node")) {
    test(`layer: serves, streams and notices clients that leave on ${runtime.name}`, async () => {
      const secret = "a key for tests that is long enough";
      const host = await launch(await runtime.command("router_node"), { MCP_STATE_SECRET: secret });
      try {
        const there: Fetch = ({ body, headers, method, signal }) =>
          fetch(host.url, { method, headers, body, signal, ...{ duplex: "half" } });
        const events = async (): Promise<ReadonlyArray<string>> =>
          await (await fetch(new URL("/events", host.url))).json();
        const until = async (event: string, times: number): Promise<void> => {
          for (let turns = 0; (await events()).filter((other) => other === event).length < times; turns++) {
            if (turns > 1_000) throw new Error(`"${event}" did not happen`);
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        };
        await flow(at(there));
        completes(await send(at(there), call("echo", { text: "é".repeat(1_000_000) })), "é".repeat(1_000_000));
        assertEquals((await send(at(there), call("echo", { text: "x".repeat(5_000_000) }))).status, 413);
        assertEquals((await send(at(there), call("echo"), { origin: "https://evil.example" })).status, 403);
        // In the middle of a stream, which silence began
        const { body, headers } = M(call("wait"));
        const response = await there(new Request(url, { method: "POST", headers, body }));
        const reader = response.body!.getReader();
        assertStringIncludes(new TextDecoder().decode((await reader.read()).value), ": keep-alive");
        await reader.cancel();
        await until("interrupted", 1);
        // Before anything was sent
        const leaving = new AbortController();
        const { signal } = leaving;
        const json = M(call("wait"), { accept: "application/json" });
        const left = there(new Request(url, { method: "POST", ...json, signal })).catch(() => {});
        await until("waiting", 2);
        leaving.abort();
        await left;
        await until("interrupted", 2);
      } finally {
        await stop(host);
      }
      assertEquals(host.errors(), "");
    });
  }
});
