/** `examples/stdio.ts` on Node. */
import * as Layer from "effect/Layer";
import * as NodeServer from "@needful/mcp/node";
import * as Shop from "../../../examples/shop.ts";
import { server } from "../../../examples/stdio.ts";

NodeServer.run(Layer.provide(NodeServer.layerStdio(server), Shop.layer));
