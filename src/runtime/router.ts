/**
 * A server as a route of an `HttpRouter` of `effect/http`, beside other routes and behind the same middleware.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import * as HttpRouter from "effect/http/HttpRouter";
 * import * as HttpServerResponse from "effect/http/HttpServerResponse";
 * import * as Layer from "effect/Layer";
 * import { McpServer, Tool } from "@needful/mcp";
 * import * as Mcp from "@needful/mcp/http";
 *
 * const hello = Tool.make("hello", { description: "Greets", handler: () => Effect.succeed("Hello!") });
 * const server = McpServer.make({ name: "demo", version: "1.0.0", tools: [hello] });
 *
 * const routes = Layer.mergeAll(
 *   HttpRouter.add("GET", "/health", HttpServerResponse.text("ready")),
 *   Mcp.layer(server, { path: "/mcp" }),
 * );
 * const { dispose, handler } = HttpRouter.toWebHandler(routes, { disableLogger: true });
 * console.log((await handler(new Request("http://localhost/health"))).status); // 200
 * await dispose();
 * ```
 *
 * @module
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as HttpRouter from "effect/http/HttpRouter";
import * as HttpServerRequest from "effect/http/HttpServerRequest";
import * as HttpServerResponse from "effect/http/HttpServerResponse";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { Catalog } from "../server/catalog_service.ts";
import type { McpServer } from "../server/mcp_server.ts";
import * as Endpoint from "../transport/endpoint.ts";
import { type HttpOptions, settings } from "../transport/options.ts";
import * as Guard from "../transport/origin.ts";
import type { Reply } from "../transport/visit.ts";
import { WebVisit } from "../transport/web_visit.ts";
import { type ServeError, start } from "./instance.ts";

export { ServeError } from "./instance.ts";
export type {
  Authenticate,
  AuthRequest,
  HeaderReader,
  HttpOptions,
  LegacyOptions,
  Limits,
  Principal,
  Unauthorized,
  UnauthorizedOptions,
} from "../transport/options.ts";

/** How a server is mounted; `R` is what its hook needs, which middleware may provide for each request. */
export type Options<R = never> = Omit<HttpOptions<R>, "fallback">;

/** What a route needs that its requests need: services by middleware, or from where the router is served. */
type Needs<R> = HttpRouter.Request.From<"Requires", Exclude<R, HttpRouter.Provided>>;

const response = ({ body, headers, status }: Reply): HttpServerResponse.HttpServerResponse =>
  body === undefined
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.text(body, { status, headers: { ...headers } });

/** A request, with what middleware did to it. */
class RouterVisit extends WebVisit {
  readonly services: Context.Context<never>;
  readonly #headers: HttpServerRequest.HttpServerRequest["headers"];
  readonly #resume: (response: HttpServerResponse.HttpServerResponse) => void;
  #left: (() => void) | undefined = undefined;
  #gone = false;

  constructor(
    request: Request,
    { headers }: HttpServerRequest.HttpServerRequest,
    services: Context.Context<never>,
    resume: (response: HttpServerResponse.HttpServerResponse) => void,
  ) {
    super(request, (response) => resume(HttpServerResponse.fromWeb(response)));
    this.services = services;
    this.#headers = headers;
    this.#resume = resume;
  }

  override readonly header = (name: string): string | undefined => this.#headers[name];

  override watch(left: () => void): () => void {
    if (this.#gone) left();
    else this.#left = left;
    return () => {
      this.#left = undefined;
    };
  }

  override reply(reply: Reply): void {
    this.#resume(response(reply));
  }

  /** The router gives the request up. */
  leave(): void {
    this.#gone = true;
    this.#left?.();
  }
}

const handle = (
  endpoint: Endpoint.Endpoint,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
    const request = Context.get(context, HttpServerRequest.HttpServerRequest);
    const served = (web: Request) =>
      Effect.callback<HttpServerResponse.HttpServerResponse>((resume) => {
        const visit = new RouterVisit(web, request, context, (response) => resume(Effect.succeed(response)));
        endpoint.enter(visit);
        return Effect.sync(() => visit.leave());
      });
    return Effect.matchEffect(HttpServerRequest.toWeb(request), {
      onFailure: () => Effect.succeed(HttpServerResponse.text("Bad request", { status: 400 })),
      onSuccess: served,
    });
  });

/**
 * Mounts `server` on the router, at `path`, for as long as the layer lives.
 *
 * What the handlers need is taken once, when the layer is built, and so are a `Sealer` and crypto services if there are
 * any; the hook `authenticate` runs in each request, and finds what middleware provides. Without `allowedHosts` only
 * loopback names are served. Throws where an option is not valid. Keys are read from the configuration of Effect.
 */
export const layer = <R, RA = never>(
  server: McpServer<R>,
  options: Options<RA> = {},
): Layer.Layer<Catalog, ServeError, HttpRouter.HttpRouter | R | Needs<RA>> => {
  const { allowedHosts, allowedOrigins } = options;
  const read = settings<RA>(options);
  const guard = Guard.make({ allowedHosts, allowedOrigins, loopback: allowedHosts === undefined, port: undefined });
  const mounted = Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter;
    const { catalog, instance } = yield* start(server, { ...options, live: read.live });
    const endpoint = yield* Effect.acquireRelease(
      Effect.sync(() => Endpoint.make(instance, read, guard)),
      ({ stop }) => stop,
    );
    yield* router.add("*", read.path as HttpRouter.PathInput, handle(endpoint));
    return Context.make(Catalog, catalog);
  });
  return Layer.effectContext<Catalog, ServeError, HttpRouter.HttpRouter | R | Scope.Scope>(mounted) as Layer.Layer<
    Catalog,
    ServeError,
    HttpRouter.HttpRouter | R | Needs<RA>
  >;
};
