/** Helpers of the tests of `run/`: rounds and flows of a handler, without sealing and transport. */
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option from "effect/Option";
import * as References from "effect/References";
import type { CallInfo } from "../../src/model/call.ts";
import type { JsonRecord } from "../../src/model/json.ts";
import type { Notice } from "../../src/model/notice.ts";
import { anonymous } from "../../src/model/principal.ts";
import { prepare } from "../../src/run/context.ts";
import { interim } from "../../src/run/interim.ts";
import { decode, encode, type Journal, start } from "../../src/run/journal.ts";
import { defaultLimits, type Limits } from "../../src/run/limits.ts";
import type { Outcome } from "../../src/run/outcome.ts";
import type { Round } from "../../src/run/round.ts";

/** A client that can be asked for everything. */
export const everything: JsonRecord = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

// deno-lint-ignore no-explicit-any -- handlers of tests need whatever `services` holds
export type Handler<A = unknown, E = unknown> = Effect.Effect<A, E, any>;

/** How a round of a test differs from the first round of a flow with a client that can be asked for everything. */
export interface Setting {
  readonly capabilities?: JsonRecord;
  readonly journal?: Journal;
  readonly responses?: JsonRecord;
  readonly retried?: boolean;
  readonly limits?: Partial<Limits>;
  readonly notify?: (notice: Notice) => void;
  /** Services of the handler, as they come. */
  readonly services?: Context.Context<never>;
}

export const callInfo = (capabilities: JsonRecord = everything): CallInfo => ({
  method: "tools/call",
  target: "test",
  arguments: {},
  era: "modern",
  revision: "2026-07-28",
  client: { name: "test", version: "1" },
  capabilities,
  meta: {},
  header: () => undefined,
  principal: anonymous,
});

export const roundOf = (setting: Setting = {}): Round => ({
  info: callInfo(setting.capabilities),
  journal: setting.journal ?? start("flow"),
  responses: setting.responses,
  retried: setting.retried ?? (setting.journal !== undefined && setting.journal.round > 1),
  notify: setting.notify ?? (() => {}),
  limits: { ...defaultLimits, ...setting.limits },
});

/** One round, on an instance of its own. */
export const once = <A, E>(handler: Handler<A, E>, setting: Setting = {}): Effect.Effect<Outcome<A, E>> =>
  interim(handler as Effect.Effect<A, E>, prepare(setting.services ?? Context.empty()), roundOf(setting));

/** One round, as a promise. */
export const run = <A, E>(handler: Handler<A, E>, setting: Setting = {}): Promise<Outcome<A, E>> =>
  Effect.runPromise(once(handler, setting));

/** The journal as another instance opens it. */
export const carried = (journal: Journal): Journal => {
  const opened = decode(encode(journal));
  if (opened === undefined) throw new Error("The journal could not be read");
  return opened;
};

/** An exit in words that tests can compare. */
export const told = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return `ok ${JSON.stringify(exit.value)}`;
  const failure = Cause.findErrorOption(exit.cause);
  if (Option.isSome(failure)) {
    const error = failure.value as { readonly _tag?: string; readonly key?: string };
    return typeof failure.value === "string" ? `fail ${failure.value}` : `fail ${error._tag} ${error.key ?? ""}`.trim();
  }
  if (Cause.hasInterruptsOnly(exit.cause)) return "interrupted";
  const defect = Cause.squash(exit.cause);
  return `die ${defect instanceof Error ? defect.message : String(defect)}`;
};

/** An outcome in words that tests can compare. */
export const toldOutcome = (outcome: Outcome<unknown, unknown>): string => {
  switch (outcome._tag) {
    case "Complete":
      return told(outcome.exit);
    case "InputRequired":
      return `asks ${outcome.questions.map(({ key }) => key).join(",")}`.trim();
    case "Unaskable":
      return `lacks ${outcome.missing.join(",")}`;
    case "Broken":
      return `broken ${outcome.message}`;
    case "InvalidState":
      return `refused ${outcome.reason}`;
  }
};

/** What a client says to the question with this key; undefined: nothing yet. */
export type Script = (key: string, round: number) => unknown;

/** Accepts every form with the key as its one field `v`, and says yes. */
export const accept: Script = (key) => ({ action: "accept", content: { v: key } });

/** A flow from its first request to its end. */
export interface Flow {
  readonly result: string;
  /** The keys that each interim result asked for. */
  readonly asks: ReadonlyArray<ReadonlyArray<string>>;
  readonly journal: Journal;
}

/**
 * Drives a handler to its end as a client would. Every round runs on an instance of its own, from the text of the
 * journal; `handler` is called for each, so that nothing but the journal is carried.
 */
export const drive = async (
  handler: () => Handler,
  script: Script = accept,
  setting: Setting & { readonly rounds?: number } = {},
): Promise<Flow> => {
  const asks: Array<ReadonlyArray<string>> = [];
  let journal = setting.journal ?? start("flow");
  let responses = setting.responses;
  for (let round = 1; round <= (setting.rounds ?? 50); round++) {
    const outcome = await run(handler(), {
      ...setting,
      journal,
      retried: round > 1,
      ...(responses === undefined ? {} : { responses }),
    });
    if (outcome._tag !== "InputRequired") {
      if (outcome._tag === "Complete" && Exit.isSuccess(outcome.exit)) {
        for (const commit of outcome.commits) {
          await Effect.runPromise(Effect.provideService(commit, References.MinimumLogLevel, "None"));
        }
      }
      return { result: toldOutcome(outcome), asks, journal };
    }
    asks.push(outcome.questions.map(({ key }) => key));
    journal = carried(outcome.journal);
    const answers = outcome.questions.map(({ key }) => [key, script(key, round)] as const);
    responses = Object.fromEntries(answers.filter(([, answer]) => answer !== undefined));
  }
  return { result: "endless", asks, journal };
};
