/** What `examples/stdio_connect.ts` serves, on the runtime that runs the tests. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { Auth } from "@needful/mcp";
import { authenticate, Origin, server } from "../../examples/connect.ts";
import { layer, page } from "../../examples/connect_page.ts";
import * as Native from "../native.ts";

const http = Native.layer(server, { port: 0, authenticate, fallback: page });
const origin = Layer.effect(Origin, Effect.map(Native.Listening, ({ url }) => new URL(url).origin));
const stdio = Native.layerStdio(server, { principal: Auth.principal("ada") });

Native.run(stdio.pipe(Layer.provide(origin), Layer.provide(http), Layer.provide(layer)));
