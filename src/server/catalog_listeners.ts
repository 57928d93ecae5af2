/** Who listens to a catalog, and how they are told. */
import type * as Context from "effect/Context";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import type * as Fiber from "effect/Fiber";
import type { ChangeKind, Filter } from "../model/change.ts";
import { type Fault, internal, make } from "../model/fault.ts";
import type { Principal } from "../model/principal.ts";
import { isVisible } from "./catalog_list.ts";
import type { Sink, Subscription } from "./catalog_service.ts";
import type { AnyFeature } from "./feature.ts";

/** Changes of one list within this time are told once. */
const window = Duration.millis(100);

interface Listener {
  readonly lists: ReadonlySet<ChangeKind>;
  readonly uris: ReadonlySet<string>;
  readonly principal: Principal;
  readonly sink: Sink;
  /** Lists whose change it has not been told yet. */
  readonly pending: Set<ChangeKind>;
}

/**
 * The listeners of a catalog. Its timer is a fiber that runs only while somebody is to be told of something; it runs with
 * the context of the catalog, as changes may be made by handlers, whose clock stands still while they wait.
 */
export class Listeners {
  readonly #listeners = new Set<Listener>();
  readonly #context: Context.Context<never>;
  readonly #max: number;
  /** Those that count towards the maximum. */
  #limited = 0;
  #timer: Fiber.Fiber<void> | undefined;
  #closed = false;

  constructor(context: Context.Context<never>, max: number) {
    this.#context = context;
    this.#max = max;
  }

  /** Adds a listener for `filter`, of which all is served. */
  listen(filter: Filter, principal: Principal, sink: Sink, limited: boolean): Subscription | Fault {
    if (this.#closed) return make(internal().code, "The server is shutting down", 503);
    if (limited && this.#limited >= this.#max) {
      return make(internal().code, `Too many subscriptions: the server holds ${this.#max} at most`, 503);
    }
    const listener: Listener = {
      lists: new Set(filter.lists),
      uris: new Set(filter.uris),
      principal,
      sink,
      pending: new Set(),
    };
    this.#listeners.add(listener);
    if (limited) this.#limited++;
    return {
      _tag: "Subscription",
      honoured: filter,
      close: () => {
        if (this.#listeners.delete(listener) && limited) this.#limited--;
        this.#rest();
      },
    };
  }

  /** A list changed by one of `features`: those who may see it are told, within the window. */
  changed(kind: ChangeKind, features: ReadonlyArray<AnyFeature>): void {
    let some = false;
    for (const { lists, pending, principal } of this.#listeners) {
      if (!lists.has(kind) || !features.some((feature) => isVisible(feature, principal))) continue;
      pending.add(kind);
      some = true;
    }
    if (some) this.#timer ??= Effect.runForkWith(this.#context)(Effect.delay(this.#tell, window));
  }

  /** A resource changed: those who listen to it are told at once, if they still may read it. */
  updated(uri: string, readable: (principal: Principal) => boolean): void {
    for (const { principal, sink, uris } of this.#listeners) {
      if (uris.has(uri) && readable(principal)) sink.change({ _tag: "ResourceUpdated", uri });
    }
  }

  /** Ends all subscriptions; there will be no others. */
  shutdown(): void {
    this.#closed = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    this.#rest();
    for (const { sink } of listeners) sink.end();
  }

  readonly #tell: Effect.Effect<void> = Effect.sync(() => {
    this.#timer = undefined;
    for (const { pending, sink } of this.#listeners) {
      const kinds = [...pending];
      pending.clear();
      for (const kind of kinds) sink.change({ _tag: "ListChanged", kind });
    }
  });

  /** Stops the timer if nobody is left to be told. */
  #rest(): void {
    for (const { pending } of this.#listeners) if (pending.size > 0) return;
    this.#timer?.interruptUnsafe();
    this.#timer = undefined;
  }
}
