/** The services that the server brings itself, so that an author need not. */
import type { Principal } from "../model/principal.ts";
import type { Flow } from "../need/flow.ts";
import type { Elicitation, Roots, Sampling } from "../need/need.ts";
import type { Catalog } from "./catalog_service.ts";

/** What a handler's call brings: the client, the flow and the caller. */
export type PerCall = Elicitation | Sampling | Roots | Flow | Principal;

/** What a handler may need without the author providing it. */
export type Provided = PerCall | Catalog;
