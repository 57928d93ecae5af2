/**
 * URL mode over standard input and output: the page is served over HTTP beside it, by the same process. So is the server,
 * to whoever sends a token; whoever launched the process is Ada.
 *
 *     deno run --allow-net=127.0.0.1 examples/stdio_connect.ts
 */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Auth } from "@needful/mcp";
import * as DenoServer from "@needful/mcp/deno";
import { authenticate, Origin, server } from "./connect.ts";
import { layer, page } from "./connect_page.ts";

const http = DenoServer.layer(server, { port: 0, authenticate, fallback: page });

const origin = Layer.effect(Origin, Effect.map(DenoServer.Listening, ({ url }) => new URL(url).origin));

const stdio = DenoServer.layerStdio(server, { principal: Auth.principal("ada") });

if (import.meta.main) DenoServer.run(stdio.pipe(Layer.provide(origin), Layer.provide(http), Layer.provide(layer)));
