/** The scripted client for tests that are written with promises. */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import type { McpServer } from "../server/mcp_server.ts";
import { Client, type ClientOptions } from "./client.ts";
import type { Identity } from "./options.ts";

/** A client whose methods return promises; they reject with `RpcError` and `ScriptError`. */
export type PromiseClient =
  & {
    readonly [K in Exclude<keyof Client, "as" | "fetch">]: Client[K] extends
      (...args: infer Args) => Effect.Effect<infer A, infer _E> ? (...args: Args) => Promise<A> : never;
  }
  & {
    readonly fetch: Client["fetch"];
    readonly as: (identity: Identity) => PromiseClient;
    /** Stops the server and closes its services. */
    readonly close: () => Promise<void>;
    readonly [Symbol.asyncDispose]: () => Promise<void>;
  };

const promised = (client: Client, close: () => Promise<void>): PromiseClient => ({
  callTool: (...args) => Effect.runPromise(client.callTool(...args)),
  readResource: (...args) => Effect.runPromise(client.readResource(...args)),
  getPrompt: (...args) => Effect.runPromise(client.getPrompt(...args)),
  listTools: () => Effect.runPromise(client.listTools()),
  listResources: () => Effect.runPromise(client.listResources()),
  listResourceTemplates: () => Effect.runPromise(client.listResourceTemplates()),
  listPrompts: () => Effect.runPromise(client.listPrompts()),
  complete: (...args) => Effect.runPromise(client.complete(...args)),
  discover: () => Effect.runPromise(client.discover()),
  request: (...args) => Effect.runPromise(client.request(...args)),
  fetch: client.fetch,
  as: (identity) => promised(client.as(identity), close),
  close,
  [Symbol.asyncDispose]: close,
});

/** What follows the server in `connect`: a layer of what it needs, unless it needs nothing, and options. */
export type ConnectArguments<R, RA, E> =
  | readonly [layer: Layer.Layer<R | RA, E>, options?: ClientOptions<RA>]
  | ([R] extends [never] ? readonly [options?: ClientOptions] : never);

/**
 * Puts a client to a server whose services come from `layer`, and stops both with `close` or at the end of an
 * `await using`.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import { McpServer, Need, Tool } from "@needful/mcp";
 * import { accept, connect } from "@needful/mcp/testing";
 *
 * const drop = Tool.make("drop", {
 *   handler: () => Effect.map(Need.confirm("sure", "Drop it?"), (sure) => sure ? "Dropped" : "Kept"),
 * });
 * const server = McpServer.make({ name: "tables", version: "1.0.0", tools: [drop] });
 *
 * await using client = await connect(server);
 * const call = await client.callTool("drop", {}, { sure: accept({ ok: false }) });
 * console.log(call.text); // Kept
 * ```
 *
 * Without the layer, a server that needs services does not compile. Rejects where the layer cannot be built.
 */
export const connect = async <R, RA = never, E = never>(
  server: McpServer<R>,
  // A name, and no pattern: it is what the compiler says is missing
  ...layerAndOptions: ConnectArguments<R, RA, E>
): Promise<PromiseClient> => {
  const [first, second] = layerAndOptions;
  const given = Layer.isLayer(first);
  const layer = (given ? first : Layer.empty) as Layer.Layer<R | RA, E>;
  const options = (given ? second : first) as ClientOptions<RA> | undefined;
  const scope = Scope.makeUnsafe();
  const close = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void));
  const client = Effect.flatMap(
    Layer.buildWithScope(layer, scope),
    (context) => Effect.provideContext(Client.make(server, options), context),
  );
  return promised(await Effect.runPromise(Scope.provide(client, scope)), close);
};
