/** Cells of `state`: each round of a pass starts from the pass's values, `again` commits what was written. */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { Json } from "../model/json.ts";
import type { CellSpec } from "../need/flow.ts";
import { jsonCodec } from "./codec.ts";
import type { Gate } from "./gate.ts";
import type { Cell } from "./parts.ts";
import { manual } from "./mixed.ts";
import { barred, withRegion } from "./region.ts";

/**
 * What a pass begins with that has no earlier one: like what a later pass begins with, a value of its own, so that nobody
 * who changes it in place changes it for others. One that does not fit its schema is given out as it is.
 */
const fresh = <A>({ initial, schema }: CellSpec<A>): A => {
  if (typeof initial !== "object" || initial === null) return initial;
  const { decode, encode } = jsonCodec(schema);
  const json = encode(initial);
  if (Exit.isFailure(json)) return initial;
  const value = decode(json.value);
  return Exit.isSuccess(value) ? value.value : initial;
};

/** The cell as it stands in this round; undefined if what the journal holds does not fit its schema. */
const open = <A>(gate: Gate, spec: CellSpec<A>): Cell | undefined => {
  const known = gate.cells?.get(spec.name);
  if (known !== undefined) return known;
  const kept = gate.round.journal.cells.get(spec.name);
  const value = kept === undefined ? Exit.succeed(fresh(spec)) : jsonCodec(spec.schema).decode(kept);
  if (Exit.isFailure(value)) return undefined;
  const cell: Cell = { spec: spec as CellSpec<unknown>, value: value.value };
  (gate.cells ??= new Map()).set(spec.name, cell);
  return cell;
};

/** Commits only read: they come after the end of the last pass, so that what they write would be lost. */
const withCell = <A, B>(spec: CellSpec<A>, f: (cell: Cell) => B, reads: boolean): Effect.Effect<B> =>
  withRegion((region, fiber) => {
    const verb = `use the state "${spec.name}"`;
    const bar = (reads && region.committing ? undefined : barred(region, fiber, verb)) ?? manual(region, fiber, verb);
    if (bar !== undefined) return bar;
    const cell = open(region.gate, spec);
    return cell === undefined
      ? region.gate.misuse(fiber, region, `The state "${spec.name}" of the earlier pass does not fit its schema`)
      : Effect.succeed(f(cell));
  });

/** The value of a cell. */
export const get = <A>(spec: CellSpec<A>): Effect.Effect<A> => withCell(spec, (cell) => cell.value as A, true);

/** Changes the value of a cell, in one go. */
export const update = <A>(spec: CellSpec<A>, change: (value: A) => A): Effect.Effect<void> =>
  withCell(spec, (cell) => {
    cell.value = change(cell.value as A);
  }, false);

/** The cells that the next pass starts from; or the name of one whose value does not fit its schema. */
export const commit = (gate: Gate): ReadonlyMap<string, Json> | string => {
  if (gate.cells === undefined) return gate.round.journal.cells;
  const next = new Map(gate.round.journal.cells);
  for (const [name, { spec, value }] of gate.cells) {
    const json = jsonCodec(spec.schema).encode(value);
    if (Exit.isFailure(json)) return name;
    next.set(name, json.value);
  }
  return next;
};
