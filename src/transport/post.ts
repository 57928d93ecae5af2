/** One POST, from its arrival to the end of its reply. */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Fiber from "effect/Fiber";
import { isFault } from "../model/fault.ts";
import { anonymous, type Principal } from "../model/principal.ts";
import type { Authenticate } from "../server/auth.ts";
import * as Accept from "./accept.ts";
import type { ReplyHeaders } from "./cors.ts";
import { Exchange } from "./exchange.ts";
import { checkContent } from "./front.ts";
import { identify } from "./identify.ts";
import type { Settings } from "./options.ts";
import { failed, stopped } from "./outlet.ts";
import type { Job, Running } from "./running.ts";
import type { Server } from "./serve.ts";
import { ticking } from "./ticker.ts";
import type { Visit } from "./visit.ts";

/** What the requests to one endpoint share. */
export interface Endpoint {
  readonly settings: Settings;
  readonly server: Server;
  readonly running: Running;
  readonly run: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A>;
}

/**
 * Most requests are over as soon as their body is there. So a fiber, a look at the client and a timer are begun only when
 * there is something that they are needed for.
 */
export class Post implements Job {
  readonly #endpoint: Endpoint;
  readonly #visit: Visit;
  readonly #exchange: Exchange;
  // No function that cancels: V8 takes one that is assigned to a member for long-lived, and keeps all that it holds
  #giveUp: (() => void) | undefined = undefined;
  #fiber: Fiber.Fiber<unknown> | undefined = undefined;
  #unwatch: (() => void) | undefined = undefined;
  #ticker: Fiber.Fiber<never> | undefined = undefined;

  constructor(endpoint: Endpoint, visit: Visit, headers: ReplyHeaders) {
    this.#endpoint = endpoint;
    this.#visit = visit;
    this.#exchange = new Exchange(headers, Accept.read(visit.header("accept")), visit, () => this.#cancel());
  }

  /** Begins. To be called once. */
  start(): void {
    const { running, settings } = this.#endpoint;
    running.add(this);
    if (settings.authenticate === undefined) this.#read(anonymous);
    else this.#authenticate(settings.authenticate);
  }

  /** The server cannot wait any longer: says so, and interrupts what is under way. */
  stop(): void {
    this.#exchange.fault(stopped);
    this.#cancel();
  }

  /** Interrupts what is under way. */
  #cancel(): void {
    if (this.#fiber !== undefined) return this.#fiber.interruptUnsafe();
    this.#giveUp?.();
    this.#end();
  }

  #authenticate(authenticate: Authenticate): void {
    this.#watch();
    // The client may have left before it was watched
    if (this.#exchange.over) return;
    const fiber = this.#endpoint.run(identify(authenticate, this.#visit, this.#exchange));
    this.#fiber = fiber;
    fiber.addObserver((exit) => {
      if (Exit.isSuccess(exit) && exit.value !== undefined) this.#read(exit.value);
      else this.#end();
    });
  }

  #read(principal: Principal): void {
    this.#fiber = undefined;
    const { maxBody } = this.#endpoint.settings;
    const refused = checkContent(this.#visit, this.#exchange.accepts, this.#exchange.headers, maxBody);
    if (refused !== undefined) {
      this.#exchange.respond(refused);
      return this.#end();
    }
    this.#giveUp = this.#visit.read(maxBody, (body) => {
      if (!isFault(body)) return this.#serve(body, principal);
      this.#exchange.fault(body);
      this.#end();
    });
  }

  #serve(body: string, principal: Principal): void {
    const { run, server, settings } = this.#endpoint;
    const served = Effect.suspend(() => server.serve(body, this.#visit.header, principal, this.#exchange));
    const fiber = run(Effect.catchCause(served, (cause) => failed(this.#exchange, cause)));
    if (fiber.pollUnsafe() !== undefined) return this.#end();
    this.#fiber = fiber;
    this.#watch();
    if (!this.#exchange.over) this.#ticker = run(ticking(this.#exchange, settings.keepAlive));
    fiber.addObserver(() => this.#end());
  }

  #watch(): void {
    this.#unwatch ??= this.#visit.watch(this.#exchange.leave);
  }

  #end(): void {
    this.#endpoint.running.delete(this);
    this.#exchange.drop();
    this.#unwatch?.();
    this.#ticker?.interruptUnsafe();
  }
}
