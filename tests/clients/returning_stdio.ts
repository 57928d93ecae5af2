/** The twins of `examples/returning.ts` over standard input and output, for the clients to launch. */
import * as Native from "../native.ts";
import { server } from "../../examples/returning.ts";

Native.run(Native.layerStdio(server));
