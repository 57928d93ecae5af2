/** What handlers that return their questions find in a test: one request, with its answers and its state. */
import * as Effect from "effect/Effect";
import { own } from "../model/json.ts";
import { needed } from "../model/question.ts";
import type { Principal } from "../model/principal.ts";
import type { ManualPort, ManualSpec } from "../need/manual.ts";
import type { Reading } from "../need/need.ts";
import type { Answer } from "./answer.ts";
import { refused, Supported } from "./flow_state.ts";

/** What the request of a test brings. */
export interface Brought {
  /** What the client says, by the keys of the requests that were returned before. */
  readonly responses?: { readonly [key: string]: Answer };
  /** What the round before returned as its `requestState`. */
  readonly requestState?: string;
}

/** A request that brings this. */
export const manual = ({ requestState, responses }: Brought, principal: Principal): ManualPort => {
  const raw = (key: string): unknown => responses && own(responses, key);
  return {
    read: <A>(question: ManualSpec<A>): Effect.Effect<Reading<A, never> | undefined> => {
      const answer = raw(question.key);
      return Effect.succeed(answer === undefined ? undefined : question.read(answer));
    },
    canAsk: (question) =>
      Effect.map(Supported, (supports) => needed(question.request("")).every((capability) => supports(capability))),
    responses: Effect.succeed(responses),
    raw: (key) => Effect.succeed(raw(key)),
    state: Effect.succeed(requestState),
    call: Effect.succeed({ method: "tools/call", target: "test", arguments: {}, principal }),
    refuse: (reason) => refused(`Invalid request state: ${reason}`),
    misuse: refused,
  };
};
