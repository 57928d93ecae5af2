/** `examples/stdio.ts` on Bun. */
import * as Layer from "effect/Layer";
import * as BunServer from "@needful/mcp/bun";
import * as Shop from "../../../examples/shop.ts";
import { server } from "../../../examples/stdio.ts";

BunServer.run(Layer.provide(BunServer.layerStdio(server), Shop.layer));
