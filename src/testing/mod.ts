/**
 * Testing servers and handlers, without a network.
 *
 * A scripted client plays a whole conversation with a server in the same process, and records its rounds:
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import * as Schema from "effect/Schema";
 * import { McpServer, Need, Tool } from "@needful/mcp";
 * import { accept, connect } from "@needful/mcp/testing";
 *
 * const whoami = Tool.make("whoami", {
 *   handler: Effect.fn(function* () {
 *     const schema = Schema.Struct({ name: Schema.NonEmptyString });
 *     const { name } = yield* Need.elicit("username", { message: "What is your name?", schema });
 *     return `Hello, ${name}!`;
 *   }),
 * });
 * const server = McpServer.make({ name: "greeter", version: "1.0.0", tools: [whoami] });
 *
 * await using client = await connect(server);
 * const call = await client.callTool("whoami", {}, { username: accept({ name: "Ada" }) });
 * if (call.text !== "Hello, Ada!" || call.rounds.length !== 2) throw new Error("Unexpected");
 * ```
 *
 * Test layers answer a handler's needs from plain values, so that it runs as an ordinary Effect:
 *
 * ```ts
 * import * as Effect from "effect/Effect";
 * import { Need } from "@needful/mcp";
 * import { accept, layerElicitation } from "@needful/mcp/testing";
 *
 * const sure = await Effect.runPromise(
 *   Need.confirm("sure", "Delete everything?").pipe(Effect.provide(layerElicitation({ sure: accept({ ok: false }) }))),
 * );
 * if (sure) throw new Error("Unexpected");
 * ```
 *
 * @module
 */
export {
  accept,
  type Answer,
  cancel,
  decline,
  later,
  type Root,
  rooted,
  sampled,
  type SampledOptions,
} from "./answer.ts";
export { type CallError, Client, type ClientOptions, type Completion } from "./client.ts";
export { RpcError, ScriptError } from "./errors.ts";
export { type FlowOptions, layerFlow, run } from "./flow.ts";
export type { Brought } from "./manual.ts";
export { layerElicitation, layerRoots, layerSampling } from "./layers.ts";
export type { CallOptions, Identity, RequestOptions } from "./options.ts";
export { connect, type ConnectArguments, type PromiseClient } from "./promise.ts";
export type { Asked, Call, PromptResult, ResourceResult, Round, ToolResult } from "./round.ts";
export type { Responder, Script } from "./script.ts";
export type { Reply } from "./wire.ts";
export type { Implementation } from "../model/call.ts";
export type { Capability, ClientCapabilities } from "../model/capability.ts";
export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  BlockOptions,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  PromptMessage,
  ResourceContents,
  ResourceLink,
  Role,
  SamplingContent,
  TextContent,
  TextResourceContents,
  ToolResultContent,
  ToolUseContent,
} from "../model/content.ts";
export type { JsonRecord } from "../model/json.ts";
export type { LogLevel, LogMessage, Progress } from "../model/notice.ts";
export type { Principal } from "../model/principal.ts";
export type { HttpOptions } from "../transport/options.ts";
export type { Authenticate, AuthRequest, Unauthorized, UnauthorizedOptions } from "../server/auth.ts";
export type { Limits } from "../server/instance.ts";
export type { HeaderReader } from "../model/request.ts";
