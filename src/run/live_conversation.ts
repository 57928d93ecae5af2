/** What the passes of one call have in common while it is open. */
import type * as Fiber from "effect/Fiber";
import type { Peer } from "../model/peer.ts";
import { after } from "./clock.ts";
import { digestOf } from "./digest.ts";
import type { Gate } from "./gate.ts";
import type { Line } from "./live_inquiry.ts";
import type { LiveLimits } from "./live_limits.ts";
import type { Obstacle, Reached } from "./parts.ts";

/** A pass, as far as it waits for people. */
export interface Waiting extends Gate {
  /** Whether it waits for people now. */
  readonly waits: boolean;
}

/** A call that talks with its client: what the client said that no journal keeps, and signs of life. */
export class Conversation implements Line {
  readonly peer: Peer;
  readonly limits: LiveLimits;
  readonly invalid: Map<string, number> = new Map();
  readonly #obstacles = new Map<string, { readonly digest: string; readonly obstacle: Obstacle }>();
  readonly #finished = new Set<string>();
  #waiting: Waiting | undefined;
  /** Whether people were waited for since the last sign of life. */
  #waited = false;
  #timer: Fiber.Fiber<void> | undefined;

  constructor(peer: Peer, limits: LiveLimits) {
    this.peer = peer;
    this.limits = limits;
  }

  /** Why the question got no answer when it was put. It is not put again: a need has one outcome. */
  obstacle(gate: Gate, reached: Reached): Obstacle | undefined {
    const known = this.#obstacles.get(reached.spec.key);
    return known?.digest === digestOf(gate, reached) ? known.obstacle : undefined;
  }

  /** Keeps in mind that the question got no answer. */
  remember(gate: Gate, reached: Reached, obstacle: Obstacle): void {
    this.#obstacles.set(reached.spec.key, { digest: digestOf(gate, reached), obstacle });
  }

  /** Tells the client, once, that the out-of-band part of a URL need is finished. */
  finished(interaction: string): void {
    if (this.#finished.has(interaction)) return;
    this.#finished.add(interaction);
    this.peer.complete(interaction);
  }

  /** People are waited for. The caller is told so in even intervals, until one goes by without waiting. */
  waits(gate: Waiting): void {
    this.#waiting = gate;
    this.#waited = true;
    this.#timer ??= this.#watch(gate);
  }

  /** The call is over. */
  end(): void {
    this.#timer?.interruptUnsafe();
    this.#timer = undefined;
    this.#waiting = undefined;
  }

  #watch(gate: Gate): Fiber.Fiber<void> {
    return after(gate, this.limits.alive, () => {
      this.#timer = undefined;
      if (!this.#waited) return;
      this.#timer = this.#watch(gate);
      this.#waited = this.#waiting?.waits === true;
      this.peer.alive();
    });
  }
}
