/** What work leaves in the heap, in a process that may collect garbage: flat, if half of it leaves as much as all of it. */
import { text } from "node:stream/consumers";
import { alone, type Table } from "../figures.ts";
import { start } from "../runtime.ts";

/** What `memory_program.ts` says of a kind of work. */
export interface Growth {
  readonly name: string;
  readonly count: number;
  /** Bytes that half of it left. */
  readonly half: number;
  /** Bytes that all of it left. */
  readonly all: number;
}

/** What `memory_program.ts` says. */
export interface Report {
  readonly growths: ReadonlyArray<Growth>;
  /** Bytes of one idle session. */
  readonly session: number;
}

const kibibytes = (bytes: number): ReadonlyArray<number> => [bytes / 1_024];
const count = (value: number): string => value.toLocaleString("en-US");

/** KiB that are left after calls, abandoned flows and ended sessions, and KiB of an idle session. */
export const measureMemory = async (): Promise<ReadonlyArray<Table>> => {
  const { growths, session }: Report = JSON.parse(await text(start("own/memory_program", [], true).stdout));
  const left = growths.flatMap(({ all, count: total, half, name }) => [
    [`needful, ${count(total / 2)} ${name}`, kibibytes(half)] as const,
    [`needful, ${count(total)} ${name}`, kibibytes(all)] as const,
  ]);
  return [
    alone("g", "what is left in the heap by", "KiB", new Map(left)),
    alone("g", "what is held in the heap by", "KiB", new Map([["needful, one idle session", kibibytes(session)]])),
  ];
};
