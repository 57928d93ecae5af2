/** Digests: by them a flow knows its questions again. */
import * as Context from "effect/Context";
import { Hash } from "../model/hash.ts";
import type { Gate } from "./gate.ts";
import type { Reached } from "./parts.ts";

/** 132 bits of the SHA-256, as base64url. */
const length = 22;

/** The digest of a question that was reached; taken once, and only if something asks for it. */
export const digestOf = (gate: Gate, reached: Reached): string =>
  reached.digest ??= Context.get(gate.context, Hash)
    .sha256(`${reached.spec.kind}\n${reached.spec.identity()}`).slice(0, length);

/** The id of the out-of-band interaction of a URL need: the same in all rounds of a flow, not to be guessed by others. */
export const interactionOf = (gate: Gate, key: string): string =>
  Context.get(gate.context, Hash).sha256(`interaction\n${gate.round.journal.flow}\n${key}`);
