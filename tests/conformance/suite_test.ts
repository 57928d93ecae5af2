/** The official conformance suite against `examples/everything.ts`. */
import { serve } from "../process.ts";
import { conformance } from "./suite.ts";

conformance("the example", () => serve("examples/everything.ts"));
