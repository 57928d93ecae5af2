/** A server inside of other people's applications: Hono, a router of `effect/http`. */
import { describe, test } from "node:test";
import { assertEquals, assertStringIncludes } from "@std/assert";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import { Hono } from "hono";
import { Auth, McpServer } from "@needful/mcp";
import * as Mcp from "@needful/mcp/http";
import { asks, call, completes, fails, FORM, M, META, post, reply, rpc, send } from "../cases/wire.ts";
import { quiet } from "../transport/fixture.ts";
import { answered, at, eventually, type Fetch, flow, peek, shop, url } from "./suite/mounted.ts";

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

  test("layer: interrupts the handlers of clients that left before their body was read (2026-07-28, cancellation)", async () => {
    const { ended, server } = shop();
    const mounted = Mcp.layer(server).pipe(Layer.provide(quiet));
    const { dispose, handler } = HttpRouter.toWebHandler(mounted, { disableLogger: true });
    const { body, headers } = M(call("wait"));
    await handler(new Request(url, { method: "POST", headers, body, signal: AbortSignal.abort() }));
    await eventually(() => ended.length === 1);
    await dispose();
  });

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
