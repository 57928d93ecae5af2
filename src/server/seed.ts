/** Seeds: states of round 0, made outside of a call, with which a client may begin one. */
import * as Effect from "effect/Effect";
import * as Journal from "../run/journal.ts";
import { type Binding, randomId, type Sealer, type StateTooLarge } from "../seal/mod.ts";

/** No call has this binding: the name of a server is not empty. */
const anywhere: Binding = { audience: "", method: "seed", target: "", arguments: {}, subject: undefined };

/** A complete state that brings `state` to the first round of whatever call it is sent with: the codec tells whose it is. */
export const plant = (sealer: Sealer, state: string): Effect.Effect<string, StateTooLarge> =>
  sealer.seal(Journal.encode({ ...Journal.start(""), manual: { state } }), anywhere);

/** The journal of a flow that begins with a seed; undefined if `plant` did not make it. */
export const grow = (sealer: Sealer, seed: unknown): Effect.Effect<Journal.Journal | undefined> =>
  Effect.matchEffect(sealer.open(seed, anywhere), {
    onFailure: () => Effect.undefined,
    onSuccess: (text) => {
      const journal = Journal.decode(text);
      return journal === undefined ? Effect.undefined : Effect.map(randomId, (flow) => ({ ...journal, flow }));
    },
  });
