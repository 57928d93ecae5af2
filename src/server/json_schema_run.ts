/** One check of a value by a JSON Schema: where it is, what it has found wrong, and how much it may still do. */
import { isRecord, type JsonRecord } from "../model/json.ts";
import { Doubles, type Pair } from "./json_schema_unique.ts";
import { maxLine } from "./lines.ts";

/** What one keyword asks of a value: whether it holds. Where it does not, the run has been told why. */
export type Step = (run: Run, value: unknown, seen: Seen | undefined) => boolean;

/** A schema made ready. */
export interface Node {
  readonly steps: ReadonlyArray<Step>;
  /** Those that ask about what no other has seen. */
  readonly last: ReadonlyArray<Step>;
}

/** The members or elements of a value that schemas have applied to (JSON Schema 2020-12, core, section 11). */
export class Seen {
  all = false;
  readonly #names = new Set<string | number>();

  add(name: string | number): void {
    this.#names.add(name);
  }

  has(name: string | number): boolean {
    return this.all || this.#names.has(name);
  }

  merge(other: Seen): void {
    if (other.all) this.all = true;
    for (const name of other.#names) this.#names.add(name);
  }
}

/** Thrown by a run that has done as much as it may. */
export const exhausted: unique symbol = Symbol("exhausted");

/** Work that may be done again and again: a tenth of a second, about. */
const spare = 100_000;

/** More faults are not remembered: they are hardly read. */
const maxFaults = 1_000;

/** The work of applying a schema to a value, without what is inside of it. */
const cost = (value: unknown): number =>
  typeof value === "string" ? 1 + (value.length >> 6) : isRecord(value) ? 1 + Object.keys(value).length : 1;

/** The work of applying a schema to the value, to the names in it, and to all that is in it. */
const work = (value: unknown): number => {
  if (Array.isArray(value)) return value.reduce<number>((sum, element) => sum + work(element), cost(value));
  if (!isRecord(value)) return cost(value);
  return Object.entries(value).reduce((sum, [name, member]) => sum + cost(name) + work(member), cost(value));
};

/**
 * Applies schemas to a value and its parts.
 *
 * Alternatives that share a part, and refer back to themselves below it, are tried again for each other at every level: the
 * time doubles with each. So the work is counted. Allowed is as much as applying every schema to every part, and some more.
 */
export class Run {
  /** Whether the first fault is enough. */
  readonly first: boolean;
  readonly #value: unknown;
  readonly #schemas: number;
  readonly #path: Array<string | number> = [];
  readonly #faults: Array<string> = [];
  #doubles: Doubles | undefined;
  #done = 0;
  #most: number | undefined;

  constructor(value: unknown, schemas: number, first: boolean) {
    this.#value = value;
    this.#schemas = schemas;
    this.first = first;
  }

  /** What is wrong, a line each. */
  get faults(): ReadonlyArray<string> {
    return this.#faults;
  }

  #charge(value: unknown): void {
    this.#done += cost(value);
    if (this.#done <= spare) return;
    this.#most ??= spare + this.#schemas * work(this.#value);
    if (this.#done > this.#most) throw exhausted;
  }

  /** Whether all `steps` hold for `value`. */
  take(steps: ReadonlyArray<Step>, value: unknown, seen: Seen | undefined): boolean {
    let valid = true;
    for (const step of steps) {
      if (step(this, value, seen)) continue;
      if (this.first) return false;
      valid = false;
    }
    return valid;
  }

  /** Whether `value`, which is where the run is, is valid by `node`. */
  apply(node: Node, value: unknown, seen: Seen | undefined): boolean {
    this.#charge(value);
    if (node.last.length === 0) return this.take(node.steps, value, seen);
    const own = new Seen();
    const valid = this.take(node.steps, value, own) && this.take(node.last, value, own);
    if (valid) seen?.merge(own);
    return valid;
  }

  /** Whether `value` is valid by `node`, one of several that may be: only if it is, what it has seen counts. */
  attempt(node: Node, value: unknown, seen: Seen | undefined): boolean {
    const own = seen === undefined ? undefined : new Seen();
    const valid = this.apply(node, value, own);
    if (valid && own !== undefined) seen?.merge(own);
    return valid;
  }

  /** Whether the part of the value by that name is valid by `node`. */
  part(node: Node, value: unknown, name: string | number): boolean {
    this.#path.push(name);
    const valid = this.apply(node, value, undefined);
    this.#path.pop();
    return valid;
  }

  /** Whether the members of `value` are valid, each by the schema that `by` gives for its name, if it gives one. */
  members(value: JsonRecord, by: (name: string) => Node | undefined): boolean {
    let valid = true;
    for (const name of Object.keys(value)) {
      const node = by(name);
      if (node === undefined || this.part(node, value[name], name)) continue;
      if (this.first) return false;
      valid = false;
    }
    return valid;
  }

  /** Whether the elements of `value` are valid, each by the schema that `by` gives for its index, if it gives one. */
  elements(value: ReadonlyArray<unknown>, by: (index: number) => Node | undefined): boolean {
    let valid = true;
    for (let index = 0; index < value.length; index++) {
      const node = by(index);
      if (node === undefined || this.part(node, value[index], index)) continue;
      if (this.first) return false;
      valid = false;
    }
    return valid;
  }

  /** The first two equal elements of a list. */
  doubles(list: ReadonlyArray<unknown>): Pair | undefined {
    this.#doubles ??= new Doubles();
    return this.#doubles.of(list);
  }

  /** Where the run is, as far as a line shows it. */
  #place(): string {
    const names: Array<string> = [];
    let length = 0;
    for (const part of this.#path) {
      if (length > maxLine) break;
      const name = String(part).slice(0, maxLine);
      names.push(name);
      length += name.length + 1;
    }
    return names.join(".");
  }

  /** Remembers what is wrong here, before what has been remembered since `mark`; false. */
  fault(what: string, mark: number = this.#faults.length): false {
    if (mark >= maxFaults) return false;
    const place = this.#place();
    this.#faults.splice(mark, 0, place === "" ? what : `${place}: ${what}`);
    if (this.#faults.length > maxFaults) this.#faults.pop();
    return false;
  }

  /** How much is remembered. */
  mark(): number {
    return this.#faults.length;
  }

  /** Forgets what has been remembered since `mark`. */
  forget(mark: number): void {
    this.#faults.length = mark;
  }
}
