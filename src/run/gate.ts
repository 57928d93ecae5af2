/**
 * The gate: all that changes while a handler runs. The verbs record here what they wait for, an interpreter decides
 * here when the run is over.
 *
 * - G1 The outcome is decided by the gate, never by how the handler's exit looks. Unanswerable and misuse (one key for
 *   two questions, an ask inside of `once`, mixed styles) are outcomes too: recorded and parked, never failures or
 *   defects that a handler could catch.
 * - G2 After the gate closes its verbs no longer act: `ask`, `once`, `state`, `onCommit`, `again` park, progress and log
 *   return. Plain effects that a handler runs after catching a cause inside of an uninterruptible region, or in a
 *   detached fiber, are out of reach.
 * - G3 Every parked fiber, and every one that polls a URL need, is interrupted by the gate itself, root first, so that
 *   asks in uninterruptible regions, acquires and finalizers, concurrent ones included, cannot hold a round. From the
 *   100th ask after the close on, asks park for good.
 * - G4 A suspended root is interrupted from outside; it never interrupts itself and never fails.
 * - G5 `once` steps in flight are awaited and their results recorded before the interim result goes out. Past the bound
 *   the call ends with an error that names the step; nothing is recorded and the step is never repeated by us. Other
 *   work in flight is interrupted and runs again.
 * - G6 Root settled first (success or failure): complete, pending needs are dropped. Misuse is not dropped.
 * - G7 One fiber, one unmet need: no timer, no macrotask, no microtask. A handler that left its first call stack (by a
 *   promise, a timer) before it asked costs one microtask, so that nobody is interrupted from inside of its own stack;
 *   what a failed `attempt` interrupts waits for the end of that stack too.
 *   Fibers are counted by a `Metric.FiberRuntimeMetrics` service, queued tasks by a `Scheduler`, both shared, both
 *   forwarding to the author's own.
 * - G8 A round is a function of (call, opened journal, answers). No state outlives the request.
 * - G9 The handler's `Clock` stands still while a need is pending (in `once` steps, in the polling of a URL need and in
 *   branches of `all` that have not asked yet, it runs): time limits, delays and schedules do not count the person.
 *   Reading the time goes on; limits outside of Effect's Clock do too.
 * - G10 A need whose fiber was interrupted before the close is not sent.
 */
import type * as Context from "effect/Context";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import { type Capability, supports } from "../model/capability.ts";
import type { Question } from "../model/question.ts";
import type { Unanswerable } from "../need/errors.ts";
import type { AnswerRecord, StepRecord } from "./journal.ts";
import type {
  AnyFiber,
  Boundary,
  Branch,
  Cell,
  Join,
  Obstacle,
  Put,
  Reached,
  Reason,
  Room,
  Running,
  Sleeper,
  Step,
  Unmet,
  Waiter,
} from "./parts.ts";
import type { Round } from "./round.ts";

/** Where in a run a fiber is. */
export interface Region {
  readonly gate: Gate;
  readonly boundary: Boundary | undefined;
  readonly branch: Branch | undefined;
  readonly step: Step | undefined;
  /** The clock runs on here (G9). */
  readonly unpaused: boolean;
  /** Effects of `onCommit` run here. */
  readonly committing: boolean;
}

/** Verbs that may still be called after a close before they park for good (G3). */
const patience = 100;

/** The gate of one run. Each interpreter has its own way to look whether the run is over. */
export abstract class Gate {
  readonly round: Round;
  /** The handler's services. */
  readonly context: Context.Context<never>;
  readonly region: Region;

  root: AnyFiber | undefined;
  /** No verb acts any more. */
  closed = false;
  /** Closed by a suspension, not by the handler's end. */
  suspending = false;
  /** Misuse: the call ends with this message, whatever else happens. */
  fault: string | undefined;
  /** Why the author refused the state of this request; the fault is then this one. */
  refusal: string | undefined;
  /** What the handler made of the seed that its call began with, if it did. */
  seed: "opened" | "left" | undefined;

  reached: Map<string, Reached> | undefined;
  unmet: Map<string, Unmet> | undefined;
  accepted: Map<string, AnswerRecord> | undefined;
  steps: Map<string, StepRecord> | undefined;
  running: Map<string, Running> | undefined;
  /** Who waits inside of a step for another one. */
  joins: Set<Join> | undefined;
  cells: Map<string, Cell> | undefined;
  commits: Array<Effect.Effect<void>> | undefined;
  parked: Map<AnyFiber, Region> | undefined;
  /** Parts of `attempt` that failed and are not interrupted yet. */
  failed: Array<Boundary> | undefined;
  sleepers: Set<Sleeper> | undefined;

  /** Fibers of the run that have not ended. */
  live = 0;
  /** Tasks of the run in the queues of its schedulers. */
  queued = 0;
  /** Branches of `all` that have neither asked nor ended. */
  holding = 0;
  /** URL needs whose out-of-band part is polled. */
  polling = 0;
  /** Verbs called after the close. */
  late = 0;
  /** Counts everything that happens in the run. */
  version = 0;
  #checking = false;

  constructor(round: Round, context: Context.Context<never>) {
    this.round = round;
    this.context = context;
    this.region = {
      gate: this,
      boundary: undefined,
      branch: undefined,
      step: undefined,
      unpaused: false,
      committing: false,
    };
  }

  /** Looks whether the run is over. Never called from inside of a fiber of the run. */
  abstract check(): void;

  /** Lets go of the connection, where the transport can. */
  abstract get disconnect(): Effect.Effect<void>;

  /** Why a question is not put; undefined: it can be. */
  abstract obstacle(question: Question, reached: Reached): Obstacle | undefined;

  /** Parks the fiber until there is an answer to the question, then goes on with `next`, if this run comes to that. */
  abstract put<A, E, R>(
    fiber: AnyFiber,
    region: Region,
    put: Put,
    next: () => Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E, R>;

  /** Whether the client can be asked for `capability`. */
  supports(capability: Capability): boolean {
    return supports(this.round.info.capabilities, capability);
  }

  /** The round that the run is in. */
  get number(): number {
    return this.round.journal.round;
  }

  /** How long people may take in a run that waits for them; undefined: rounds do not wait for people. */
  get roundTimeout(): Duration.Duration | undefined {
    return undefined;
  }

  /** The out-of-band part of a URL need is finished. */
  finished(_interaction: string): void {}

  /** Something happened that may end the run. Before the root is known, that is in its first stack, nobody looks. */
  changed(): void {
    this.version++;
    if (this.sleepers !== undefined) { for (const sleeper of [...this.sleepers]) sleeper.update(); }
    if (this.root === undefined || this.closed || this.#checking) return;
    this.#checking = true;
    queueMicrotask(() => {
      this.#checking = false;
      this.interruptFailed();
      if (!this.closed) this.check();
    });
  }

  /** Whether verbs in `region` no longer act. */
  shut(region: Region): boolean {
    if (this.closed) return true;
    for (let at = region.boundary; at !== undefined; at = at.outer) if (at.failure !== undefined) return true;
    return false;
  }

  /**
   * Ends the `attempt` with `failure`. What runs in it is interrupted after the stack that called this (G7): a fiber that
   * ends while another one still forks its siblings is taken by Effect for the end of all of them.
   */
  fail(boundary: Boundary, failure: Unanswerable): void {
    if (boundary.failure !== undefined) return;
    boundary.failure = failure;
    (this.failed ??= []).push(boundary);
    this.changed();
  }

  /** Interrupts what failed: the attempt first, then all that is parked in it. Called where nothing of the run runs. */
  interruptFailed(): void {
    const { failed } = this;
    this.failed = undefined;
    for (const boundary of failed ?? []) {
      boundary.interrupt();
      this.release(boundary);
    }
  }

  /** Parks the fiber for `reasons`; without one it waits for the end of the run, which is near. */
  park(fiber: AnyFiber, region: Region, reasons: ReadonlyArray<Reason> = []): Effect.Effect<never> {
    return this.wait(fiber, region, reasons, undefined) as Effect.Effect<never>;
  }

  /** Parks the fiber for `reasons`, until it is woken in the room that `enter` opens. */
  protected wait(
    fiber: AnyFiber,
    region: Region,
    reasons: ReadonlyArray<Reason>,
    enter: (() => Room) | undefined,
  ): Effect.Effect<void> {
    if (this.#left(region)) return this.#tooLate(fiber, region);
    return Effect.interruptible(Effect.callback((resume) => {
      if (this.#left(region)) return fiber.interruptUnsafe();
      const unmet = reasons.map((reason) => this.#wait(reason));
      (this.parked ??= new Map()).set(fiber, region);
      this.enter(region.branch);
      const leave = (): void => {
        this.parked?.delete(fiber);
        this.leave(region.branch);
        for (const one of unmet) this.#leave(one);
        this.changed();
      };
      const away = enter === undefined ? leave : inside(enter(), leave, () => resume(Effect.void));
      this.changed();
      return Effect.sync(away);
    }));
  }

  /** Ends the call with `message`, and parks the fiber that misused a verb. A commit, which comes after the end, dies. */
  misuse(fiber: AnyFiber, region: Region, message: string): Effect.Effect<never> {
    if (region.committing) return Effect.die(new Error(message));
    if (!this.shut(region)) this.fault ??= message;
    return this.park(fiber, region);
  }

  /** Interrupts the fibers that are parked inside of `boundary`, or all. */
  release(boundary?: Boundary): void {
    if (this.parked === undefined) return;
    for (const [fiber, region] of [...this.parked]) {
      let at = region.boundary;
      while (at !== undefined && at !== boundary) at = at.outer;
      if (at === boundary) fiber.interruptUnsafe();
    }
  }

  /** A fiber of `branch` begins to wait for the client. */
  enter(branch: Branch | undefined): void {
    for (let at = branch; at !== undefined; at = at.outer) if (at.asking++ === 0 && !at.ended) this.holding--;
  }

  /** A fiber of `branch` no longer waits for the client. */
  leave(branch: Branch | undefined): void {
    for (let at = branch; at !== undefined; at = at.outer) if (--at.asking === 0 && !at.ended) this.holding++;
  }

  /** Whether the clock stands still for a fiber in `region` (G9). */
  paused(region: Region): boolean {
    if (this.closed || region.unpaused || (this.polling === 0 && !this.unmet?.size)) return false;
    return region.branch === undefined || region.branch.asking > 0 || region.branch.ended;
  }

  /** Whether those who are parked in `region` were interrupted, so that nobody comes for one who parks now. */
  #left(region: Region): boolean {
    if (this.closed) return true;
    for (let at = region.boundary; at !== undefined; at = at.outer) if (at.interrupted) return true;
    return false;
  }

  #wait(reason: Reason): Unmet {
    const id = identify(reason);
    const open = this.unmet ??= new Map();
    let unmet = open.get(id);
    if (unmet === undefined) open.set(id, unmet = { reason, waiting: 0 });
    unmet.waiting++;
    return unmet;
  }

  #leave(unmet: Unmet): void {
    if (--unmet.waiting === 0 && !this.closed) this.unmet?.delete(identify(unmet.reason));
  }

  #tooLate(fiber: AnyFiber, region: Region): Effect.Effect<never> {
    const counter: { late: number } = this.closed ? this : region.boundary ?? this;
    if (++counter.late >= patience) return Effect.never;
    fiber.interruptUnsafe();
    return Effect.interruptible(Effect.never);
  }
}

/** Lets somebody who waits into the room; gives the way out, which has an effect once. */
const inside = (room: Room, leave: () => void, resume: () => void): () => void => {
  let waits = true;
  const waiter: Waiter = {
    leave: () => {
      if (!waits) return;
      waits = false;
      room.delete(waiter);
      leave();
    },
    resume,
  };
  room.add(waiter);
  return waiter.leave;
};

/** Keys are any text, so that the name of a reason without a key is none of them. */
const identify = (reason: Reason): string => reason._tag === "Again" ? "again" : `key:${reason.key}`;
