/** Routes by the HTTP server of `@effect/platform-node`. */
import { createServer, type Server } from "node:http";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServer from "effect/http/HttpServer";
import * as Layer from "effect/Layer";
import { announce } from "./hosts.ts";

interface PlatformNode {
  readonly layer: (
    evaluate: () => Server,
    options: { readonly host: string; readonly port: number },
  ) => Layer.Layer<HttpServer.HttpServer>;
}

// By a name that is made up here: the package is there on Node alone
const platform: PlatformNode = await import(["@effect", "platform-node", "NodeHttpServer"].join("/"));

const announced = Layer.effectDiscard(
  Effect.map(HttpServer.HttpServer, ({ address }) => "port" in address && announce(address.port)),
);

/** Serves for as long as the process lives. */
export const serveRoutes = (routes: Layer.Layer<never, never, HttpRouter.HttpRouter>): Promise<never> =>
  announced.pipe(
    Layer.provideMerge(HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true })),
    Layer.provide(platform.layer(createServer, { host: "127.0.0.1", port: 0 })),
    Layer.launch,
    Effect.runPromise,
  );
