/** Flows of generated programs with generated clients. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { prepare } from "../../../src/run/context.ts";
import { interim } from "../../../src/run/interim.ts";
import { type Journal, start } from "../../../src/run/journal.ts";
import type { Limits } from "../../../src/run/limits.ts";
import { carried, roundOf, toldOutcome } from "../kit.ts";
import { makeFastClock } from "./clock.ts";
import { compile, type Trace } from "./compile.ts";
import type { Verdict } from "./model.ts";
import type { Program } from "./program.ts";

/** A source of numbers from 0 to 1. */
export type Random = () => number;

/** Numbers that follow from `seed` (mulberry32). */
export const random = (seed: number): Random => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6D2B79F5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** What the client of `seed` says to a key: five accept one way, three the other, one declines, one cancels. */
export const answerOf = (seed: number, key: string): unknown => {
  let hash = seed;
  for (const letter of key) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0;
  const choice = Math.floor(random(hash)() * 10);
  if (choice === 8) return { action: "decline" };
  if (choice === 9) return { action: "cancel" };
  return {
    action: "accept",
    content: key.startsWith("confirm") ? { ok: choice < 5 } : { v: `${choice < 5 ? "y" : "n"}:${key}` },
  };
};

/** What an answer means to the handler. */
export const verdictOf = (seed: number) => (key: string): Verdict => {
  const answer = answerOf(seed, key) as {
    readonly action: string;
    readonly content?: { readonly v?: string; readonly ok?: boolean };
  };
  if (key.startsWith("confirm")) return { _tag: "Value", value: String(answer.content?.ok === true) };
  if (answer.content !== undefined) return { _tag: "Value", value: answer.content.v ?? "" };
  return { _tag: "Failure", failure: `${answer.action === "decline" ? "Declined" : "Cancelled"}:${key}` };
};

const invalid = ["x", null, 7, [], {}, { action: "reject" }, { action: "accept" }, {
  action: "accept",
  content: { v: 7, ok: "yes" },
}];

/** What a client sends for the questions of a round. */
export type Client = (keys: ReadonlyArray<string>, round: number) => Record<string, unknown>;

/** Answers everything at once, and well. */
export const willing = (seed: number): Client => (keys) =>
  Object.fromEntries(keys.map((key) => [key, answerOf(seed, key)]));

/** Answers some of it, some of it badly, and what nobody asked. In the end it answers. */
export const wayward = (seed: number): Client => {
  const next = random(seed + 1);
  const sent = new Set<string>();
  return (keys, round) => {
    const patient = round > 20;
    const entries: Array<readonly [string, unknown]> = [["nobody-asked", { action: "accept", content: { v: "z" } }]];
    for (const key of sent) {
      if (next() < 0.2) entries.push([key, { action: "accept", content: { v: "late", ok: false } }]);
    }
    for (const key of keys) {
      const luck = next();
      if (!patient && luck < 0.25) continue;
      if (!patient && luck < 0.4) entries.push([key, invalid[Math.floor(next() * invalid.length)]]);
      else {
        entries.push([key, answerOf(seed, key)]);
        sent.add(key);
      }
    }
    return Object.fromEntries(entries);
  };
};

/** How a flow went. */
export interface Run {
  readonly result: string;
  readonly asks: ReadonlyArray<ReadonlyArray<string>>;
  readonly trace: Trace;
}

const limits: Partial<Limits> = { maxRounds: 10_000, maxPasses: 10_000 };

const instance = () => prepare(Context.make(Clock.Clock, makeFastClock()));

/** Runs a program to its end. A flow that is `cut` has a new instance for each round, and only text between them. */
export const play = async (
  program: Program,
  client: Client,
  options: { readonly cut: boolean; readonly gather: Duration.Duration },
): Promise<Run> => {
  const trace: Trace = { steps: [], commits: [], registered: [] };
  const asks: Array<ReadonlyArray<string>> = [];
  let services = instance();
  let handler = compile(program, trace);
  let journal: Journal = start("flow");
  let responses: Record<string, unknown> = {};
  for (let round = 1; round <= 200; round++) {
    trace.registered = [];
    if (options.cut) {
      services = instance();
      handler = compile(program, trace);
    }
    const outcome = await Effect.runPromise(interim(
      handler,
      services,
      roundOf({
        capabilities: { elicitation: {} },
        journal,
        responses,
        retried: round > 1,
        limits: { ...limits, gather: options.gather },
      }),
    ));
    if (outcome._tag !== "InputRequired") {
      if (outcome._tag === "Complete" && Exit.isSuccess(outcome.exit)) {
        for (const commit of outcome.commits) await Effect.runPromise(commit);
      }
      return { result: toldOutcome(outcome), asks, trace };
    }
    const keys = outcome.questions.map(({ key }) => key);
    asks.push(keys.toSorted());
    journal = options.cut ? carried(outcome.journal) : outcome.journal;
    responses = client(keys, round);
  }
  return { result: "endless", asks, trace };
};
