/** A program that both interpreters run. */
import type * as Effect from "effect/Effect";
import type { JsonRecord } from "../../../src/model/json.ts";
import type { Handler } from "../kit.ts";

type Note = (what: string) => Effect.Effect<void>;

/** One program. */
export interface Program {
  readonly name: string;
  /** `note` is what any effect does, `act` what only steps and commits do. */
  readonly handler: (note: Note, act: Note) => Handler;
  readonly result: string;
  readonly asks: ReadonlyArray<ReadonlyArray<string>>;
  /** Notes of the last round. */
  readonly log?: ReadonlyArray<string>;
  /** Acts of the whole flow. */
  readonly acts?: ReadonlyArray<string>;
  /** Whether the result depends on which of two short times is over first. */
  readonly timed?: boolean;
  /** Of a client that cannot be asked for everything. */
  readonly capabilities?: JsonRecord;
  /** Answers other than an accept. */
  readonly answers?: Readonly<Record<string, unknown>>;
}
