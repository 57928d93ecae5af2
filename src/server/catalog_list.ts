/** One of the catalog's lists: features in the order in which they joined, and their pages. */
import { type Fault, invalidParams } from "../model/fault.ts";
import type { JsonRecord } from "../model/json.ts";
import type { Principal } from "../model/principal.ts";
import type { ListKind } from "../model/request.ts";
import type { Page } from "./catalog_service.ts";
import { fromCursor, toCursor } from "./cursor.ts";
import type { AnyFeature } from "./feature.ts";

/** Whether `principal` may see `feature`. */
export const isVisible = (feature: AnyFeature, principal: Principal): boolean =>
  feature.visible === undefined || feature.visible(principal);

interface Entry<F> {
  readonly feature: F;
  /** Rises with every entry; a feature that replaces another takes over its number. Cursors stand for it. */
  readonly number: number;
}

/** The list as some callers see it. */
interface View {
  readonly entries: ReadonlyArray<{ readonly number: number; readonly descriptor: JsonRecord }>;
  /** Those that come one after the other from the first entry on: all of them together are as long as the list. */
  readonly pages: Map<number, Page>;
}

/** Sets of callers, told apart by what they see, whose pages are kept. */
const maxViews = 64;

/** One list. */
export class CatalogList<F extends AnyFeature> {
  readonly kind: ListKind;
  readonly pageSize: number;
  readonly #entries = new Map<string, Entry<F>>();
  readonly #views = new Map<string, View>();
  /** The features that not everybody sees. */
  #guarded: ReadonlyArray<F> = [];
  #next = 0;

  constructor(kind: ListKind, pageSize: number) {
    this.kind = kind;
    this.pageSize = pageSize;
  }

  get size(): number {
    return this.#entries.size;
  }

  features(): ReadonlyArray<F> {
    return [...this.#entries.values()].map(({ feature }) => feature);
  }

  get(key: string): F | undefined {
    return this.#entries.get(key)?.feature;
  }

  /** Puts `feature` under `key` and gives the one that it replaces. */
  put(key: string, feature: F): F | undefined {
    const old = this.#entries.get(key);
    this.#entries.set(key, { feature, number: old?.number ?? this.#next++ });
    this.#changed();
    return old?.feature;
  }

  /** Removes what stands under `key` and gives it. */
  remove(key: string): F | undefined {
    const old = this.#entries.get(key);
    if (this.#entries.delete(key)) this.#changed();
    return old?.feature;
  }

  /** The page behind `cursor`. */
  page(cursor: unknown, principal: Principal): Page | Fault {
    const last = cursor === undefined ? -1 : fromCursor(this.kind, cursor);
    if (last === undefined || last >= this.#next) return invalidParams("Invalid cursor");
    const view = this.#view(principal);
    const start = firstAfter(view.entries, last);
    const known = view.pages.get(start);
    if (known !== undefined) return known;
    const items = view.entries.slice(start, start + this.pageSize);
    const end = items.at(-1);
    const page: Page = {
      _tag: "Page",
      items: items.map(({ descriptor }) => descriptor),
      nextCursor: end !== undefined && start + items.length < view.entries.length
        ? toCursor(this.kind, end.number)
        : undefined,
      private: this.#guarded.length > 0,
    };
    // A cursor from before a change, or one that was made up, may stand anywhere
    if (start % this.pageSize === 0) view.pages.set(start, page);
    return page;
  }

  #view(principal: Principal): View {
    const sees = this.#guarded.map((feature) => isVisible(feature, principal));
    const key = sees.map((seen) => seen ? "1" : "0").join("");
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const hidden = new Set(this.#guarded.filter((_, index) => !sees[index]));
    const view: View = {
      entries: [...this.#entries.values()]
        .filter(({ feature }) => !hidden.has(feature))
        .map(({ feature, number }) => ({ number, descriptor: feature.descriptor })),
      pages: new Map(),
    };
    if (this.#views.size >= maxViews) this.#views.clear();
    this.#views.set(key, view);
    return view;
  }

  #changed(): void {
    this.#views.clear();
    this.#guarded = this.features().filter((feature) => feature.visible !== undefined);
  }
}

/** The index of the first entry with a number over `last`. */
const firstAfter = (entries: View["entries"], last: number): number => {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.number ?? 0) <= last) low = middle + 1;
    else high = middle;
  }
  return low;
};
