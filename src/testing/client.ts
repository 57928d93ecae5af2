/** The scripted client: plays a client of a server in the same process, over the same wire as over HTTP. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { isRecord, type JsonRecord } from "../model/json.ts";
import type { Principal } from "../model/principal.ts";
import type { McpServer } from "../server/mcp_server.ts";
import { type HttpOptions, toWebHandler } from "../transport/mcp_server.ts";
import { type Connection, list, make as connect, resultOf } from "./connection.ts";
import { drive } from "./drive.ts";
import type { RpcError, ScriptError } from "./errors.ts";
import { type CallOptions, type Identity, merge, type RequestOptions } from "./options.ts";
import type { Call, PromptResult, ResourceResult, Round, ToolResult } from "./round.ts";
import type { Script } from "./script.ts";
import { withSecret } from "./secret.ts";
import type { Reply } from "./wire.ts";

/** What a call can end in besides its result. */
export type CallError = RpcError | ScriptError;

/** Values that complete an argument. */
export interface Completion {
  /** 100 at most. */
  readonly values: ReadonlyArray<string>;
  /** Of all values, if the server knows. */
  readonly total?: number;
  /** Whether there are more than these. */
  readonly hasMore?: boolean;
}

/** A client that answers questions from a script and records every round. */
export interface Client {
  /** `tools/call`. A result with `isError` is a result. */
  readonly callTool: (
    name: string,
    args?: JsonRecord,
    script?: Script,
    options?: CallOptions,
  ) => Effect.Effect<Call<ToolResult>, CallError>;
  /** `resources/read`. */
  readonly readResource: (
    uri: string,
    script?: Script,
    options?: CallOptions,
  ) => Effect.Effect<Call<ResourceResult>, CallError>;
  /** `prompts/get`. */
  readonly getPrompt: (
    name: string,
    args?: { readonly [argument: string]: string },
    script?: Script,
    options?: CallOptions,
  ) => Effect.Effect<Call<PromptResult>, CallError>;
  /** All tools, page after page; none of a server that has no tools. The next three alike. */
  readonly listTools: () => Effect.Effect<ReadonlyArray<JsonRecord>, RpcError>;
  /** All resources with fixed URIs, page after page. */
  readonly listResources: () => Effect.Effect<ReadonlyArray<JsonRecord>, RpcError>;
  /** All resource templates, page after page. */
  readonly listResourceTemplates: () => Effect.Effect<ReadonlyArray<JsonRecord>, RpcError>;
  /** All prompts, page after page. */
  readonly listPrompts: () => Effect.Effect<ReadonlyArray<JsonRecord>, RpcError>;
  /** `completion/complete` for an argument of a prompt (`{ prompt }`) or a variable of a template (`{ template }`). */
  readonly complete: (
    ref: { readonly prompt: string } | { readonly template: string },
    argument: string,
    value: string,
    context?: { readonly [argument: string]: string },
  ) => Effect.Effect<Completion, RpcError>;
  /** `server/discover`. */
  readonly discover: () => Effect.Effect<JsonRecord, RpcError>;
  /** Any request, once: whatever comes back is the answer, errors and interim results included. */
  readonly request: (method: string, params?: JsonRecord, options?: RequestOptions) => Effect.Effect<Reply>;
  /** The server itself, for requests that are not those of a client. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same server as it is seen by another client. */
  readonly as: (identity: Identity) => Client;
}

/** Options of a client and of the server that it is put to; `R` is what the server's hooks need. */
export interface ClientOptions<R = never> extends Identity {
  /** Options of the server: `authenticate`, `limits`, `fallback`. */
  readonly server?: HttpOptions<R>;
  /** On whose behalf all requests are made; wins over the server's `authenticate`. */
  readonly principal?: Principal;
  /** The endpoint. Default `http://localhost/mcp`. */
  readonly url?: string;
}

const texts = (blocks: ReadonlyArray<unknown>): string =>
  blocks.flatMap((block) => isRecord(block) && typeof block["text"] === "string" ? [block["text"]] : []).join("\n");

const called = <Result>(
  rounds: readonly [...ReadonlyArray<Round>, Round],
  blocks: (result: Result) => ReadonlyArray<unknown>,
): Call<Result> => {
  const result = rounds[rounds.length - 1]!.result as Result;
  return {
    result,
    text: texts(blocks(result)),
    rounds,
    progress: rounds.flatMap((round) => round.progress),
    logs: rounds.flatMap((round) => round.logs),
  };
};

const over = (connection: Connection, fetch: (request: Request) => Promise<Response>): Client => {
  const all = (method: string, member: string) => (): Effect.Effect<ReadonlyArray<JsonRecord>, RpcError> =>
    list((params) => connection.send(method, params), member);
  const one = (method: string, params: JsonRecord): Effect.Effect<JsonRecord, RpcError> =>
    Effect.flatMap(connection.send(method, params), resultOf);

  return {
    callTool: (name, args = {}, script = {}, options) =>
      Effect.map(
        drive(connection, "tools/call", { name, arguments: args }, script, options),
        (rounds) => called<ToolResult>(rounds, (result) => result.content),
      ),
    readResource: (uri, script = {}, options) =>
      Effect.map(
        drive(connection, "resources/read", { uri }, script, options),
        (rounds) => called<ResourceResult>(rounds, (result) => result.contents),
      ),
    getPrompt: (name, args = {}, script = {}, options) =>
      Effect.map(
        drive(connection, "prompts/get", { name, arguments: args }, script, options),
        (rounds) => called<PromptResult>(rounds, (result) => result.messages.map((message) => message.content)),
      ),
    listTools: all("tools/list", "tools"),
    listResources: all("resources/list", "resources"),
    listResourceTemplates: all("resources/templates/list", "resourceTemplates"),
    listPrompts: all("prompts/list", "prompts"),
    complete: (ref, argument, value, context) =>
      Effect.map(
        one("completion/complete", {
          ref: "prompt" in ref ? { type: "ref/prompt", name: ref.prompt } : { type: "ref/resource", uri: ref.template },
          argument: { name: argument, value },
          ...(context === undefined ? {} : { context: { arguments: context } }),
        }),
        (result) => result["completion"] as Completion,
      ),
    discover: () => one("server/discover", {}),
    request: (method, params = {}, options) => connection.send(method, params, options),
    fetch,
    as: (identity) => over(connection.as(merge(connection.identity, identity)), fetch),
  };
};

/**
 * Makes clients: `make` puts one to a server. The server's services come from the context, its time is the context's
 * `Clock`, and it stops with the scope. States are sealed with a key for tests, unless the context has a `Sealer` or a
 * configuration.
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import { McpServer, Tool } from "@needful/mcp";
 * import { Client } from "@needful/mcp/testing";
 *
 * const hello = Tool.make("hello", { handler: () => Effect.succeed("Hello!") });
 * const server = McpServer.make({ name: "greeter", version: "1.0.0", tools: [hello] });
 *
 * const program = Effect.gen(function* () {
 *   const client = yield* Client.make(server);
 *   const call = yield* client.callTool("hello");
 *   return call.text;
 * });
 *
 * console.log(await Effect.runPromise(Effect.scoped(program))); // Hello!
 * ```
 */
export const Client = {
  make: <R, RA = never>(
    server: McpServer<R>,
    options: ClientOptions<RA> = {},
  ): Effect.Effect<Client, never, R | RA | Scope.Scope> =>
    Effect.gen(function* () {
      const { principal, server: http, url = "http://localhost/mcp", ...identity } = options;
      const context = yield* Effect.context<R | RA>();
      const { dispose, fetch } = toWebHandler<R, RA>(server, Layer.succeedContext(withSecret(context)), {
        path: new URL(url).pathname,
        ...http,
        ...(principal === undefined ? {} : { authenticate: () => Effect.succeed(principal) }),
      });
      yield* Effect.addFinalizer(() => Effect.promise(dispose));
      return over(connect(fetch, url, identity), fetch);
    }),
};
