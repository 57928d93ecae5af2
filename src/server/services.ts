/** The services that every call brings, so that an author need not. */
import type { Principal } from "../model/principal.ts";
import type { Flow } from "../need/flow.ts";
import type { Elicitation, Roots, Sampling } from "../need/need.ts";

/** What a handler's call brings: the client, the flow and the caller. */
export type PerCall = Elicitation | Sampling | Roots | Flow | Principal;
