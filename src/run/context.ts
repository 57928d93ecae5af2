/** The services that every handler gets besides the author's own. */
import * as Clock from "effect/Clock";
import * as Context from "effect/Context";
import * as Metric from "effect/Metric";
import * as Scheduler from "effect/Scheduler";
import { Flow, Interpreter } from "../need/flow.ts";
import { ManualPort } from "../need/manual.ts";
import { Elicitation, Roots, Sampling } from "../need/need.ts";
import { HandlerClock } from "./clock.ts";
import { CountingMetrics, CountingScheduler } from "./counting.ts";
import { manual } from "./manual.ts";
import { flow, interpreter, port } from "./ports.ts";

/**
 * Adds to the author's services what an interpreter runs handlers with. To be called once per server: nothing in it
 * belongs to a call. Clock, scheduler and fiber metrics of the author keep working, behind those that the gate needs.
 */
export const prepare = <R>(context: Context.Context<R>): Context.Context<R | Elicitation | Sampling | Roots | Flow> => {
  const metrics = Context.get(context, Metric.FiberRuntimeMetrics);
  if (metrics instanceof CountingMetrics) return context as Context.Context<R | Elicitation | Sampling | Roots | Flow>;
  const ours = Context.make(Elicitation, port).pipe(
    Context.add(Sampling, port),
    Context.add(Roots, port),
    Context.add(Flow, flow),
    Context.add(Interpreter, interpreter),
    Context.add(ManualPort, manual),
    Context.add(Metric.FiberRuntimeMetrics, new CountingMetrics(metrics)),
    Context.add(Scheduler.Scheduler, new CountingScheduler(Context.get(context, Scheduler.Scheduler))),
    Context.add(Clock.Clock, new HandlerClock(Context.get(context, Clock.Clock))),
  );
  return Context.merge(context, ours);
};
