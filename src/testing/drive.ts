/** Drives one call through its rounds, with a script for the questions. */
import * as Effect from "effect/Effect";
import { canonical, isRecord, type JsonRecord, own } from "../model/json.ts";
import { type Answer, later } from "./answer.ts";
import { type Connection, logsOf, progressOf } from "./connection.ts";
import { RpcError, ScriptError } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import type { Asked, Round } from "./round.ts";
import { asked, read, type Script } from "./script.ts";
import type { Reply } from "./wire.ts";

const questions = (result: JsonRecord | undefined, round: number): { readonly [key: string]: Asked } => {
  const requests = result?.["inputRequests"];
  if (!isRecord(requests)) return {};
  return Object.fromEntries(
    Object.entries(requests).map(([key, value]) => {
      const { method, params } = (isRecord(value) ? value : {}) as { method: Asked["method"]; params?: JsonRecord };
      return [key, asked(key, method, params ?? {}, round)];
    }),
  );
};

const record = (
  number: number,
  method: string,
  params: JsonRecord,
  answered: { readonly [key: string]: Answer },
  reply: Reply,
): Round => {
  const result = isRecord(reply.response?.["result"]) ? reply.response["result"] : undefined;
  const state = typeof result?.["requestState"] === "string" ? result["requestState"] : undefined;
  return {
    number,
    method,
    params,
    answered,
    asked: result?.["resultType"] === "input_required" ? questions(result, number) : {},
    state,
    stateLength: state?.length ?? 0,
    result,
    status: reply.status,
    progress: progressOf(reply),
    logs: logsOf(reply),
  };
};

const named = (keys: ReadonlyArray<string>): string => keys.map((key) => JSON.stringify(key)).join(", ");

/** What the last round ended with, and which of its questions is not the one that the round before put by the same key. */
const ending = (last: Round, before: Round | undefined): string => {
  const what = named(Object.keys(last.asked)) || "state alone";
  const changed = Object.values(last.asked).filter(({ key, params }) => {
    const earlier = before && own(before.asked, key);
    return earlier !== undefined && canonical((earlier as Asked).params) !== canonical(params);
  });
  return changed.length === 0
    ? what
    : `${what}, and ${
      named(changed.map(({ key }) => key))
    } asks something else in every round: the answer to one question does not count for another`;
};

/** Sends a call and its retries until it has a result, and gives all rounds; the last one holds the result. */
export const drive = (
  connection: Connection,
  method: string,
  params: JsonRecord,
  script: Script,
  options: CallOptions | undefined,
): Effect.Effect<readonly [...ReadonlyArray<Round>, Round], RpcError | ScriptError> =>
  Effect.gen(function* () {
    const reader = read(script);
    const rounds: Array<Round> = [];
    const maxRetries = options?.maxRetries ?? connection.identity.maxRetries ?? 10;
    const give = (reason: string): ScriptError => new ScriptError({ reason, rounds });
    let answered: { readonly [key: string]: Answer } = options?.volunteered ?? {};
    let retry: JsonRecord = options?.volunteered === undefined ? {} : { inputResponses: answered };

    for (;;) {
      const sent = { ...params, ...retry };
      const reply = yield* connection.send(method, sent, options);
      const round = record(rounds.length + 1, method, sent, answered, reply);
      rounds.push(round);
      const { response } = reply;
      if (response === undefined) return yield* give(`The server sent no response; HTTP status ${reply.status}`);
      if (isRecord(response["error"])) {
        const { code, message, data } = response["error"];
        return yield* new RpcError({
          code: Number(code),
          message: String(message),
          data,
          status: reply.status,
          rounds,
        });
      }
      const type = round.result?.["resultType"];
      if (type === "complete") break;
      if (type !== "input_required") return yield* give(`The result has the unknown type ${JSON.stringify(type)}`);
      const keys = Object.keys(round.asked);
      if (round.state === undefined && keys.length === 0) {
        return yield* give("The server sent an interim result with neither questions nor state");
      }
      if (rounds.length > maxRetries) {
        return yield* give(
          `No result after ${maxRetries} retries; the last round ended with ${ending(round, rounds.at(-2))}`,
        );
      }
      const answers: Array<readonly [key: string, answer: Answer]> = [];
      for (const question of Object.values(round.asked)) {
        const next = reader.next(question);
        if (next === undefined) return yield* give(reader.missing(question));
        const answer = yield* next;
        if (answer !== later) answers.push([question.key, answer]);
      }
      answered = Object.fromEntries(answers);
      retry = {
        ...(keys.length === 0 ? {} : { inputResponses: answered }),
        ...(round.state === undefined ? {} : { requestState: round.state }),
      };
    }
    const leftover = reader.leftover();
    if (leftover !== undefined) return yield* give(leftover);
    return rounds as unknown as readonly [...ReadonlyArray<Round>, Round];
  });
