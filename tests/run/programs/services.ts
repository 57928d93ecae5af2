/** Layers and request resolvers that ask. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Request from "effect/Request";
import * as RequestResolver from "effect/RequestResolver";
import type * as Need from "../../../src/need/mod.ts";
import { ask } from "../ask.ts";
import { both, Setting } from "./parts.ts";
import type { Program } from "./program.ts";

interface Lookup extends Request.Request<string, never, Need.Elicitation> {
  readonly key: string;
}
const Lookup: Request.Constructor<Lookup> = Request.of<Lookup>();

const resolver = RequestResolver.make<Lookup>((entries) =>
  Effect.forEach(
    entries,
    (entry) => Effect.flatMap(Effect.orDie(ask(entry.request.key)), (value) => Request.succeed(entry, value)),
    { discard: true, concurrency: "unbounded" },
  ) as Effect.Effect<void>
);

export const services: ReadonlyArray<Program> = [
  {
    name: "a layer that asks",
    handler: () =>
      Effect.map(Setting, ({ value }) => value).pipe(
        Effect.provide(Layer.effect(Setting)(Effect.map(ask("a"), (value) => ({ value })))),
      ),
    result: 'ok "a"',
    asks: [["a"]],
  },
  {
    name: "a layer with a resource around a need",
    handler: (note) =>
      ask("a").pipe(
        Effect.provide(
          Layer.effect(Setting)(
            Effect.acquireRelease(Effect.as(note("acquired"), { value: "x" }), () => note("released")),
          ),
        ),
      ),
    result: 'ok "a"',
    asks: [["a"]],
    log: ["acquired", "released"],
  },
  {
    name: "a request resolver that asks",
    handler: () =>
      Effect.all(
        [Effect.request(Lookup({ key: "a" }), resolver), Effect.request(Lookup({ key: "b" }), resolver)],
        both,
      ),
    result: 'ok ["a","b"]',
    asks: [["a", "b"]],
  },
];
