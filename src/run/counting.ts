/** Counts what a run keeps going (G7): its fibers, and its tasks in the queues of schedulers. Shared by all runs. */
import * as Context from "effect/Context";
import type * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import type * as Metric from "effect/Metric";
import type * as Scheduler from "effect/Scheduler";
import type { Gate } from "./gate.ts";
import { Region } from "./region.ts";

/** Counts the fibers of runs, and tells the author's own metrics of all fibers. */
export class CountingMetrics implements Metric.FiberRuntimeMetricsService {
  readonly own: Metric.FiberRuntimeMetricsService | undefined;

  constructor(own: Metric.FiberRuntimeMetricsService | undefined) {
    this.own = own;
  }

  recordFiberStart(context: Context.Context<never>): void {
    const gate = Context.get(context, Region)?.gate;
    if (gate !== undefined) {
      gate.live++;
      gate.version++;
    }
    this.own?.recordFiberStart(context);
  }

  recordFiberEnd(context: Context.Context<never>, exit: Exit.Exit<unknown, unknown>): void {
    const gate = Context.get(context, Region)?.gate;
    if (gate !== undefined) {
      gate.live--;
      gate.version++;
    }
    this.own?.recordFiberEnd(context, exit);
  }
}

const counted = (gate: Gate, task: () => void): () => void => {
  gate.queued++;
  gate.version++;
  return () => {
    gate.queued--;
    gate.version++;
    task();
  };
};

const countingDispatcher = (own: Scheduler.SchedulerDispatcher): Scheduler.SchedulerDispatcher => ({
  scheduleTask: (task, priority) => {
    const gate = Fiber.getCurrent()?.getRef(Region)?.gate;
    own.scheduleTask(gate === undefined ? task : counted(gate, task), priority);
  },
  flush: () => own.flush(),
});

/** Counts the tasks of runs on their way into the queues of the author's own scheduler. */
export class CountingScheduler implements Scheduler.Scheduler {
  readonly own: Scheduler.Scheduler;
  readonly executionMode: "sync" | "async";

  constructor(own: Scheduler.Scheduler) {
    this.own = own;
    this.executionMode = own.executionMode;
  }

  shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    return this.own.shouldYield(fiber);
  }

  makeDispatcher(): Scheduler.SchedulerDispatcher {
    return countingDispatcher(this.own.makeDispatcher());
  }
}
