/** `Need.optional` and `Need.attempt`, and clients that lack what is asked for. */
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import * as Need from "../../../src/need/mod.ts";
import { ask, formsOnly, lacking } from "../ask.ts";
import { bare, both, declined, outcome, unbounded } from "./parts.ts";
import type { Program } from "./program.ts";

export const attempts: ReadonlyArray<Program> = [
  {
    name: "a need that the client cannot be asked",
    handler: (note) => Effect.catchCause(lacking, () => note("caught")),
    result: "lacks sampling",
    asks: [],
    capabilities: formsOnly,
  },
  {
    name: "all that the client lacks is named at once",
    handler: () => Effect.all([ask("a"), lacking, Effect.andThen(Effect.yieldNow, Need.roots()), lacking], unbounded),
    result: "lacks sampling,roots",
    asks: [],
    capabilities: formsOnly,
  },
  {
    name: "optional, a bare need",
    handler: () => Effect.all([Effect.map(Need.optional(lacking), Option.isNone), ask("a")]),
    result: 'ok [true,"a"]',
    asks: [["a"]],
    capabilities: formsOnly,
  },
  {
    name: "optional, a program that catches everything",
    handler: (note) =>
      Effect.all([
        Effect.map(
          Need.optional(Effect.andThen(ask("a"), Effect.catchCause(lacking, () => note("caught")))),
          Option.isNone,
        ),
        ask("b"),
      ]),
    result: 'ok [true,"b"]',
    asks: [["a"], ["b"]],
    capabilities: formsOnly,
  },
  {
    name: "attempt runs the finalizers of what it gives up",
    handler: (note) =>
      Need.attempt(Effect.ensuring(Effect.all([ask("a"), lacking], both), note("closed"))).pipe(
        Effect.catchTag("Unanswerable", ({ key }) => Effect.map(ask("b"), (b) => key + b)),
      ),
    result: 'ok "sb"',
    asks: [["b"]],
    log: ["closed"],
    capabilities: formsOnly,
  },
  {
    name: "attempt, uninterruptible(all)",
    handler: () =>
      Effect.map(
        Need.optional(Effect.uninterruptible(Effect.all([ask("a"), lacking, ask("b")], unbounded))),
        Option.isNone,
      ),
    result: "ok true",
    asks: [],
    capabilities: formsOnly,
  },
  {
    name: "attempt, Need.all of bare needs",
    handler: (note) =>
      Effect.all([
        Effect.map(
          Need.optional(Effect.catchCause(Need.all([bare("a"), lacking]), () => note("caught"))),
          Option.isNone,
        ),
        Need.all([bare("b")]),
      ]),
    result: 'ok [true,[{"v":"b"}]]',
    asks: [["b"]],
    capabilities: formsOnly,
  },
  {
    name: "all that the client lacks, of bare needs",
    handler: () => Need.all([bare("a"), Need.roots(), lacking]),
    result: "lacks sampling,roots",
    asks: [],
    capabilities: formsOnly,
  },
  {
    name: "attempt inside of attempt",
    handler: () =>
      Need.optional(Effect.all([Effect.map(Need.optional(Effect.asVoid(lacking)), Option.isNone), ask("a")])).pipe(
        Effect.map(Option.getOrNull),
      ),
    result: 'ok [true,"a"]',
    asks: [["a"]],
    capabilities: formsOnly,
  },
  {
    name: "attempt lets refusals and failures pass",
    handler: () =>
      Effect.all([outcome(Need.attempt(Effect.asVoid(ask("a")))), outcome(Need.attempt(Effect.fail("boom")))]),
    result: 'ok ["fail Declined a","fail boom"]',
    asks: [["a"]],
    answers: { a: declined },
    capabilities: formsOnly,
  },
  {
    name: "attempt beside a need, in one round",
    handler: () => Effect.all([Need.attempt(Effect.asVoid(ask("a"))), ask("b")], both),
    result: 'ok [null,"b"]',
    asks: [["a", "b"]],
    capabilities: formsOnly,
  },
];
