/** Which elements of a list are equal, by JSON Schema (2020-12, core, section 4.2.2), in time linear in the value. */
import { canonical } from "../model/json.ts";

const isCompound = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Indices of two elements. */
export type Pair = readonly [number, number];

/** Compares parts of one value, and looks into each of them once, however often it is asked about. */
export class Doubles {
  /** Names of lists and objects by their texts, in which the parts stand by their names. */
  readonly #names = new Map<string, string>();
  readonly #known = new Map<object, string>();
  readonly #found = new Map<ReadonlyArray<unknown>, Pair | undefined>();

  #text(value: object): string {
    if (Array.isArray(value)) return `[${value.map((element) => this.#name(element)).join(",")}]`;
    const members = Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1);
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${this.#name(member)}`).join(",")}}`;
  }

  /** The same for equal parts, different for different ones, and short where a text may repeat what is inside. */
  #name(value: unknown): string {
    if (!isCompound(value)) return canonical(value);
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const text = this.#text(value);
    // No text of JSON begins like this.
    const name = this.#names.get(text) ?? `#${this.#names.size}`;
    this.#names.set(text, name);
    this.#known.set(value, name);
    return name;
  }

  #search(list: ReadonlyArray<unknown>): Pair | undefined {
    // A map tells scalars apart, but for 0 and -0, which are equal. A scalar may look like a name.
    const scalars = new Map<unknown, number>();
    const compounds = new Map<unknown, number>();
    for (let index = 0; index < list.length; index++) {
      const element = list[index];
      const indices = isCompound(element) ? compounds : scalars;
      const key = isCompound(element) ? this.#name(element) : element;
      const before = indices.get(key);
      if (before !== undefined) return [before, index];
      indices.set(key, index);
    }
    return undefined;
  }

  /** The first two elements that are equal, if there are any. */
  of(list: ReadonlyArray<unknown>): Pair | undefined {
    if (!this.#found.has(list)) this.#found.set(list, this.#search(list));
    return this.#found.get(list);
  }
}
