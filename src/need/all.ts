/** `Need.all`: several branches whose needs go out together. */
import * as Effect from "effect/Effect";
import { type AnyEffect, Interpreter } from "./flow.ts";

/** A struct of effects. */
export interface Branches {
  /** Any effect, by the name of its result. */
  readonly [name: string]: AnyEffect;
}

const results = (names: ReadonlyArray<string>, values: ReadonlyArray<unknown>): object => {
  const record = {};
  names.forEach((name, i) =>
    Object.defineProperty(record, name, { value: values[i], enumerable: true, writable: true, configurable: true })
  );
  return record;
};

const run = (branches: ReadonlyArray<AnyEffect>): AnyEffect =>
  Effect.flatMap(
    Interpreter,
    (interpreter): AnyEffect =>
      interpreter === undefined ? Effect.all(branches, { concurrency: "unbounded" }) : interpreter.all(branches),
  );

/**
 * Runs all branches at once, and gives the tuple or struct of their results. Their needs go out in one round trip: the
 * round stays open until each branch has asked, ended or failed, for 1 second at most, so a branch may fetch something
 * before it asks. Branches are any effects. The first failure ends the others.
 */
export const all: {
  <const N extends ReadonlyArray<AnyEffect>>(
    effects: N,
  ): Effect.Effect<
    { -readonly [K in keyof N]: Effect.Success<N[K]> },
    Effect.Error<N[number]>,
    Effect.Services<N[number]>
  >;
  <const N extends Branches>(
    effects: N,
  ): Effect.Effect<
    { readonly [K in keyof N]: Effect.Success<N[K]> },
    Effect.Error<N[keyof N]>,
    Effect.Services<N[keyof N]>
  >;
} = (effects: ReadonlyArray<AnyEffect> | Branches): AnyEffect => {
  if (Array.isArray(effects)) return run(effects);
  const names = Object.keys(effects);
  return Effect.map(
    run(names.map((name) => (effects as Branches)[name]!)),
    (values) => results(names, values as ReadonlyArray<unknown>),
  );
};
