/** The suite's server as a route of a router, over the HTTP server of `@effect/platform-node`. */
import { createServer, type Server } from "node:http";
import * as Console from "effect/Console";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServer from "effect/http/HttpServer";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import * as Mcp from "@needful/mcp/http";
import { events, server } from "./served.ts";

const routes = Layer.merge(
  Mcp.layer(server, { keepAlive: "200 millis" }),
  HttpRouter.add("GET", "/events", Effect.sync(() => HttpServerResponse.text(JSON.stringify(events)))),
);

/** By a name that is made up here, since the types of this package are those of a Node that others of the tests are not. */
const platform = await import(["@effect", "platform-node"].join("/")) as {
  readonly NodeHttpServer: {
    readonly layer: (
      evaluate: () => Server,
      options: { readonly host: string; readonly port: number },
    ) => Layer.Layer<HttpServer.HttpServer>;
  };
  readonly NodeRuntime: { readonly runMain: <A, E>(effect: Effect.Effect<A, E>) => void };
};

const address = Layer.effectDiscard(HttpServer.addressFormattedWith((address) => Console.log(`${address}/mcp`)));

// Printed once there is a router behind the address
address.pipe(
  Layer.provideMerge(HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true })),
  Layer.provide(platform.NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })),
  Layer.launch,
  platform.NodeRuntime.runMain,
);
