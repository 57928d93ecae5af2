/** The requests of one client that are in flight. */
import * as Effect from "effect/Effect";
import type * as Context from "effect/Context";
import type * as Fiber from "effect/Fiber";
import type { RequestId } from "../model/call.ts";
import { type Fault, internal, invalidRequest } from "../model/fault.ts";
import { failed, type SureOutlet } from "./outlet.ts";
import { Running } from "./running.ts";
import { Request, type Way } from "./stdio_request.ts";

/** Requests by their ids, each acted on by a fiber of its own. */
export class Requests {
  /** All that run, those included that were cancelled and have not come to their end. */
  readonly running: Running = new Running();
  /** Those among them that last until they are ended. */
  readonly subscriptions: Running = new Running();
  readonly #inFlight = new Map<RequestId, Request>();
  readonly #run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>;

  constructor(context: Context.Context<never>) {
    this.#run = Effect.runForkWith(context);
  }

  /** What is wrong with a request of this id: another one with it is in flight. */
  check(id: RequestId): Fault | undefined {
    return this.#inFlight.has(id)
      ? invalidRequest(`A request with the id ${JSON.stringify(id)} is in flight already`)
      : undefined;
  }

  /** Begins to act on a request whose id is free. */
  begin(id: RequestId, way: Way, act: (outlet: SureOutlet) => Effect.Effect<void>, lasts: boolean): void {
    const request = new Request(id, way, () => this.#inFlight.delete(id));
    const groups = lasts ? [this.running, this.subscriptions] : [this.running];
    this.#inFlight.set(id, request);
    for (const group of groups) group.add(request);
    const acted = Effect.suspend(() => act(request));
    const fiber = this.#run(Effect.catchCause(acted, (cause) => failed(request, cause)));
    request.run(fiber);
    fiber.addObserver(() => {
      // Nobody is left waiting, whatever became of it
      request.fault(internal());
      for (const group of groups) group.delete(request);
    });
  }

  /** The client cancels a request. Ids that are not those of a request in flight are ignored. */
  cancel(id: RequestId): void {
    this.#inFlight.get(id)?.cancel();
  }
}
