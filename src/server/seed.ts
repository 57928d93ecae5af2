/** Seeds: states of round 0, made outside of a call, with which a client may begin one. */
import * as Effect from "effect/Effect";
import * as Journal from "../run/journal.ts";
import { type Binding, InvalidState, randomId, type Sealer, type StateTooLarge } from "../seal/mod.ts";

/** No call has this binding: the name of a server is not empty. */
const anywhere: Binding = { audience: "", method: "seed", target: "", arguments: {}, subject: undefined };

/** A complete state that brings `state` to the first round of whatever call it is sent with: the codec tells whose it is. */
export const plant = (sealer: Sealer, state: string): Effect.Effect<string, StateTooLarge> =>
  sealer.seal(Journal.encode({ ...Journal.start(""), manual: { state } }), anywhere);

/** The journal of a flow that begins with a seed. */
export const grow = (sealer: Sealer, seed: unknown): Effect.Effect<Journal.Journal, InvalidState> =>
  Effect.flatMap(sealer.open(seed, anywhere), (text) => {
    const journal = Journal.decode(text);
    return journal === undefined
      ? new InvalidState({ reason: "the journal is malformed" })
      : Effect.map(randomId, (flow) => ({ ...journal, flow }));
  });
