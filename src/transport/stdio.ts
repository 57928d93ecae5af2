/**
 * A server over a channel that carries one message a line, like standard input and output (2026-07-28, basic/transports,
 * stdio). The same framing over any other stream of bytes does as well.
 */
import * as Deferred from "effect/Deferred";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import type { Instance } from "../server/instance.ts";
import { Connection } from "./stdio_connection.ts";
import type { StdioSettings } from "./stdio_options.ts";
import { type Write, Writer } from "./stdio_writer.ts";

/** A channel to one client. */
export interface Channel {
  /** What the client sends. Its end, or a failure to read it, is the end of the client's requests. */
  readonly input: ReadableStream<Uint8Array>;
  /** Sends to the client. */
  readonly write: Write;
}

/** Takes what the client sends, until there is no more; not much faster than the client takes what it is sent. */
const read = (input: ReadableStream<Uint8Array>, connection: Connection, writer: Writer): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.sync(() => input.getReader()),
    (reader) => {
      const next = Effect.catch(Effect.tryPromise(() => reader.read()), () => Effect.undefined);
      const take: Effect.Effect<void> = Effect.flatMap(next, (read) => {
        if (read === undefined || read.done) return Effect.void;
        connection.take(read.value);
        return Effect.andThen(writer.room, take);
      });
      return take;
    },
    (reader) => Effect.sync(() => void reader.cancel().catch(() => {})),
  );

/** Waits until everything is written, as long as somebody goes on reading it. */
const flush = (writer: Writer, patience: Duration.Duration): Effect.Effect<void> =>
  Effect.suspend(() => {
    const before = writer.written;
    return Effect.flatMap(
      Effect.timeoutOption(writer.idle, patience),
      (idle) => Option.isSome(idle) || writer.written === before ? Effect.void : flush(writer, patience),
    );
  });

/**
 * Serves one client until it closes the input: then calls in flight may finish within `drainWithin`, and their replies
 * are written. Ends at once, and quietly, if nobody reads what is written. An interruption ends it in order: it takes
 * `stopWithin` at most for each of subscriptions, finalizers and what is left to write.
 */
export const serve = (instance: Instance, settings: StdioSettings, { input, write }: Channel): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { drainWithin, stopWithin } = settings;
    const broken = Deferred.makeUnsafe<void>();
    const writer = new Writer(write, () => Deferred.doneUnsafe(broken, Effect.void));
    const connection = new Connection(instance, settings, writer);
    const { running, subscriptions } = connection.requests;
    const stop = Effect.suspend(() => {
      running.stop();
      return Effect.timeoutOption(running.none, stopWithin);
    });
    const served = Effect.gen(function* () {
      yield* read(input, connection, writer);
      connection.end();
      yield* Effect.timeoutOption(running.none, drainWithin);
      yield* stop;
      yield* flush(writer, drainWithin);
    });
    const finish = Effect.gen(function* () {
      connection.close();
      yield* Effect.timeoutOption(subscriptions.none, stopWithin);
      yield* stop;
      yield* Effect.timeoutOption(writer.idle, stopWithin);
    });
    return Effect.ensuring(Effect.raceFirst(served, Deferred.await(broken)), finish);
  });
