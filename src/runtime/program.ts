/** Programs that serve until they are told to stop. */
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import { Connected, guarded, type Runtime } from "./stdio.ts";

/** A signal that asks a process to stop. */
export type Signal = "SIGINT" | "SIGTERM";

/** The process of a program. */
export interface Process {
  readonly signals: ReadonlyArray<Signal>;
  readonly on: (signal: Signal, listener: () => void) => void;
  readonly off: (signal: Signal, listener: () => void) => void;
  readonly exit: (code: number) => void;
  /** Its standard streams. */
  readonly channel: Runtime["channel"];
}

/** What a layer is run for: until the client is served, where it serves one, and else for ever. */
const purpose = (context: Context.Context<never>): Effect.Effect<void> =>
  Option.match(Context.getOption(context, Connected), { onNone: () => Effect.never, onSome: ({ ended }) => ended });

/** Runs a layer until the process is told to stop, or until there is nothing more to do. */
export const run = <A, E>({ channel, exit, off, on, signals }: Process, layer: Layer.Layer<A, E>): void => {
  let stopping = false;
  const stop = (): void => {
    // Whoever asks twice does not want to wait
    if (stopping) exit(130);
    stopping = true;
    fiber.interruptUnsafe();
  };
  // Before anything says that it runs: who reads that may stop it at once
  for (const signal of signals) on(signal, stop);
  const fiber = Effect.runFork(Effect.scoped(Effect.flatMap(guarded(channel, Layer.build(layer)), purpose)));
  fiber.addObserver((ended) => {
    for (const signal of signals) off(signal, stop);
    if (Exit.isSuccess(ended) || Cause.hasInterruptsOnly(ended.cause)) return exit(0);
    console.error(Cause.pretty(ended.cause));
    exit(1);
  });
};
